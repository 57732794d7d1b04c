import { useFormContext } from "react-hook-form";
import { useTranslation } from "react-i18next";
import * as v from "valibot";
import { LIMITS } from "../../../worker/contract/limits";
import type { WorkspaceInput } from "../../../worker/contract/workspaces";
import { Field } from "../../components/ui/field";
import { Input, Textarea } from "../../components/ui/input";
import { hasField, messageKey, optionalText, textAsTyped, useFieldError } from "../../lib/form";

export const workspaceSchema = v.object({
  name: textAsTyped(messageKey("nameRequired"), LIMITS.name),
  description: optionalText(LIMITS.text),
} satisfies Record<keyof WorkspaceInput, unknown>);

export const isWorkspaceField = hasField(workspaceSchema);

/** Name and description, for a new workspace and in its settings. */
export function WorkspaceFields({ autoFocus = false }: { autoFocus?: boolean }) {
  const { t } = useTranslation(["shell", "validation"]);
  const fieldError = useFieldError();
  const { register, formState } = useFormContext<v.InferInput<typeof workspaceSchema>>();
  const { errors } = formState;
  return (
    <>
      <Field label={t("workspace.name")} required error={fieldError(errors.name)}>
        <Input autoFocus={autoFocus} maxLength={LIMITS.name} {...register("name")} />
      </Field>
      <Field label={t("workspace.description")} error={fieldError(errors.description)}>
        <Textarea rows={3} maxLength={LIMITS.text} {...register("description")} />
      </Field>
    </>
  );
}
