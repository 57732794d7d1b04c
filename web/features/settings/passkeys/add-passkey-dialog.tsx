import { valibotResolver } from "@hookform/resolvers/valibot";
import { useQuery } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../../worker/contract/limits";
import { Field } from "../../../components/ui/field";
import { FormDialog } from "../../../components/ui/form-dialog";
import { Input } from "../../../components/ui/input";
import { PasskeyFailure } from "../../../components/ui/passkey-failure";
import { useFieldError } from "../../../lib/form";
import { useDeviceName } from "../session-list";
import { passkeyNameSchema } from "../settings.schema";
import { newPasskeyQuery, useAddPasskey } from "./passkeys.queries";

/** Names a new passkey; its button leads to the browser's question. */
export default function AddPasskeyDialog({ onClose, onAdded }: { onClose: () => void; onAdded: () => void }) {
  const { t } = useTranslation(["security", "profile", "common", "errors", "validation"]);
  const fieldError = useFieldError();
  const add = useAddPasskey();
  // Loaded before; again after a failure.
  useQuery({ ...newPasskeyQuery, enabled: !add.isPending });
  const name = useDeviceName()(navigator.userAgent).slice(0, LIMITS.passkeyName);
  const form = useForm({ resolver: valibotResolver(passkeyNameSchema), defaultValues: { name } });
  return (
    <FormDialog
      nested
      width="sm"
      title={t("passkeys.add")}
      description={t("passkeys.addText")}
      submitLabel={t("passkeys.create")}
      pending={add.isPending}
      onClose={onClose}
      onSubmit={form.handleSubmit(({ name }) => add.mutate(name, { onSuccess: onAdded }))}
    >
      <Field
        label={t("passkeys.name")}
        hint={t("passkeys.nameHint")}
        required
        error={fieldError(form.formState.errors.name)}
      >
        <Input autoFocus maxLength={LIMITS.passkeyName} {...form.register("name")} />
      </Field>
      <PasskeyFailure error={add.error} />
    </FormDialog>
  );
}
