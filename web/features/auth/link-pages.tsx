import { type ReactNode, useEffect } from "react";
import { useTranslation } from "#translation";
import { Button, buttonClass } from "../../components/ui/button";
import { ApiError } from "../../lib/api";
import { errorText } from "../../lib/error-text";
import { focusContent } from "../../lib/focus";
import { usePageTitle } from "../../lib/use-page-title";
import { useReleaseEmail, useRevertEmail, useSignInLink, useVerify } from "./auth.queries";
import { ACTION, AuthLayout, Intro } from "./auth-layout";
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
      <Intro title={title}>{text}</Intro>
      {isSuccess ? (
        next
      ) : isFinal(error) ? (
        (first?.action ?? <BackToSignIn />)
      ) : (
        <Button {...ACTION} loading={isPending} onClick={onSubmit}>
          {texts.submit}
        </Button>
      )}
    </AuthLayout>
  );
}

/** The texts of a page that says what its button does, and what it has done. */
function useLinkTexts(page: "verify" | "revertEmail" | "releaseEmail") {
  const { t } = useTranslation("auth");
  return {
    title: t(`${page}.title`),
    text: t(`${page}.text`),
    submit: t(`${page}.submit`),
    doneTitle: t(`${page}.doneTitle`),
    doneText: t(`${page}.doneText`),
  };
}

/** Where the link of the verification mail leads. A changed address leads through signing in, and back here. */
export function VerifyPage({ token }: { token: string }) {
  const { t } = useTranslation("auth");
  const verify = useVerify();
  const { error } = verify;
  const signInFirst = error instanceof ApiError && error.code === "confirm_signed_in";
  const signIn = (
    <AuthLink href={authPath({ next: `/verify/${token}` })} className={buttonClass(ACTION)}>
      {t("signIn")}
    </AuthLink>
  );
  return (
    <LinkPage
      {...useLinkTexts("verify")}
      next={
        <a href="/" className={buttonClass(ACTION)}>
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
  const revert = useRevertEmail();
  return (
    <LinkPage
      {...useLinkTexts("revertEmail")}
      next={<BackToSignIn />}
      request={revert}
      onSubmit={() => revert.mutate(token)}
    />
  );
}

/** Where the mail to an address leads that somebody else has entered in their account. */
export function ReleaseEmailPage({ token }: { token: string }) {
  const release = useReleaseEmail();
  return (
    <LinkPage
      {...useLinkTexts("releaseEmail")}
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
