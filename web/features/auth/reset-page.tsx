import type * as v from "valibot";
import { useTranslation } from "#translation";
import { buttonClass } from "../../components/ui/button";
import { focusContent } from "../../lib/focus";
import { usePageTitle } from "../../lib/use-page-title";
import { useResetPassword } from "./auth.queries";
import type { resetSchema } from "./auth.schema";
import { ACTION, AuthLayout, Intro, SubmitButton } from "./auth-layout";
import { authPath } from "./auth-url";
import { PasswordField } from "./credentials-form";
import { BackToSignIn } from "./forgot-form";
import { AuthLink } from "./navigation";
import { useForm } from "./use-form";

/** Where the mailed one-use link leads. */
export function ResetPage({ token }: { token: string }) {
  const { t } = useTranslation("auth");
  const reset = useResetPassword();
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
  const form = useForm((schemas) => schemas.resetSchema);
  return (
    <form {...form.onValid(onSubmit)} className="flex flex-col gap-4">
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
      <label className="flex w-fit cursor-pointer items-center gap-2.5 text-sm">
        <input type="checkbox" name="revokeTokens" defaultChecked className="size-4 shrink-0" />
        {t("reset.revokeTokens")}
      </label>
      <SubmitButton loading={form.checking || pending}>{t("reset.submit")}</SubmitButton>
    </form>
  );
}
