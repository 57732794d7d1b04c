import { useTranslation } from "#translation";
import { Field } from "../../components/ui/field";
import { PasswordInput } from "../../components/ui/password-input";

type PasswordFieldProps = {
  name: string;
  label: string;
  /** Chosen here, instead of one that exists. */
  isNew: boolean;
  hint?: string | undefined;
  error: string | undefined;
};

export function PasswordField({ name, isNew, ...field }: PasswordFieldProps) {
  const { t } = useTranslation("auth");
  return (
    <Field {...field}>
      <PasswordInput
        showLabel={t("showPassword")}
        hideLabel={t("hidePassword")}
        autoComplete={isNew ? "new-password" : "current-password"}
        name={name}
      />
    </Field>
  );
}
