import { useMutation } from "@tanstack/react-query";
import { useBlocker } from "@tanstack/react-router";
import { type ReactNode, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ChangedMeanwhile } from "../../../worker/contract/error-body";
import { ApiError } from "../../lib/api";
import { useCloseOnBack } from "../../lib/use-close-on-back";
import { useFormat } from "../../lib/use-format";
import { Button } from "./button";
import { ConfirmDialog } from "./confirm-dialog";

/**
 * Asks before unsaved input is lost: by closing, the back button, a link, or closing the tab. While it is being saved
 * (`pending`), nothing leaves, and nothing asks: it may fail.
 */
export function useUnsavedChanges(dirty: boolean, pending = false) {
  const saved = useRef(false);
  const shouldBlock = () => dirty && !pending && !saved.current;
  useBlocker({ shouldBlockFn: () => pending && !saved.current, enableBeforeUnload: pending });
  const blocker = useBlocker({
    shouldBlockFn: shouldBlock,
    enableBeforeUnload: shouldBlock,
    withResolver: true,
  });
  return {
    confirming: blocker.status === "blocked",
    leave: () => blocker.proceed?.(),
    stay: () => blocker.reset?.(),
    /** Stops asking: the input was saved. */
    release: () => {
      saved.current = true;
    },
  };
}

type Closing = { dirty: boolean; pending: boolean; onClose: () => void };

/** As `useUnsavedChanges`, for a dialog that has no URL: the back button closes it too. */
export function useAskBeforeClosing({ dirty, pending, onClose }: Closing, enabled = true) {
  const [confirming, setConfirming] = useState(false);
  const stay = () => setConfirming(false);
  const close = () => {
    if (pending) return;
    if (dirty) setConfirming(true);
    else onClose();
  };
  useCloseOnBack(enabled, close);
  return { close, confirming, leave: onClose, stay };
}

type UnsavedChangesDialogProps = {
  guard: Pick<ReturnType<typeof useUnsavedChanges>, "confirming" | "leave" | "stay">;
  /** A button that keeps the input in another way. */
  alternative?: ReactNode;
};

/** The confirmation of `useUnsavedChanges`. Put it inside the dialog or page that it guards. */
export function UnsavedChangesDialog({ guard, alternative }: UnsavedChangesDialogProps) {
  const { t } = useTranslation();
  return (
    <ConfirmDialog
      open={guard.confirming}
      title={t("discard.title")}
      text={t("discard.text")}
      alternative={alternative}
      confirmLabel={t("discard.leave")}
      cancelLabel={t("discard.stay")}
      onConfirm={guard.leave}
      onCancel={guard.stay}
    />
  );
}

type Options = {
  /** Loads what is stored now, and shows it in the form instead of what was typed. */
  showTheirs: () => Promise<void>;
  /** Sets the version that the form replaces when it is saved. */
  setVersion: (updatedAt: string) => void;
};

/** Asks what to do when a form is saved that somebody else has changed since it was read; see `ApiError.changed`. */
export function useChangedMeanwhile({ showTheirs, setVersion }: Options) {
  const [asked, setAsked] = useState<{ changed: ChangedMeanwhile; saveAgain: () => void }>();
  const loading = useMutation({
    mutationFn: showTheirs,
    onSuccess: () => setAsked(undefined),
    meta: { failure: { title: "common:changed.loadFailed" } },
  });
  return {
    changed: asked?.changed,
    loading: loading.isPending,
    /** Asks if the failure is such a change; `saveAgain` saves what is in the form then. */
    ask(error: unknown, saveAgain: () => void) {
      if (error instanceof ApiError && error.changed) setAsked({ changed: error.changed, saveAgain });
    },
    showTheirs: () => loading.mutate(),
    saveMine() {
      setAsked(undefined);
      if (!asked) return;
      setVersion(asked.changed.updatedAt);
      asked.saveAgain();
    },
    keepEditing: () => setAsked(undefined),
  };
}

/** The question of `useChangedMeanwhile`. Put it inside the dialog or page with the form. */
export function ChangedMeanwhileDialog({
  conflict,
}: {
  conflict: Omit<ReturnType<typeof useChangedMeanwhile>, "ask">;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const { changed } = conflict;
  if (!changed) return null;
  const name = [changed.changedBy.firstName, changed.changedBy.lastName].filter(Boolean).join(" ");
  const when = format.when(changed.updatedAt);
  return (
    <ConfirmDialog
      open
      title={t("changed.title")}
      text={name ? t("changed.text", { name, when }) : t("changed.textWithoutName", { when })}
      cancelLabel={t("discard.stay")}
      alternative={
        <Button loading={conflict.loading} onClick={conflict.showTheirs}>
          {t("changed.showTheirs")}
        </Button>
      }
      confirmLabel={t("changed.saveMine")}
      onConfirm={conflict.saveMine}
      onCancel={conflict.keepEditing}
    />
  );
}
