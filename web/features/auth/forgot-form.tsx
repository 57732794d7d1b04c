import { valibotResolver } from "@hookform/resolvers/valibot";
import { ArrowLeft } from "lucide-react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/ui/button";
import { Field } from "../../components/ui/field";
import { Input } from "../../components/ui/input";
import { focusContent } from "../../lib/focus";
import { useFieldError } from "../../lib/form";
import { useForgotPassword } from "./auth.queries";
import { forgotSchema } from "./auth.schema";
import { authPath } from "./auth-url";
import { AuthLink } from "./navigation";

/** Requests a password reset link. The response does not reveal whether the account exists. */
export function ForgotForm({ email, next }: { email: string; next: string | undefined }) {
  const { t } = useTranslation("auth");
  const fieldError = useFieldError();
  const send = useForgotPassword();
  const form = useForm({ resolver: valibotResolver(forgotSchema), defaultValues: { email } });
  const sent = send.isSuccess;
  return (
    <>
      <h1 className="text-2xl">{sent ? t("forgot.sentTitle") : t("forgot.title")}</h1>
      <p role="status" className="mt-2 mb-6 break-words text-ink-soft">
        {sent ? t("forgot.sentText", { email: send.variables }) : t("forgot.text")}
      </p>
      {!sent && (
        <form
          noValidate
          onSubmit={form.handleSubmit((values) => send.mutate(values.email, { onSuccess: focusContent }))}
          className="flex flex-col gap-4"
        >
          <Field label={t("email")} error={fieldError(form.formState.errors.email)}>
            <Input type="email" autoComplete="username" {...form.register("email")} />
          </Field>
          <Button type="submit" variant="primary" size="lg" loading={send.isPending} className="mt-2">
            {t("forgot.submit")}
          </Button>
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
