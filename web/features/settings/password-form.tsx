import { valibotResolver } from "@hookform/resolvers/valibot";
import { useEffect } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/ui/button";
import { Field } from "../../components/ui/field";
import { PasswordInput } from "../../components/ui/password-input";
import { ApiError } from "../../lib/api";
import { showServerIssues, useFieldError } from "../../lib/form";
import { useChangePassword } from "./settings.queries";
import { isPasswordField, type PasswordValues, passwordSchema } from "./settings.schema";

const BLANK: PasswordValues = {
  currentPassword: "",
  newPassword: "",
  confirmPassword: "",
  revokeTokens: false,
};

type PasswordFormProps = {
  /** The account of the password, for password managers. */
  email: string;
  onDirty: (dirty: boolean) => void;
};

export function PasswordForm({ email, onDirty }: PasswordFormProps) {
  const { t } = useTranslation(["profile", "errors", "validation"]);
  const fieldError = useFieldError();
  const change = useChangePassword();
  const form = useForm({ resolver: valibotResolver(passwordSchema), defaultValues: BLANK });
  const { errors, dirtyFields } = form.formState;
  // The browser may have filled in the current password; leaving loses nothing then.
  const typed = Boolean(dirtyFields.newPassword || dirtyFields.confirmPassword);
  useEffect(() => onDirty(typed), [onDirty, typed]);
  const submit = form.handleSubmit((values) =>
    change.mutate(values, {
      onSuccess: () => form.reset(BLANK),
      onError: (error) => {
        showServerIssues(error, form.setError, isPasswordField);
        if (!(error instanceof ApiError) || error.code !== "wrong_password") return;
        form.setError("currentPassword", { type: "server", message: t("errors:wrong_password") });
        form.setFocus("currentPassword", { shouldSelect: true });
      },
    }),
  );
  const eye = { showLabel: t("password.show"), hideLabel: t("password.hide") };
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4 sm:max-w-sm">
      <input type="text" hidden readOnly autoComplete="username" value={email} />
      <Field label={t("password.current")} error={fieldError(errors.currentPassword)}>
        <PasswordInput {...eye} autoComplete="current-password" {...form.register("currentPassword")} />
      </Field>
      <Field label={t("password.new")} hint={t("password.newHint")} error={fieldError(errors.newPassword)}>
        <PasswordInput {...eye} autoComplete="new-password" {...form.register("newPassword")} />
      </Field>
      <Field label={t("password.confirm")} error={fieldError(errors.confirmPassword)}>
        <PasswordInput {...eye} autoComplete="new-password" {...form.register("confirmPassword")} />
      </Field>
      <label className="flex w-fit cursor-pointer items-start gap-2.5 text-sm">
        <input type="checkbox" className="mt-0.5 size-4 shrink-0" {...form.register("revokeTokens")} />
        {t("password.revokeTokens")}
      </label>
      <Button type="submit" loading={change.isPending} className="self-start">
        {t("password.submit")}
      </Button>
    </form>
  );
}
