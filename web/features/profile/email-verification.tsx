import { BadgeCheck, CircleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../components/ui/badge";
import { Button } from "../../components/ui/button";
import { useResendVerification } from "./profile.queries";

/** Whether the e-mail address is verified, and a button to resend the verification mail. */
export function EmailVerification({ verified }: { verified: boolean }) {
  const { t } = useTranslation("profile");
  const resend = useResendVerification();
  if (verified)
    return (
      <Badge tone="good" icon={BadgeCheck}>
        {t("account.verified")}
      </Badge>
    );
  return (
    <span className="inline-flex items-center gap-1.5">
      <Badge tone="warn" icon={CircleAlert}>
        {t("account.notVerified")}
      </Badge>
      <Button
        size="sm"
        variant="ghost"
        className="text-accent!"
        title={t("account.resendNamed")}
        loading={resend.isPending}
        onClick={() => resend.mutate()}
      >
        {t("account.resend")}
      </Button>
    </span>
  );
}
