import { valibotResolver } from "@hookform/resolvers/valibot";
import { useQuery } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/ui/button";
import { Field } from "../../components/ui/field";
import { Input } from "../../components/ui/input";
import { PasswordInput } from "../../components/ui/password-input";
import { Spinner } from "../../components/ui/spinner";
import { errorText } from "../../lib/error-text";
import { useFieldError } from "../../lib/use-field-error";
import { usePageTitle } from "../../lib/use-page-title";
import { invitationQuery, useAcceptInvitation } from "./auth.queries";
import { newPasswordSchema } from "./auth.schemas";
import { AuthLayout } from "./auth-layout";
import { BackToSignIn } from "./forgot-form";
import { Providers } from "./providers";

/** The page of an invitation's link: creates an account with the invited address. */
export function InvitePage({ token }: { token: string }) {
  const { t, i18n } = useTranslation(["auth", "common", "errors", "validation"]);
  const { data, error } = useQuery(invitationQuery(token));
  usePageTitle(t("invite.title"));
  return (
    <AuthLayout>
      <h1 className="text-2xl">{error ? t("verify.failedTitle") : t("invite.title")}</h1>
      <p role="status" className="mt-2 mb-6 text-ink-soft">
        {error ? errorText(error, i18n.t) : t("invite.text")}
      </p>
      {data && <AcceptForm token={token} email={data.email} />}
      {data && <Providers />}
      {!data && !error && <Spinner />}
      <BackToSignIn />
    </AuthLayout>
  );
}

function AcceptForm({ token, email }: { token: string; email: string }) {
  const { t } = useTranslation("auth");
  const fieldError = useFieldError();
  const accept = useAcceptInvitation();
  const form = useForm({ resolver: valibotResolver(newPasswordSchema), defaultValues: { password: "" } });
  const submit = form.handleSubmit(({ password }) =>
    accept.mutate({ token, password }, { onSuccess: () => location.replace("/") }),
  );
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <Field label={t("email")} hint={t("invite.emailHint")}>
        <Input type="email" autoComplete="username" readOnly value={email} />
      </Field>
      <Field
        label={t("password")}
        hint={t("passwordHint")}
        error={fieldError(form.formState.errors.password)}
      >
        <PasswordInput
          showLabel={t("showPassword")}
          hideLabel={t("hidePassword")}
          autoComplete="new-password"
          {...form.register("password")}
        />
      </Field>
      <Button
        type="submit"
        variant="primary"
        size="lg"
        loading={accept.isPending || accept.isSuccess}
        className="mt-2 w-full"
      >
        {t("createAccount")}
      </Button>
    </form>
  );
}
