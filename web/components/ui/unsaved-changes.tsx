import { useBlocker } from "@tanstack/react-router";
import { type ReactNode, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useCloseOnBack } from "../../lib/use-close-on-back";
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
