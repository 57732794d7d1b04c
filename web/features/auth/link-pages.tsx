import { type ReactNode, useEffect } from "react";
import { useTranslation } from "#translation";
import { Button, buttonClass } from "../../components/ui/button";
import { ApiError } from "../../lib/api";
import { errorText } from "../../lib/error-text";
import { focusContent } from "../../lib/focus";
import { usePageTitle } from "../../lib/use-page-title";
import { useReleaseEmail, useRevertEmail, useSignInLink, useVerify } from "./auth.queries";
import { AuthLayout } from "./auth-layout";
import { authPath } from "./auth-url";
import { BackToSignIn } from "./forgot-form";
import { AuthLink } from "./navigation";

type LinkPageProps = {
  title: string;
  text: string;
  /** The label of the button that performs the link's action. */
  submit: string;
  doneTitle: string;
  doneText: string;
  /** What to do next. */
  next: ReactNode;
  /** What to do before the link can be used, once the request has been rejected for that reason. */
  first?: { text: string; action: ReactNode } | undefined;
  request: { isSuccess: boolean; isPending: boolean; error: Error | null };
  onSubmit: () => void;
};

/** Whether the link is used or invalid, so that the button cannot succeed. */
const isFinal = (error: Error | null) =>
  error instanceof ApiError && error.status < 500 && error.status !== 429;

/** Opening a mailed link changes nothing, since mail scanners open links too; the button does. */
function LinkPage({ request, onSubmit, next, first, ...texts }: LinkPageProps) {
  const { t, i18n } = useTranslation(["auth", "errors", "validation"]);
  const { isSuccess, isPending, error } = request;
  usePageTitle(texts.title);
  const final = isSuccess || isFinal(error);
  useEffect(() => {
    if (final) focusContent();
  }, [final]);
  const title = isSuccess ? texts.doneTitle : error && !first ? t("verify.failedTitle") : texts.title;
  const rejection = first?.text ?? (error && errorText(error, i18n.t));
  const text = isSuccess ? texts.doneText : (rejection ?? texts.text);
  return (
    <AuthLayout>
      <h1 className="text-2xl">{title}</h1>
      <p role="status" className="mt-2 mb-6 text-ink-soft">
        {text}
      </p>
      {isSuccess ? (
        next
      ) : isFinal(error) ? (
        (first?.action ?? <BackToSignIn />)
      ) : (
        <Button variant="primary" size="lg" className="w-full" loading={isPending} onClick={onSubmit}>
          {texts.submit}
        </Button>
      )}
    </AuthLayout>
  );
}

const BUTTON = buttonClass({ variant: "primary", size: "lg", className: "w-full" });

/** Where the link of the verification mail leads. A changed address leads through signing in, and back here. */
export function VerifyPage({ token }: { token: string }) {
  const { t } = useTranslation("auth");
  const verify = useVerify();
  const { error } = verify;
  const signInFirst = error instanceof ApiError && error.code === "confirm_signed_in";
  const signIn = (
    <AuthLink href={authPath({ next: `/verify/${token}` })} className={BUTTON}>
      {t("signIn")}
    </AuthLink>
  );
  return (
    <LinkPage
      title={t("verify.title")}
      text={t("verify.text")}
      submit={t("verify.submit")}
      doneTitle={t("verify.doneTitle")}
      doneText={t("verify.doneText")}
      next={
        <a href="/" className={BUTTON}>
          {t("verify.continue")}
        </a>
      }
      first={signInFirst ? { text: t("verify.signInFirst"), action: signIn } : undefined}
      request={verify}
      onSubmit={() => verify.mutate(token)}
    />
  );
}

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

/** Where the mail to an address leads that somebody else has entered in their account. */
export function ReleaseEmailPage({ token }: { token: string }) {
  const { t } = useTranslation("auth");
  const release = useReleaseEmail();
  return (
    <LinkPage
      title={t("releaseEmail.title")}
      text={t("releaseEmail.text")}
      submit={t("releaseEmail.submit")}
      doneTitle={t("releaseEmail.doneTitle")}
      doneText={t("releaseEmail.doneText")}
      next={<BackToSignIn />}
      request={release}
      onSubmit={() => release.mutate(token)}
    />
  );
}

/** Where the link leads that the operator has made for somebody who cannot sign in. */
export function SignInLinkPage({ token }: { token: string }) {
  const { t } = useTranslation("auth");
  const signIn = useSignInLink();
  return (
    <LinkPage
      title={t("signInLink.title")}
      text={t("signInLink.text")}
      submit={t("signIn")}
      doneTitle={t("signInLink.title")}
      doneText={t("signInLink.text")}
      next={null}
      request={signIn}
      onSubmit={() => signIn.mutate(token, { onSuccess: () => location.replace("/") })}
    />
  );
}
