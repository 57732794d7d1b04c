import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/ui/button";
import { ConfirmDialog } from "../../components/ui/confirm-dialog";
import { useCloseOnBack } from "../../lib/use-close-on-back";
import { useDeleteAccount } from "./profile.queries";

type DangerZoneProps = { isAdministrator: boolean; onDeleted: () => void };

export function DangerZone({ isAdministrator, onDeleted }: DangerZoneProps) {
  const { t } = useTranslation("profile");
  const [confirming, setConfirming] = useState(false);
  const remove = useDeleteAccount();
  const stop = () => setConfirming(false);
  useCloseOnBack(confirming, stop);
  return (
    <>
      <Button variant="danger" onClick={() => setConfirming(true)}>
        {t("danger.submit")}
      </Button>
      <ConfirmDialog
        open={confirming}
        title={t("danger.confirmTitle")}
        text={t("danger.confirmText")}
        detail={isAdministrator ? t("danger.administrator") : undefined}
        confirmLabel={t("danger.submit")}
        pending={remove.isPending}
        onConfirm={() => remove.mutate(undefined, { onSuccess: onDeleted, onError: stop })}
        onCancel={stop}
      />
    </>
  );
}
