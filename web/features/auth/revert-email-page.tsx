import { useTranslation } from "react-i18next";
import { useRevertEmail } from "./auth.queries";
import { BackToSignIn } from "./forgot-form";
import { LinkPage } from "./link-page";

/** "This wasn't me": where the mail to an account's old address leads. */
export function RevertEmailPage({ token }: { token: string }) {
  const { t } = useTranslation("auth");
  const revert = useRevertEmail();
  return (
    <LinkPage
      title={t("revertEmail.title")}
      text={t("revertEmail.text")}
      submit={t("revertEmail.submit")}
      doneTitle={t("revertEmail.doneTitle")}
      doneText={t("revertEmail.doneText")}
      next={<BackToSignIn />}
      request={revert}
      onSubmit={() => revert.mutate(token)}
    />
  );
}
