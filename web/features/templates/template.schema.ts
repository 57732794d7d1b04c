import * as v from "valibot";
import { LIMITS } from "../../../worker/contract/limits";
import {
  type DocumentValues,
  documentEntries,
  editableDocuments,
  emptyDocument,
} from "../../lib/document-entries";
import { messageKey, optionalText, requiredText } from "../../lib/form";
import type { Template } from "./templates.queries";

export const templateSchema = v.object({
  name: requiredText(messageKey("nameRequired"), LIMITS.name),
  description: optionalText(LIMITS.text),
  fields: v.pipe(
    documentEntries(messageKey("fieldNameRequired")),
    v.minLength(1, messageKey("templateFieldsRequired")),
  ),
});

export type TemplateValues = v.InferInput<typeof templateSchema>;
/** The form's initial values: the template, or one empty entry. */
export function templateValues(template?: Template): TemplateValues {
  return {
    name: template?.name ?? "",
    description: template?.description ?? "",
    fields: editableDocuments(template?.fields ?? []),
  };
}

type TemplatePath = "name" | "description" | `fields.${number}.${keyof DocumentValues}`;
const ENTRY_FIELDS = Object.keys(emptyDocument()).join("|");
const PATH = new RegExp(`^(?:name|description|fields\\.\\d+\\.(?:${ENTRY_FIELDS}))$`);

/** Whether a path of the server's validation issues has a field in the form. */
export const isTemplateField = (path: string): path is TemplatePath => PATH.test(path);
