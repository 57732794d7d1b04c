import { valibotResolver } from "@hookform/resolvers/valibot";
import { useEffect } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/ui/button";
import { Field } from "../../components/ui/field";
import { Input } from "../../components/ui/input";
import { PasswordInput } from "../../components/ui/password-input";
import { showServerIssues, useFieldError } from "../../lib/form";
import { type Credentials, type SecondStep, secondStepOf, useLogin, useRegister } from "./auth.queries";
import { loginSchema, registerSchema } from "./auth.schema";
import { authPath } from "./auth-url";
import { AuthLink } from "./navigation";

type CredentialsFormProps = {
  kind: "signIn" | "createAccount";
  /** Stored in the page, so that it survives a change of the tab. */
  email: string;
  onEmail: (email: string) => void;
  /** The page of the app to return to. */
  next: string | undefined;
  /** The credentials are right, but not enough. */
  onSecondStep?: (step: SecondStep) => void;
  /** Permits the first account of a server. */
  setupToken?: string;
};

const isField = (path: string): path is keyof Credentials => path === "email" || path === "password";

export function CredentialsForm(props: CredentialsFormProps) {
  const { kind, email, onEmail, next, onSecondStep, setupToken } = props;
  const { t } = useTranslation("auth");
  const fieldError = useFieldError();
  const login = useLogin();
  const register = useRegister();
  const isNew = kind === "createAccount";
  const send = isNew ? register : login;
  // The inputs are uncontrolled: they may have been filled before hydration.
  const form = useForm<Credentials>({ resolver: valibotResolver(isNew ? registerSchema : loginSchema) });
  const { errors } = form.formState;
  const submit = form.handleSubmit((credentials) =>
    send.mutate(setupToken === undefined ? credentials : { ...credentials, setupToken }, {
      onSuccess: () => location.replace(next ?? "/"),
      onError: (error) => {
        const step = secondStepOf(error);
        if (step) return onSecondStep?.(step);
        showServerIssues(error, form.setError, isField);
        form.setFocus("password");
      },
    }),
  );
  useEffect(() => onEmail(form.getValues("email")), [form, onEmail]);
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <Field label={t("email")} error={fieldError(errors.email)}>
        <Input
          type="email"
          autoComplete={isNew ? "username" : "username webauthn"}
          defaultValue={email}
          {...form.register("email", { onChange: (event) => onEmail(event.target.value) })}
        />
      </Field>
      <Field
        label={t("password")}
        hint={isNew ? t("passwordHint") : undefined}
        error={fieldError(errors.password)}
      >
        <PasswordInput
          showLabel={t("showPassword")}
          hideLabel={t("hidePassword")}
          autoComplete={isNew ? "new-password" : "current-password"}
          {...form.register("password")}
        />
      </Field>
      {!isNew && (
        // As tall as the other tab's hint, so that the button does not move.
        <AuthLink
          href={authPath({ next, mode: "forgot" })}
          className="-mt-2.5 self-start text-accent text-xs underline-offset-4 hover:underline"
        >
          {t("forgot.link")}
        </AuthLink>
      )}
      <Button
        type="submit"
        variant="primary"
        size="lg"
        loading={send.isPending || send.isSuccess}
        className="mt-2 w-full"
      >
        {t(kind)}
      </Button>
    </form>
  );
}
