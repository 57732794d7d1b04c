import { useTranslation } from "react-i18next";
import * as v from "valibot";
import { LIMITS } from "../../../worker/contract/limits";
import type { WorkspaceInput } from "../../../worker/contract/workspaces";
import { fieldsOf } from "../../components/form-fields";
import { hasField, messageKey, optionalText, textAsTyped } from "../../lib/form";

export const workspaceSchema = v.object({
  name: textAsTyped(messageKey("nameRequired"), LIMITS.name),
  description: optionalText(LIMITS.text),
} satisfies Record<keyof WorkspaceInput, unknown>);

export const isWorkspaceField = hasField(workspaceSchema);

const { TextField, TextareaField } = fieldsOf<v.InferInput<typeof workspaceSchema>>();

/** Name and description, for a new workspace and in its settings. */
export function WorkspaceFields({ autoFocus = false }: { autoFocus?: boolean }) {
  const { t } = useTranslation(["shell", "validation"]);
  return (
    <>
      <TextField name="name" label={t("workspace.name")} required autoFocus={autoFocus} />
      <TextareaField name="description" label={t("workspace.description")} rows={3} />
    </>
  );
}
