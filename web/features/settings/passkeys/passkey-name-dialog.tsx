import { valibotResolver } from "@hookform/resolvers/valibot";
import type { ComponentProps, ReactNode } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../../worker/contract/limits";
import { Field } from "../../../components/ui/field";
import { FormDialog } from "../../../components/ui/form-dialog";
import { Input } from "../../../components/ui/input";
import { useFieldError } from "../../../lib/form";
import { passkeyNameSchema } from "../settings.schema";

type PasskeyNameDialogProps = Omit<ComponentProps<typeof FormDialog>, "onSubmit" | "children"> & {
  /** The name at first. */
  name: string;
  hint?: string;
  onName: (name: string) => void;
  /** Below the name. */
  children?: ReactNode;
};

/** Asks for the name of a passkey. */
export default function PasskeyNameDialog(props: PasskeyNameDialogProps) {
  const { name, hint, onName, children, ...dialog } = props;
  const { t } = useTranslation(["security", "validation"]);
  const fieldError = useFieldError();
  const form = useForm({ resolver: valibotResolver(passkeyNameSchema), defaultValues: { name } });
  return (
    <FormDialog width="sm" {...dialog} onSubmit={form.handleSubmit((values) => onName(values.name))}>
      <Field label={t("passkeys.name")} hint={hint} required error={fieldError(form.formState.errors.name)}>
        <Input autoFocus maxLength={LIMITS.passkeyName} {...form.register("name")} />
      </Field>
      {children}
    </FormDialog>
  );
}
