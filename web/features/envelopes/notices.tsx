import { useQuery } from "@tanstack/react-query";
import { MailWarning } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button, type ButtonStyle } from "../../components/ui/button";
import { lazyComponent } from "../../components/ui/lazy-component";
import { Notice } from "../../components/ui/notice";
import { useResendVerification, userQuery } from "../auth/auth.queries";
import { workspacesQuery } from "../workspaces/workspaces.queries";

/** Says what does not work until the account's address is proved, or at least verified. A changed address leaves the confirmed one in use. */
export function VerificationNotice() {
  const { t } = useTranslation("envelopes");
  const { data: user } = useQuery(userQuery);
  if (!user || (user.isVerified && user.isProved) || user.confirmedEmail) return null;
  return (
    <Notice icon={MailWarning} title={t("wizard.verify.title")} action={<ResendVerification />}>
      <p className="text-ink-soft [overflow-wrap:anywhere]">
        {t(user.isProved ? "verification.text" : "verification.prove", { email: user.email })}
      </p>
    </Notice>
  );
}

const SetAsideNotice = lazyComponent(() => import("./set-aside-notice"));

/** What was made before the account's address was proved, perhaps by a stranger. */
export function SetAsideNotices() {
  const { data: user } = useQuery(userQuery);
  return user?.hasSetAside ? <SetAsideNotice /> : null;
}

/** Sends the verification mail again, once. */
export function ResendVerification({ variant = "secondary" }: Pick<ButtonStyle, "variant">) {
  const { t } = useTranslation("envelopes");
  const resend = useResendVerification();
  return (
    <Button
      variant={variant}
      loading={resend.isPending}
      disabled={resend.isSuccess}
      onClick={() => resend.mutate()}
    >
      {resend.isSuccess ? t("wizard.verify.sent") : t("wizard.verify.send")}
    </Button>
  );
}

const DeletionNotice = lazyComponent(() => import("./deletion-notice"));

/** The notices of all workspaces whose files will be deleted, which few have. */
export function DeletionNotices() {
  const { data: workspaces = [] } = useQuery(workspacesQuery);
  return workspaces.some(({ retentionDays }) => retentionDays !== null) ? <DeletionNotice /> : null;
}
