import { ArrowLeft } from "lucide-react";
import { useTranslation } from "#translation";
import { Field } from "../../components/ui/field";
import { Input } from "../../components/ui/input";
import { focusContent } from "../../lib/focus";
import { useForgotPassword } from "./auth.queries";
import { Intro, SubmitButton } from "./auth-layout";
import { authPath } from "./auth-url";
import { AuthLink } from "./navigation";
import { useForm } from "./use-form";

/** Requests a password reset link. The response does not reveal whether the account exists. */
export function ForgotForm({ email, next }: { email: string; next: string | undefined }) {
  const { t } = useTranslation("auth");
  const send = useForgotPassword();
  const form = useForm(({ forgotSchema }) => forgotSchema);
  const sent = send.isSuccess;
  return (
    <>
      <Intro title={sent ? t("forgot.sentTitle") : t("forgot.title")}>
        {sent ? t("forgot.sentText", { email: send.variables }) : t("forgot.text")}
      </Intro>
      {!sent && (
        <form
          {...form.onValid((values) => send.mutate(values.email, { onSuccess: focusContent }))}
          className="flex flex-col gap-4"
        >
          <Field label={t("email")} error={form.error("email")}>
            <Input type="email" autoComplete="username" name="email" defaultValue={email} />
          </Field>
          <SubmitButton loading={form.checking || send.isPending}>{t("forgot.submit")}</SubmitButton>
        </form>
      )}
      <BackToSignIn next={next} />
    </>
  );
}

export function BackToSignIn({ next }: { next?: string | undefined }) {
  const { t } = useTranslation("auth");
  return (
    <AuthLink
      href={authPath({ next })}
      className="mt-6 inline-flex items-center gap-1.5 text-accent underline-offset-4 hover:underline"
    >
      <ArrowLeft aria-hidden className="size-4" />
      {t("backToSignIn")}
    </AuthLink>
  );
}
