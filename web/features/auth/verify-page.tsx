import { useTranslation } from "react-i18next";
import { Button, buttonClass } from "../../components/ui/button";
import { errorText } from "../../lib/error-text";
import { usePageTitle } from "../../lib/use-page-title";
import { useVerify } from "./auth.queries";
import { AuthLayout } from "./auth-layout";

/** Opening the link changes nothing, since mail scanners open links too; the button does. */
export function VerifyPage({ token }: { token: string }) {
  const { t, i18n } = useTranslation(["auth", "errors", "validation"]);
  const verify = useVerify();
  usePageTitle(t("verify.title"));
  const title = verify.isSuccess
    ? t("verify.doneTitle")
    : verify.isError
      ? t("verify.failedTitle")
      : t("verify.title");
  const text = verify.isSuccess
    ? t("verify.doneText")
    : verify.isError
      ? errorText(verify.error, i18n.t)
      : t("verify.text");
  return (
    <AuthLayout>
      <h1 className="text-2xl">{title}</h1>
      <p role="status" className="mt-2 mb-6 text-ink-soft">
        {text}
      </p>
      {verify.isSuccess ? (
        <a href="/" className={buttonClass({ variant: "primary", size: "lg", className: "w-full" })}>
          {t("verify.continue")}
        </a>
      ) : (
        <Button
          variant="primary"
          size="lg"
          className="w-full"
          loading={verify.isPending}
          onClick={() => verify.mutate(token)}
        >
          {t("verify.submit")}
        </Button>
      )}
    </AuthLayout>
  );
}
