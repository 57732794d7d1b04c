import { useMutation } from "@tanstack/react-query";
import { ArrowLeft } from "lucide-react";
import { useEffect } from "react";
import { useTranslation } from "#translation";
import { INVITATION_DAYS } from "../../../worker/contract/options";
import { Field } from "../../components/ui/field";
import { Input } from "../../components/ui/input";
import { api } from "../../lib/api";
import { focusContent } from "../../lib/focus";
import { pageLanguage, useForgotPassword } from "./auth.queries";
import { Intro, SubmitButton } from "./auth-layout";
import { authPath } from "./auth-url";
import { AuthLink } from "./navigation";
import { useForm } from "./use-form";

/** Requests a password reset link. The response does not reveal whether the account exists. */
export function ForgotForm({ email, next }: { email: string; next: string | undefined }) {
  const { t } = useTranslation("auth");
  const send = useForgotPassword();
  const sent = send.isSuccess;
  useEffect(() => {
    if (sent) focusContent();
  }, [sent]);
  return (
    <>
      <Intro title={sent ? t("forgot.sentTitle") : t("forgot.title")}>
        {sent ? t("forgot.sentText", { email: send.variables }) : t("forgot.text")}
      </Intro>
      {!sent && <AddressForm email={email} send={send} />}
      <BackToSignIn next={next} />
    </>
  );
}

const useRequestInvitation = () =>
  useMutation({
    mutationFn: (email: string) =>
      api.invitations.request.$post({ json: { email, language: pageLanguage() } }),
    meta: { failure: { title: "auth:forgot.failed" } },
  });

/** Requests a link to create an account, where the domain of the address decides. */
export function SignUpByMailForm({ email }: { email: string }) {
  const { t } = useTranslation("auth");
  const send = useRequestInvitation();
  if (send.isSuccess)
    return <p role="status">{t("signUpMailSent", { email: send.variables, count: INVITATION_DAYS })}</p>;
  return (
    <div className="flex flex-col gap-4">
      <p className="text-ink-soft">{t("signUpByMail")}</p>
      <AddressForm email={email} send={send} />
    </div>
  );
}

type AddressFormProps = {
  email: string;
  send: ReturnType<typeof useForgotPassword> | ReturnType<typeof useRequestInvitation>;
};

function AddressForm({ email, send }: AddressFormProps) {
  const { t } = useTranslation("auth");
  const form = useForm(({ forgotSchema }) => forgotSchema);
  return (
    <form {...form.onValid((values) => send.mutate(values.email))} className="flex flex-col gap-4">
      <Field label={t("email")} error={form.error("email")}>
        <Input type="email" autoComplete="username" name="email" defaultValue={email} />
      </Field>
      <SubmitButton loading={form.checking || send.isPending}>{t("forgot.submit")}</SubmitButton>
    </form>
  );
}

export function BackToSignIn({ next }: { next?: string | undefined }) {
  const { t } = useTranslation("auth");
  return (
    <AuthLink
      href={authPath({ next })}
      className="mt-6 flex w-fit items-center gap-1.5 text-accent underline-offset-4 hover:underline"
    >
      <ArrowLeft aria-hidden className="size-4" />
      {t("backToSignIn")}
    </AuthLink>
  );
}
