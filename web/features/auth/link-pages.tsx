import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "#translation";
import { Button, buttonClass } from "../../components/ui/button";
import { Spinner } from "../../components/ui/spinner";
import { ApiError } from "../../lib/api";
import { errorText } from "../../lib/error-text";
import { focusContent } from "../../lib/focus";
import { usePageTitle } from "../../lib/use-page-title";
import {
  type LinkAction,
  sessionQuery,
  unsubscriptionQuery,
  useLinkAction,
  useResetPassword,
  useUnsubscribe,
} from "./auth.queries";
import { ACTION, AuthLayout, Intro, SubmitButton } from "./auth-layout";
import { authPath } from "./auth-url";
import { CredentialsForm, PasswordField } from "./credentials-form";
import { BackToSignIn } from "./forgot-form";
import { AuthLink } from "./navigation";
import { useForm } from "./use-form";

type LinkPageProps = {
  title: string;
  text: string;
  /** The label of the button that performs the link's action. */
  submit: string;
  doneTitle: string;
  doneText: string;
  next: ReactNode;
  /** What to do before the link can be used, once the request has been rejected for that reason. */
  first?: { text: string; action: ReactNode } | undefined;
  request: { isSuccess: boolean; isPending: boolean; error: Error | null };
  onSubmit: () => void;
};

/** Whether the link is used or invalid, so that the button cannot succeed. */
const isFinal = (error: Error | null) =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;

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
function useLinkTexts(page: Exclude<LinkAction, "signInLink">) {
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
  const verify = useLinkAction("verify");
  const { error } = verify;
  // A link that is used elsewhere verifies the address without proving that its owner has the account.
  const { data: session } = useQuery(sessionQuery);
  const provesNothing = session?.signedIn === false;
  const signInFirst = error instanceof ApiError && error.code === "confirm_signed_in";
  const signIn = (
    <AuthLink href={authPath({ next: `/verify/${token}` })} className={buttonClass(ACTION)}>
      {t("signIn")}
    </AuthLink>
  );
  return (
    <LinkPage
      {...useLinkTexts("verify")}
      {...(provesNothing && { doneText: t("verify.doneSignIn") })}
      next={
        provesNothing ? (
          signIn
        ) : (
          <a href="/" className={buttonClass(ACTION)}>
            {t("verify.continue")}
          </a>
        )
      }
      first={signInFirst ? { text: t("verify.signInFirst"), action: signIn } : undefined}
      request={verify}
      onSubmit={() => verify.mutate(token)}
    />
  );
}

type LinkProps = { token: string };

/** A page whose button does one thing, after which one signs in. */
function PageBeforeSignIn({ name, token }: LinkProps & { name: Exclude<LinkAction, "signInLink"> }) {
  const request = useLinkAction(name);
  const next = <BackToSignIn />;
  return (
    <LinkPage {...useLinkTexts(name)} next={next} request={request} onSubmit={() => request.mutate(token)} />
  );
}

/** "This wasn't me": where the mail to an account's old address leads. */
export const RevertEmailPage = (props: LinkProps) => <PageBeforeSignIn name="revertEmail" {...props} />;

/** "This wasn't me": where the mail to an owner leads who was removed or demoted. */
export const RestoreOwnerPage = (props: LinkProps) => <PageBeforeSignIn name="restoreOwner" {...props} />;

/** Where the mail to an address leads that somebody else has entered in their account. */
export const ReleaseEmailPage = (props: LinkProps) => <PageBeforeSignIn name="releaseEmail" {...props} />;

