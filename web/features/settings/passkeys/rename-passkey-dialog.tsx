import { valibotResolver } from "@hookform/resolvers/valibot";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../../worker/contract/limits";
import { Field } from "../../../components/ui/field";
import { FormDialog } from "../../../components/ui/form-dialog";
import { Input } from "../../../components/ui/input";
import { useFieldError } from "../../../lib/form";
import { passkeyNameSchema } from "../settings.schema";
import { type Passkey, useRenamePasskey } from "./passkeys.queries";

type RenamePasskeyDialogProps = { passkey: Passkey; onClose: () => void };

export default function RenamePasskeyDialog({ passkey, onClose }: RenamePasskeyDialogProps) {
  const { t } = useTranslation(["security", "validation"]);
  const fieldError = useFieldError();
  const rename = useRenamePasskey(passkey.id);
  const form = useForm({
    resolver: valibotResolver(passkeyNameSchema),
    defaultValues: { name: passkey.name },
  });
  return (
    <FormDialog
      width="sm"
      title={t("passkeys.renameTitle")}
      submitLabel={t("passkeys.save")}
      pending={rename.isPending}
      onClose={onClose}
      onSubmit={form.handleSubmit(({ name }) => rename.mutate(name, { onSuccess: onClose }))}
    >
      <Field label={t("passkeys.name")} required error={fieldError(form.formState.errors.name)}>
        <Input autoFocus maxLength={LIMITS.passkeyName} {...form.register("name")} />
      </Field>
    </FormDialog>
  );
}
