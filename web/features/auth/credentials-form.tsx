import { useEffect, useRef } from "react";
import { useTranslation } from "#translation";
import { Field } from "../../components/ui/field";
import { Input } from "../../components/ui/input";
import { PasswordInput } from "../../components/ui/password-input";
import { type SecondStep, secondStepOf, useLogin, useRegister } from "./auth.queries";
import { SubmitButton } from "./auth-layout";
import { authPath } from "./auth-url";
import { AuthLink } from "./navigation";
import { useForm } from "./use-form";

type CredentialsFormProps = {
  kind: "signIn" | "createAccount";
  /** Stored in the page, so that it survives a change of the tab. */
  email: string;
  onEmail: (email: string) => void;
  next: string | undefined;
  /** The credentials are right, but not enough. */
  onSecondStep?: (step: SecondStep) => void;
  /** Permits the first account of a server. */
  setupToken?: string;
};

export function CredentialsForm(props: CredentialsFormProps) {
  const { kind, email, onEmail, next, onSecondStep, setupToken } = props;
  const { t } = useTranslation("auth");
  const login = useLogin();
  const register = useRegister();
  const isNew = kind === "createAccount";
  const send = isNew ? register : login;
  const form = useForm(({ loginSchema, registerSchema }) => (isNew ? registerSchema : loginSchema));
  const attributes = form.onValid((credentials) =>
    send.mutate(setupToken === undefined ? credentials : { ...credentials, setupToken }, {
      onSuccess: () => location.replace(next ?? "/"),
      onError: (error) => {
        const step = secondStepOf(error);
        if (step) return onSecondStep?.(step);
        form.showServerIssues(error);
        form.focus("password");
      },
    }),
  );
  // It may have been filled before hydration.
  const initial = useRef(form);
  useEffect(() => onEmail(initial.current.value("email")), [onEmail]);
  return (
    <form {...attributes} className="flex flex-col gap-4">
      <Field label={t("email")} error={form.error("email")}>
        <Input
          type="email"
          autoComplete={isNew ? "username" : "username webauthn"}
          name="email"
          defaultValue={email}
          onChange={({ target }) => onEmail(target.value)}
        />
      </Field>
      <PasswordField
        name="password"
        label={t("password")}
        isNew={isNew}
        hint={isNew ? t("passwordHint") : undefined}
        error={form.error("password")}
      />
      {!isNew && (
        // As tall as the other tab's hint, so that the button does not move.
        <AuthLink
          href={authPath({ next, mode: "forgot" })}
          className="-mt-2.5 touch:-my-3 self-start touch:py-3 text-accent text-xs underline-offset-4 hover:underline"
        >
          {t("forgot.link")}
        </AuthLink>
      )}
      <SubmitButton loading={form.checking || send.isPending || send.isSuccess}>{t(kind)}</SubmitButton>
    </form>
  );
}

type PasswordFieldProps = {
  name: string;
  label: string;
  /** Chosen here, instead of one that exists. */
  isNew: boolean;
  hint?: string | undefined;
  error: string | undefined;
};

export function PasswordField({ name, isNew, ...field }: PasswordFieldProps) {
  const { t } = useTranslation("auth");
  return (
    <Field {...field}>
      <PasswordInput
        showLabel={t("showPassword")}
        hideLabel={t("hidePassword")}
        autoComplete={isNew ? "new-password" : "current-password"}
        name={name}
      />
    </Field>
  );
}
