import { useTranslation } from "react-i18next";
import type { useUnsavedChanges } from "../../lib/use-unsaved-changes";
import { ConfirmDialog } from "./confirm-dialog";

/** The confirmation of `useUnsavedChanges`. Put it inside the dialog or page that it guards. */
export function UnsavedChangesDialog({ guard }: { guard: ReturnType<typeof useUnsavedChanges> }) {
  const { t } = useTranslation();
  return (
    <ConfirmDialog
      open={guard.confirming}
      title={t("discard.title")}
      text={t("discard.text")}
      confirmLabel={t("discard.leave")}
      cancelLabel={t("discard.stay")}
      onConfirm={guard.leave}
      onCancel={guard.stay}
    />
  );
}
