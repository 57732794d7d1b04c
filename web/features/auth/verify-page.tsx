import { useTranslation } from "react-i18next";
import { buttonClass } from "../../components/ui/button";
import { useVerify } from "./auth.queries";
import { LinkPage } from "./link-page";

/** Where the link of the verification mail leads. */
export function VerifyPage({ token }: { token: string }) {
  const { t } = useTranslation("auth");
  const verify = useVerify();
  return (
    <LinkPage
      title={t("verify.title")}
      text={t("verify.text")}
      submit={t("verify.submit")}
      doneTitle={t("verify.doneTitle")}
      doneText={t("verify.doneText")}
      next={
        <a href="/" className={buttonClass({ variant: "primary", size: "lg", className: "w-full" })}>
          {t("verify.continue")}
        </a>
      }
      request={verify}
      onSubmit={() => verify.mutate(token)}
    />
  );
}
