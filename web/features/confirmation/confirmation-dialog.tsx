import { valibotResolver } from "@hookform/resolvers/valibot";
import { useMutation, useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useEffect, useId, useState } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import * as v from "valibot";
import { LIMITS } from "../../../worker/contract/limits";
import type { ConfirmationMethod } from "../../../worker/contract/options";
import { Button } from "../../components/ui/button";
import { Dialog } from "../../components/ui/dialog";
import { Field } from "../../components/ui/field";
import { Input } from "../../components/ui/input";
import { PasskeyFailure } from "../../components/ui/passkey-failure";
import { PasswordInput } from "../../components/ui/password-input";
import { api } from "../../lib/api";
import { errorText } from "../../lib/error-text";
import { messageKey, requiredText, textAsTyped, useFieldError } from "../../lib/form";
import { useCloseOnBack } from "../../lib/use-close-on-back";
import { hasWebAuthn } from "../../lib/webauthn";
import { passkeyOptionsQuery, usePasskey, userQuery } from "../auth/auth.queries";

/** The easiest first. */
const ORDER = ["password", "totp", "mail", "recovery_code"] as const satisfies ConfirmationMethod[];
type TypedMethod = (typeof ORDER)[number];

const FIELDS = {
  password: { label: "password", key: "password" },
  totp: { label: "code", key: "code" },
  mail: { label: "mailedCode", key: "code" },
  recovery_code: { label: "recoveryCode", key: "recoveryCode" },
} as const;

type ConfirmationDialogProps = {
  methods: readonly ConfirmationMethod[];
  onAnswer: (confirmed: boolean) => void;
};

/** Asks somebody who signed in a while ago to confirm that it is still them. */
export default function ConfirmationDialog({ methods, onAnswer }: ConfirmationDialogProps) {
  const { t } = useTranslation(["confirmation", "common"]);
  const formId = useId();
  const typed = ORDER.filter((method) => methods.includes(method));
  const [method, setMethod] = useState(typed[0] ?? "password");
  const [pending, setPending] = useState(false);
  const passkey = usePasskey((used) => api.reauthenticate.$post({ json: { passkey: used } }));
  const byPasskey = methods.includes("passkey") && hasWebAuthn();
  useQuery({ ...passkeyOptionsQuery, enabled: byPasskey });
  useCloseOnBack(true, () => onAnswer(false));
  return (
    <Dialog
      nested
      width="sm"
      focus="field"
      title={t("title")}
      description={t("text")}
      onClose={() => onAnswer(false)}
      footer={
        <>
          <Button onClick={() => onAnswer(false)}>{t("common:cancel")}</Button>
          {typed.length > 0 && (
            <Button type="submit" form={formId} variant="primary" loading={pending}>
              {t("submit")}
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {byPasskey && (
          <>
            <Button
              loading={passkey.isPending}
              onClick={() => passkey.mutate(undefined, { onSuccess: () => onAnswer(true) })}
            >
              <KeyRound aria-hidden />
              {t("use.passkey")}
            </Button>
            <PasskeyFailure error={passkey.error} />
          </>
        )}
        {typed.length > 0 && (
          <ConfirmationForm
            key={method}
            id={formId}
            method={method}
            onPending={setPending}
            onDone={() => onAnswer(true)}
          />
        )}
        {typed
          .filter((other) => other !== method)
          .map((other) => (
            <Button key={other} onClick={() => setMethod(other)}>
              {t(`use.${other}`)}
            </Button>
          ))}
      </div>
    </Dialog>
  );
}

const passwordSchema = v.object({
  value: textAsTyped(messageKey("passwordRequired"), LIMITS.passwordMax),
});
const codeSchema = v.object({ value: requiredText(messageKey("codeRequired"), LIMITS.code) });

type FormProps = {
  id: string;
  method: TypedMethod;
  onPending: (pending: boolean) => void;
  onDone: () => void;
};

function ConfirmationForm({ id, method, onPending, onDone }: FormProps) {
  const { t, i18n } = useTranslation(["confirmation", "common", "errors", "validation"]);
  const { data: user } = useQuery(userQuery);
  const fieldError = useFieldError();
  // The field shows the failure.
  const confirm = useMutation({
    mutationFn: (json: Confirmation) => api.reauthenticate.$post({ json }),
  });
  const isPassword = method === "password";
  const form = useForm({
    resolver: valibotResolver(isPassword ? passwordSchema : codeSchema),
    defaultValues: { value: "" },
  });
  const { label, key } = FIELDS[method];
  const submit = form.handleSubmit(({ value }) =>
    confirm.mutate(
      { [key]: value },
      {
        onSuccess: onDone,
        onError: (error) => {
          form.setError("value", { type: "server", message: errorText(error, i18n.t) });
          form.setFocus("value", { shouldSelect: true });
        },
      },
    ),
  );
  const { isPending } = confirm;
  useEffect(() => onPending(isPending), [isPending, onPending]);
  const email = user?.confirmedEmail ?? user?.email ?? "";
  return (
    <>
      {method === "mail" && <MailCode email={email} />}
      <form id={id} noValidate onSubmit={submit}>
        <input type="text" hidden readOnly autoComplete="username" value={email} />
        <Field label={t(label)} error={fieldError(form.formState.errors.value)}>
          {isPassword ? (
            <PasswordInput
              autoFocus
              autoComplete="current-password"
              showLabel={t("show")}
              hideLabel={t("hide")}
              {...form.register("value")}
            />
          ) : (
            <Input
              autoFocus={method !== "mail"}
              autoComplete={method === "recovery_code" ? "off" : "one-time-code"}
              inputMode={method === "recovery_code" ? "text" : "numeric"}
              maxLength={LIMITS.code}
              className="max-w-48"
              {...form.register("value")}
            />
          )}
        </Field>
      </form>
    </>
  );
}

function MailCode({ email }: { email: string }) {
  const { t, i18n } = useTranslation(["confirmation", "common", "errors", "validation"]);
  const send = useMutation({ mutationFn: () => api.reauthenticate.mail.$post() });
  return (
    <div className="flex flex-col items-start gap-3">
      <p role="status" className="break-words text-ink-soft">
        {send.isSuccess ? t("mailSent", { email }) : t("mailText", { email })}
      </p>
      {send.error && (
        <p role="alert" className="text-bad">
          {errorText(send.error, i18n.t)}
        </p>
      )}
      <Button loading={send.isPending} onClick={() => send.mutate()}>
        {t(send.isSuccess ? "mailAgain" : "mailSend")}
      </Button>
    </div>
  );
}

type Confirmation = Parameters<typeof api.reauthenticate.$post>[0]["json"];
