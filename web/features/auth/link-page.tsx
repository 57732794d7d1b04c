import { type ReactNode, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/ui/button";
import { ApiError } from "../../lib/api";
import { errorText } from "../../lib/error-text";
import { focusContent } from "../../lib/focus-content";
import { usePageTitle } from "../../lib/use-page-title";
import { AuthLayout } from "./auth-layout";
import { BackToSignIn } from "./forgot-form";

type LinkPageProps = {
  title: string;
  text: string;
  /** The label of the button that performs the link's action. */
  submit: string;
  doneTitle: string;
  doneText: string;
  /** What to do next. */
  next: ReactNode;
  request: { isSuccess: boolean; isPending: boolean; error: Error | null };
  onSubmit: () => void;
};

/** Whether the link is used or invalid, so that the button cannot succeed. */
const isFinal = (error: Error | null) =>
  error instanceof ApiError && error.status < 500 && error.status !== 429;

/** Opening a mailed link changes nothing, since mail scanners open links too; the button does. */
export function LinkPage({ request, onSubmit, next, ...texts }: LinkPageProps) {
  const { t, i18n } = useTranslation(["auth", "errors", "validation"]);
  const { isSuccess, isPending, error } = request;
  usePageTitle(texts.title);
  const final = isSuccess || isFinal(error);
  useEffect(() => {
    if (final) focusContent();
  }, [final]);
  const title = isSuccess ? texts.doneTitle : error ? t("verify.failedTitle") : texts.title;
  const text = isSuccess ? texts.doneText : error ? errorText(error, i18n.t) : texts.text;
  return (
    <AuthLayout>
      <h1 className="text-2xl">{title}</h1>
      <p role="status" className="mt-2 mb-6 text-ink-soft">
        {text}
      </p>
      {isSuccess ? (
        next
      ) : isFinal(error) ? (
        <BackToSignIn />
      ) : (
        <Button variant="primary" size="lg" className="w-full" loading={isPending} onClick={onSubmit}>
          {texts.submit}
        </Button>
      )}
    </AuthLayout>
  );
}
