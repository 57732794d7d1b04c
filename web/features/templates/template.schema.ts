import * as v from "valibot";
import { LIMITS } from "../../../worker/contract/limits";
import { DEFAULT_FILE_TYPES } from "../../../worker/contract/options";
import { filled, says, textUpTo } from "../../lib/form";
import { uniqueNames } from "../../lib/unique-names";
import type { Template } from "./templates.queries";

const entrySchema = v.object({
  name: filled(says("fieldNameRequired"), LIMITS.name),
  description: textUpTo(LIMITS.text),
  required: v.boolean(),
  allowedFileTypes: v.array(v.string()),
});

export const templateSchema = v.object({
  name: filled(says("nameRequired"), LIMITS.name),
  description: textUpTo(LIMITS.text),
  fields: v.pipe(
    v.array(entrySchema),
    v.minLength(1, says("templateFieldsRequired")),
    v.maxLength(LIMITS.documentsPerEnvelope, says("tooLong")),
    uniqueNames(),
  ),
});

export type TemplateValues = v.InferInput<typeof templateSchema>;
type EntryValues = TemplateValues["fields"][number];

export function emptyEntry(): EntryValues {
  return { name: "", description: "", required: false, allowedFileTypes: [...DEFAULT_FILE_TYPES] };
}

/** What the form starts from: the template, or one empty entry. */
export function templateValues(template?: Template): TemplateValues {
  const fields = template?.fields.map((entry) => ({
    ...entry,
    description: entry.description ?? "",
    allowedFileTypes: [...entry.allowedFileTypes],
  }));
  return {
    name: template?.name ?? "",
    description: template?.description ?? "",
    fields: fields?.length ? fields : [emptyEntry()],
  };
}

type TemplatePath = "name" | "description" | `fields.${number}.name`;

/** The paths of the server's objections that have a field here. */
export const isTemplateField = (path: string): path is TemplatePath =>
  /^(?:name|description|fields\.\d+\.name)$/.test(path);
