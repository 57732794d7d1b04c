import { useBlocker } from "@tanstack/react-router";
import { type ReactNode, useRef } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "./confirm-dialog";

/** Asks before unsaved input is lost: by closing, the back button, a link, or closing the tab. */
export function useUnsavedChanges(dirty: boolean) {
  const saved = useRef(false);
  const shouldBlock = () => dirty && !saved.current;
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
