import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "#translation";
import type { InvitationLink } from "../../../worker/contract/administration";
import { Button, buttonClass } from "../../components/ui/button";
import { Field } from "../../components/ui/field";
import { Input } from "../../components/ui/input";
import { Spinner } from "../../components/ui/spinner";
import { ApiError } from "../../lib/api";
import { errorText } from "../../lib/error-text";
import { useShownName } from "../../lib/shown-name";
import { usePageTitle } from "../../lib/use-page-title";
import { useJoinWorkspace } from "../workspaces/workspaces.queries";
import {
  invitationQuery,
  sessionQuery,
  useAcceptInvitation,
  useLogin,
  useLogout,
  userQuery,
} from "./auth.queries";
import { ACTION, AuthLayout, SubmitButton } from "./auth-layout";
import { authPath } from "./auth-url";
import { PasswordField } from "./credentials-form";
import { BackToSignIn } from "./forgot-form";
import { AuthLink } from "./navigation";
import { Providers } from "./providers";
import { useForm } from "./use-form";

/** The page of an invitation's link: to the instance, or to a workspace. */
export function InvitePage({ token }: { token: string }) {
  const { t, i18n } = useTranslation(["auth", "common", "errors", "validation"]);
  const { data: invitation, error } = useQuery(invitationQuery(token));
  const { data: session } = useQuery(sessionQuery);
  const signedIn = session?.signedIn === true;
  const { data: user } = useQuery({ ...userQuery, enabled: signedIn });
  const shown = useShownName();
  const title = invitation?.workspace
    ? t("invite.joinTitle", { workspace: shown(invitation.workspace.name) })
    : t("invite.title");
  const isOver = error instanceof ApiError && error.code === "invalid_token";
  const loading = !error && (!invitation || !session || (signedIn && user === undefined));
  usePageTitle(title);
  return (
    <AuthLayout>
      <h1 className="text-2xl [overflow-wrap:anywhere]">{error ? t("verify.failedTitle") : title}</h1>
      <div role="status" className="mt-2 mb-6 text-ink-soft [overflow-wrap:anywhere]">
        {error ? (
          <p>{isOver ? t("invite.over") : errorText(error, i18n.t)}</p>
        ) : (
          invitation && !loading && <Explanation invitation={invitation} email={user?.email} />
        )}
      </div>
      {loading && <Spinner />}
      {invitation && !loading && <Answer token={token} invitation={invitation} email={user?.email} />}
      {error &&
        (signedIn ? (
          <a href="/" className={buttonClass(ACTION)}>
            {t("verify.continue")}
          </a>
        ) : (
          <BackToSignIn />
        ))}
    </AuthLayout>
  );
}

type InvitationProps = {
  invitation: InvitationLink;
  /** Of the account that is signed in. */
  email: string | undefined;
};

/** Who invites to what, as what, and what to do. */
function Explanation({ invitation, email }: InvitationProps) {
  const { t } = useTranslation(["auth", "common"]);
  const shown = useShownName();
  const { workspace, role, invitedBy, hasAccount } = invitation;
  if (!workspace || !role) return <p>{t("invite.text")}</p>;
  const name = [invitedBy?.firstName, invitedBy?.lastName].filter(Boolean).join(" ");
  const company = invitedBy?.companyName;
  const inviter = name && company ? `${name} (${company})` : name || company;
  const facts = { workspace: shown(workspace.name), role: t(`common:roles.${role}`) };
  const step =
    email === undefined ? (
      t(hasAccount ? "invite.signInText" : "invite.text")
    ) : email === invitation.email ? (
      t("invite.signedIn", { email })
    ) : (
      <span className="text-warn">{t("invite.otherAccount", { email, invited: invitation.email })}</span>
    );
  return (
    <>
      <p className="text-ink">
        {inviter ? t("invite.invitedBy", { inviter, ...facts }) : t("invite.invited", facts)}
      </p>
      <p className="mt-1 text-xs">{t(`common:roleTexts.${role}`)}</p>
      <p className="mt-3">{step}</p>
    </>
  );
}

