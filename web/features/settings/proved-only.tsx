import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/ui/button";
import { useResendVerification, userQuery } from "../auth/auth.queries";

/** What the server does only for an account with a proved address; for another one, the way there instead. */
export function ProvedOnly({ children }: { children: ReactNode }) {
  const { t } = useTranslation("profile");
  const { data: user } = useQuery(userQuery);
  const resend = useResendVerification();
  if (!user || user.isProved) return children;
  return (
    <div className="flex flex-col items-start gap-3">
      <p className="text-ink-soft [overflow-wrap:anywhere]">
        {t("account.proveFirst", { email: user.email })}
      </p>
      <Button loading={resend.isPending} disabled={resend.isSuccess} onClick={() => resend.mutate()}>
        {t(resend.isSuccess ? "account.resent" : "account.resendNamed")}
      </Button>
    </div>
  );
}
