import { valibotResolver } from "@hookform/resolvers/valibot";
import { useMemo } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { encode } from "uqr";
import * as v from "valibot";
import { LIMITS } from "../../../../worker/contract/limits";
import { buttonClass } from "../../../components/ui/button";
import { Field } from "../../../components/ui/field";
import { FormDialog } from "../../../components/ui/form-dialog";
import { Input, Textarea } from "../../../components/ui/input";
import { errorText } from "../../../lib/error-text";
import { messageKey, requiredText, useFieldError } from "../../../lib/form";
import { useConfirmTotp } from "./two-factor.queries";

const schema = v.object({ code: requiredText(messageKey("codeRequired"), LIMITS.code) });

type SetUpDialogProps = {
  app: { secret: string; uri: string };
  onClose: () => void;
  onConfirmed: (recoveryCodes: string[]) => void;
};

/** Shows the secret of an authenticator app, and asks for a code of it. */
export default function SetUpDialog({ app, onClose, onConfirmed }: SetUpDialogProps) {
  const { t, i18n } = useTranslation(["profile", "common", "errors", "validation"]);
  const fieldError = useFieldError();
  const confirm = useConfirmTotp();
  const form = useForm({ resolver: valibotResolver(schema), defaultValues: { code: "" } });
  const submit = form.handleSubmit(({ code }) =>
    confirm.mutate(code, {
      onSuccess: ({ recoveryCodes }) => onConfirmed(recoveryCodes),
      onError: (error) => {
        form.setError("code", { type: "server", message: errorText(error, i18n.t) });
        form.setFocus("code", { shouldSelect: true });
      },
    }),
  );
  return (
    <FormDialog
      form={form}
      title={t("twoFactor.setUp")}
      description={t("twoFactor.scan")}
      nested
      width="sm"
      submitLabel={t("twoFactor.confirm")}
      pending={confirm.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <QrCode text={app.uri} label={t("twoFactor.qr")} />
      {/* Nobody can scan the screen of the phone that they hold. */}
      <a href={app.uri} className={buttonClass({ className: "hidden self-center touch:inline-flex" })}>
        {t("twoFactor.open")}
      </a>
      <Field label={t("twoFactor.secret")} hint={t("twoFactor.secretHint")}>
        <Textarea
          readOnly
          rows={2}
          value={app.secret.replace(/.{4}(?=.)/g, "$& ")}
          className="resize-none font-mono sm:min-h-0!"
          onFocus={(event) => event.currentTarget.select()}
        />
      </Field>
      <Field label={t("twoFactor.code")} error={fieldError(form.formState.errors.code)}>
        <Input
          autoFocus
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={LIMITS.code}
          className="max-w-48"
          {...form.register("code")}
        />
      </Field>
    </FormDialog>
  );
}

/** Dark on light in every theme: not every app reads it the other way round. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const { size, data } = encode(text, { border: 2 });
    const cells = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
    return { size, path: cells.join("") };
  }, [text]);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="mx-auto size-52 max-w-full rounded-control"
    >
      <rect width={size} height={size} fill="white" />
      <path d={path} fill="black" />
    </svg>
  );
}
