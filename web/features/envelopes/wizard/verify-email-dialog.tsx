import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button";
import { Dialog } from "../../../components/ui/dialog";
import { useResendVerification } from "../../profile/profile.queries";

/** Replaces the wizard after its envelope was saved as a draft until the requestor's address is verified. */
export function VerifyEmailDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(["envelopes", "common"]);
  const resend = useResendVerification();
  return (
    <Dialog
      open
      onClose={onClose}
      hideCloseButton
      title={t("wizard.verify.title")}
      footer={
        <>
          <Button onClick={onClose}>{t("common:close")}</Button>
          <Button
            variant="primary"
            loading={resend.isPending}
            disabled={resend.isSuccess}
            onClick={() => resend.mutate()}
          >
            {resend.isSuccess ? t("wizard.verify.sent") : t("wizard.verify.send")}
          </Button>
        </>
      }
    >
      <p>{t("wizard.verify.saved")}</p>
      <p className="mt-3 text-ink-soft">{t("wizard.verify.text")}</p>
    </Dialog>
  );
}
