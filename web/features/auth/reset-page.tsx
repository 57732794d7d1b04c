import { valibotResolver } from "@hookform/resolvers/valibot";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import type * as v from "valibot";
import { Button, buttonClass } from "../../components/ui/button";
import { Field } from "../../components/ui/field";
import { PasswordInput } from "../../components/ui/password-input";
import { focusContent } from "../../lib/focus";
import { useFieldError } from "../../lib/form";
import { usePageTitle } from "../../lib/use-page-title";
import { useResetPassword } from "./auth.queries";
import { resetSchema } from "./auth.schema";
import { AuthLayout } from "./auth-layout";
import { authPath } from "./auth-url";
import { BackToSignIn } from "./forgot-form";
import { AuthLink } from "./navigation";

/** Where the mailed one-use link leads. */
export function ResetPage({ token }: { token: string }) {
  const { t } = useTranslation("auth");
  const reset = useResetPassword();
  usePageTitle(t("reset.title"));
  if (reset.isSuccess) {
    return (
      <AuthLayout>
        <h1 className="text-2xl">{t("reset.doneTitle")}</h1>
        <p role="status" className="mt-2 mb-6 text-ink-soft">
          {t("reset.doneText")}
        </p>
        <AuthLink
          href={authPath()}
          className={buttonClass({ variant: "primary", size: "lg", className: "w-full" })}
        >
          {t("signIn")}
        </AuthLink>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout>
      <h1 className="text-2xl">{t("reset.title")}</h1>
      <p className="mt-2 mb-6 text-ink-soft">{t("reset.text")}</p>
      <NewPasswordForm
        pending={reset.isPending}
        onSubmit={({ newPassword, revokeTokens }) =>
          reset.mutate({ token, newPassword, revokeTokens }, { onSuccess: focusContent })
        }
      />
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

type NewPasswordFormProps = {
  pending: boolean;
  onSubmit: (values: v.InferOutput<typeof resetSchema>) => void;
};

function NewPasswordForm({ pending, onSubmit }: NewPasswordFormProps) {
  const { t } = useTranslation("auth");
  const fieldError = useFieldError();
  const form = useForm({
    resolver: valibotResolver(resetSchema),
    defaultValues: { newPassword: "", confirmPassword: "", revokeTokens: true },
  });
  const { errors } = form.formState;
  const eye = { showLabel: t("showPassword"), hideLabel: t("hidePassword"), autoComplete: "new-password" };
  return (
    <form noValidate onSubmit={form.handleSubmit(onSubmit)} className="flex flex-col gap-4">
      <Field label={t("reset.newPassword")} hint={t("passwordHint")} error={fieldError(errors.newPassword)}>
        <PasswordInput {...eye} {...form.register("newPassword")} />
      </Field>
      <Field label={t("reset.confirmPassword")} error={fieldError(errors.confirmPassword)}>
        <PasswordInput {...eye} {...form.register("confirmPassword")} />
      </Field>
      <label className="flex w-fit cursor-pointer items-center gap-2.5 text-sm">
        <input type="checkbox" className="size-4 shrink-0" {...form.register("revokeTokens")} />
        {t("reset.revokeTokens")}
      </label>
      <Button type="submit" variant="primary" size="lg" loading={pending} className="mt-2">
        {t("reset.submit")}
      </Button>
    </form>
  );
}