/** The form or button that accepts the invitation. */
function Answer({ token, invitation, email }: InvitationProps & { token: string }) {
  const { t } = useTranslation("auth");
  const join = useJoinWorkspace();
  const logout = useLogout();
  if (!invitation.workspace)
    return (
      <>
        <AccountForm token={token} email={invitation.email} />
        <Providers />
        <BackToSignIn />
      </>
    );
  if (email === undefined && invitation.hasAccount)
    return <SignInForm token={token} email={invitation.email} />;
  if (email === undefined) return <AccountForm token={token} email={invitation.email} />;
  if (email === invitation.email)
    return (
      <Button
        {...ACTION}
        loading={join.isPending || join.isSuccess}
        onClick={() => join.mutate(token, { onSuccess: () => location.replace("/") })}
      >
        {t("invite.join")}
      </Button>
    );
  // Signed in as someone else: signs out, and shows the invitation again.
  return (
    <Button
      {...ACTION}
      loading={logout.isPending || logout.isSuccess}
      onClick={() => logout.mutate(undefined, { onSuccess: () => location.reload() })}
    >
      {t("invite.signOut")}
    </Button>
  );
}

type AnswerFormProps = { token: string; email: string };

/** Creates the account. */
function AccountForm({ token, email }: AnswerFormProps) {
  const { t } = useTranslation("auth");
  const accept = useAcceptInvitation();
  return (
    <PasswordForm
      email={email}
      isNew
      submitLabel={t("createAccount")}
      pending={accept.isPending || accept.isSuccess}
      onSubmit={(password) => accept.mutate({ token, password }, { onSuccess: () => location.replace("/") })}
    />
  );
}

/** Signs in to the account of the address, and joins. */
function SignInForm({ token, email }: AnswerFormProps) {
  const { t } = useTranslation("auth");
  const client = useQueryClient();
  const login = useLogin();
  const join = useJoinWorkspace();
  const submit = (password: string) =>
    login.mutate(
      { email, password },
      {
        onSuccess: () =>
          join.mutate(token, {
            onSuccess: () => location.replace("/"),
            // Signed in by now: the page shows what is left to do.
            onError: () => client.invalidateQueries(),
          }),
      },
    );
  return (
    <>
      <PasswordForm
        email={email}
        submitLabel={t("invite.signIn")}
        pending={login.isPending || join.isPending || join.isSuccess}
        onSubmit={submit}
      />
      <AuthLink
        href={authPath({ next: `/invite/${token}`, mode: "forgot" })}
        className="mt-4 inline-block text-accent underline-offset-4 hover:underline"
      >
        {t("forgot.link")}
      </AuthLink>
      <Providers next={`/invite/${token}`} />
    </>
  );
}

type PasswordFormProps = {
  email: string;
  /** Whether the password is chosen here. */
  isNew?: boolean;
  submitLabel: string;
  pending: boolean;
  onSubmit: (password: string) => void;
};

/** The invited address, which cannot be changed, and a password. */
function PasswordForm({ email, isNew = false, submitLabel, pending, onSubmit }: PasswordFormProps) {
  const { t } = useTranslation("auth");
  const form = useForm((schemas) => (isNew ? schemas.newPasswordSchema : schemas.passwordSchema));
  return (
    <form {...form.onValid(({ password }) => onSubmit(password))} className="flex flex-col gap-4">
      <Field label={t("email")} hint={t("invite.emailHint")}>
        <Input type="email" autoComplete="username" readOnly value={email} />
      </Field>
      <PasswordField
        name="password"
        label={t("password")}
        isNew={isNew}
        hint={isNew ? t("passwordHint") : undefined}
        error={form.error("password")}
      />
      <SubmitButton loading={form.checking || pending}>{submitLabel}</SubmitButton>
    </form>
  );
}
