import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "#translation";
import { LIMITS } from "../../../worker/contract/limits";
import { REMEMBERED_DAYS } from "../../../worker/contract/options";
import { Button } from "../../components/ui/button";
import { Field } from "../../components/ui/field";
import { Input } from "../../components/ui/input";
import { PasskeyFailure } from "../../components/ui/passkey-failure";
import { errorText } from "../../lib/error-text";
import { hasWebAuthn } from "../../lib/webauthn";
import {
  isStepEnded,
  passkeyOptionsQuery,
  type SecondStep,
  usePasskeyFactor,
  useSecondFactor,
} from "./auth.queries";
import { Intro, SubmitButton } from "./auth-layout";
import { useForm } from "./use-form";

const TYPED = ["totp", "recovery_code"] as const;

type SecondStepFormProps = {
  step: SecondStep;
  next: string | undefined;
  /** Back to the first step: on request, or because this one has ended. */
  onBack: () => void;
};

/** The second step of signing in, instead of the form of the first one. */
export function SecondStepForm({ step, next, onBack }: SecondStepFormProps) {
  const { t, i18n } = useTranslation(["auth", "common", "errors", "validation"]);
  const typed = TYPED.filter((method) => step.methods.includes(method));
  const [method, setMethod] = useState(typed[0] ?? "totp");
  const send = useSecondFactor();
  const passkey = usePasskeyFactor(step.challenge);
  const takesPasskey = step.methods.includes("passkey") && hasWebAuthn();
  useQuery({ ...passkeyOptionsQuery, enabled: takesPasskey });
  const form = useForm(({ secondStepSchema }) => secondStepSchema);
  const attributes = form.onValid(({ code, remember }) =>
    send.mutate(
      { challenge: step.challenge, remember, ...(method === "totp" ? { code } : { recoveryCode: code }) },
      {
        onSuccess: () => location.replace(next ?? "/"),
        onError: (error) => {
          if (isStepEnded(error)) return onBack();
          form.setError("code", errorText(error, i18n.t));
          form.select("code");
        },
      },
    ),
  );
  const change = (other: (typeof TYPED)[number]) => {
    setMethod(other);
    form.clear("code");
    form.focus("code");
  };
  return (
    <>
      <Intro title={t("secondStep.title")}>{t(`secondStep.${typed.length > 0 ? method : "passkey"}`)}</Intro>
      <form {...attributes} className="flex flex-col gap-4">
        {typed.length > 0 && (
          <>
            <Field
              label={t(method === "totp" ? "secondStep.code" : "secondStep.recoveryCode")}
              error={form.error("code")}
            >
              <Input
                autoFocus
                autoComplete={method === "totp" ? "one-time-code" : "off"}
                inputMode={method === "totp" ? "numeric" : "text"}
                autoCapitalize="off"
                spellCheck={false}
                maxLength={LIMITS.code}
                name="code"
              />
            </Field>
            <label className="flex w-fit cursor-pointer items-center gap-2.5 text-sm">
              <input type="checkbox" name="remember" className="size-4 shrink-0" />
              {t("secondStep.remember", { count: REMEMBERED_DAYS })}
            </label>
            <SubmitButton loading={form.checking || send.isPending || send.isSuccess}>
              {t("signIn")}
            </SubmitButton>
          </>
        )}
        {typed
          .filter((other) => other !== method)
          .map((other) => (
            <Button key={other} onClick={() => change(other)}>
              {t(`secondStep.use.${other}`)}
            </Button>
          ))}
        {takesPasskey && (
          <Button
            variant={typed.length > 0 ? "secondary" : "primary"}
            loading={passkey.isPending || passkey.isSuccess}
            onClick={() =>
              passkey.mutate(undefined, {
                onSuccess: () => location.replace(next ?? "/"),
                onError: (error) => isStepEnded(error) && onBack(),
              })
            }
          >
            {t("secondStep.use.passkey")}
          </Button>
        )}
        <PasskeyFailure error={passkey.error} />
        <Button variant="ghost" onClick={onBack}>
          {t("backToSignIn")}
        </Button>
      </form>
    </>
  );
}
