import { useQuery } from "@tanstack/react-query";
import { MailWarning } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/ui/button";
import { Notice } from "../../components/ui/notice";
import { userQuery } from "../auth/auth.queries";
import { useResendVerification } from "../settings/settings.queries";

/** Says what does not work until the account's address is verified. A changed address leaves the confirmed one in use. */
export function VerificationNotice() {
  const { t } = useTranslation("envelopes");
  const { data: user } = useQuery(userQuery);
  const resend = useResendVerification();
  if (!user || user.isVerified || user.confirmedEmail) return null;
  return (
    <Notice
      icon={MailWarning}
      title={t("wizard.verify.title")}
      action={
        <Button loading={resend.isPending} disabled={resend.isSuccess} onClick={() => resend.mutate()}>
          {resend.isSuccess ? t("wizard.verify.sent") : t("wizard.verify.send")}
        </Button>
      }
    >
      <p className="text-ink-soft [overflow-wrap:anywhere]">
        {t("verification.text", { email: user.email })}
      </p>
    </Notice>
  );
}