/** Where the link leads that the operator has made for somebody who cannot sign in. */
export function SignInLinkPage({ token }: { token: string }) {
  const { t } = useTranslation("auth");
  const signIn = useLinkAction("signInLink");
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

/**
 * The page of the setup link: creates the first account of a server, which is its administrator. Once there is one, the
 * form would create an ordinary account.
 */
export function SetupPage({ token }: { token: string }) {
  const { t } = useTranslation("auth");
  const [email, setEmail] = useState("");
  const { data, isPending } = useQuery(sessionQuery);
  const isOver = data !== undefined && data.signUp !== "setup";
  usePageTitle(t("setup.title"));
  return (
    <AuthLayout>
      <Intro title={t("setup.title")}>{isOver ? t("setup.over") : t("setup.text")}</Intro>
      {isPending && <Spinner />}
      {data?.otherBackups && (
        <p role="alert" className="mb-6 rounded-card bg-warn-soft p-4">
          {t("setup.otherBackups")}
        </p>
      )}
      {!isPending && !isOver && (
        <CredentialsForm
          kind="createAccount"
          email={email}
          onEmail={setEmail}
          next={undefined}
          setupToken={token}
        />
      )}
      <BackToSignIn />
    </AuthLayout>
  );
}

/** The link in a mail to a recipient: its button, and not opening it, stops the mails of the sender. */
export function UnsubscribePage({ token }: { token: string }) {
  const { t, i18n } = useTranslation(["auth", "errors", "validation"]);
  const { data, error } = useQuery(unsubscriptionQuery(token));
  const change = useUnsubscribe(token);
  usePageTitle(t("unsubscribe.title"));
  const isStopped = Boolean(data?.unsubscribedAt);
  const failure = error ?? change.error;
  const title = isStopped ? "done" : change.isSuccess ? "allowed" : undefined;
  const sender = data ? nameOf(data.sender) : "";
  return (
    <AuthLayout brand={data || error ? (data?.brandName ?? null) : ""}>
      <Intro
        title={error ? t("verify.failedTitle") : t(title ? `unsubscribe.${title}Title` : "unsubscribe.title")}
      >
        {failure
          ? isGone(failure)
            ? t("unsubscribe.gone")
            : errorText(failure, i18n.t)
          : data && t(title ? `unsubscribe.${title}Text` : "unsubscribe.text", { sender })}
      </Intro>
      {!data && !error && <Spinner />}
      {data && (
        <Button
          {...ACTION}
          variant={isStopped ? "secondary" : "primary"}
          loading={change.isPending}
          onClick={() => change.mutate(!isStopped)}
        >
          {t(isStopped ? "unsubscribe.allow" : "unsubscribe.submit")}
        </Button>
      )}
    </AuthLayout>
  );
}

const isGone = (error: unknown) => error instanceof ApiError && error.code === "invalid_token";

type Sender = Record<"firstName" | "lastName" | "companyName", string | null> & { email: string };

/** Name or company with the address, as the mails name the sender. */
function nameOf({ firstName, lastName, companyName, email }: Sender): string {
  const name = [firstName, lastName].filter(Boolean).join(" ") || companyName;
  return name ? `${name} (${email})` : email;
}

/** Where the mailed one-use link leads. */
export function ResetPage({ token }: { token: string }) {
  const { t } = useTranslation("auth");
  const reset = useResetPassword();
  const form = useForm((schemas) => schemas.resetSchema);
  usePageTitle(t("reset.title"));
  if (reset.isSuccess) {
    return (
      <AuthLayout>
        <Intro title={t("reset.doneTitle")}>{t("reset.doneText")}</Intro>
        <AuthLink href={authPath()} className={buttonClass(ACTION)}>
          {t("signIn")}
        </AuthLink>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout>
      <h1 className="text-2xl">{t("reset.title")}</h1>
      <p className="mt-2 mb-6 text-ink-soft">{t("reset.text")}</p>
      <form
        {...form.onValid(({ newPassword, revokeTokens }) =>
          reset.mutate({ token, newPassword, revokeTokens }, { onSuccess: focusContent }),
        )}
        className="flex flex-col gap-4"
      >
        <PasswordField
          name="newPassword"
          label={t("reset.newPassword")}
          isNew
          hint={t("passwordHint")}
          error={form.error("newPassword")}
        />
        <PasswordField
          name="confirmPassword"
          label={t("reset.confirmPassword")}
          isNew
          error={form.error("confirmPassword")}
        />
        <label className="flex w-fit cursor-pointer items-start gap-2.5 text-sm">
          <input type="checkbox" name="revokeTokens" defaultChecked className="mt-0.5 size-4 shrink-0" />
          {t("reset.revokeTokens")}
        </label>
        <SubmitButton loading={form.checking || reset.isPending}>{t("reset.submit")}</SubmitButton>
      </form>
      {reset.isError && (
        <AuthLink
          href={authPath({ mode: "forgot" })}
          className="mt-4 block text-accent underline-offset-4 hover:underline"
        >
          {t("reset.newLink")}
        </AuthLink>
      )}
      <BackToSignIn />
    </AuthLayout>
  );
}
