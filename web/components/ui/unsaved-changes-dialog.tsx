import { useTranslation } from "react-i18next";
import type { useLeaveGuard } from "../../lib/use-unsaved-changes";
import { ConfirmDialog } from "./confirm-dialog";

/** The question of `useLeaveGuard`. Put it inside the dialog or page that it guards. */
export function LeaveGuardDialog({ guard }: { guard: ReturnType<typeof useLeaveGuard> }) {
  const { t } = useTranslation();
  return (
    <ConfirmDialog
      open={guard.asking}
      title={t("discard.title")}
      text={t("discard.text")}
      confirmLabel={t("discard.leave")}
      cancelLabel={t("discard.stay")}
      onConfirm={guard.leave}
      onCancel={guard.stay}
    />
  );
}
