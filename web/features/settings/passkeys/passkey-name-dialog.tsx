import { valibotResolver } from "@hookform/resolvers/valibot";
import type { ComponentProps, ReactNode } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../../worker/contract/limits";
import { fieldsOf } from "../../../components/form-fields";
import { FormDialog } from "../../../components/ui/form-dialog";
import { passkeyNameSchema } from "../settings.schema";

type PasskeyNameDialogProps = Omit<ComponentProps<typeof FormDialog>, "form" | "onSubmit" | "children"> & {
  name: string;
  hint?: string;
  onName: (name: string) => void;
  children?: ReactNode;
};

const { TextField } = fieldsOf<{ name: string }>();

/** Asks for the name of a passkey. */
export default function PasskeyNameDialog(props: PasskeyNameDialogProps) {
  const { name, hint, onName, children, ...dialog } = props;
  const { t } = useTranslation(["security", "validation"]);
  const form = useForm({ resolver: valibotResolver(passkeyNameSchema), defaultValues: { name } });
  return (
    <FormDialog form={form} width="sm" {...dialog} onSubmit={form.handleSubmit(({ name }) => onName(name))}>
      <TextField
        name="name"
        label={t("passkeys.name")}
        hint={hint}
        required
        autoFocus
        maxLength={LIMITS.passkeyName}
      />
      {children}
    </FormDialog>
  );
}
