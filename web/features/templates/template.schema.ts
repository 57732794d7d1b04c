import * as v from "valibot";
import { LIMITS } from "../../../worker/contract/limits";
import type { TemplateFields } from "../../../worker/contract/templates";
import {
  type DocumentValues,
  documentEntries,
  editableDocuments,
  emptyDocument,
} from "../../lib/document-entries";
import { messageKey, optionalText, readVersion, requiredText, textValues } from "../../lib/form";
import type { Workspace } from "../workspaces/workspaces.queries";
import type { Template } from "./templates.queries";

export const templateSchema = v.object({
  name: requiredText(messageKey("nameRequired"), LIMITS.name),
  description: optionalText(LIMITS.text),
  fields: v.pipe(
    documentEntries(messageKey("fieldNameRequired")),
    v.minLength(1, messageKey("templateFieldsRequired")),
  ),
} satisfies Record<keyof TemplateFields, unknown>);

/** What the form holds: the input, and the version that it replaces. */
export const templateForm = v.object({ ...templateSchema.entries, updatedAt: readVersion });

export type TemplateValues = v.InferInput<typeof templateForm>;

const { fields: _list, ...texts } = templateSchema.entries;

/** The form's initial values: the template, or one empty entry with the workspace's file types. */
export const templateValues = (
  template?: Template,
  workspace?: Pick<Workspace, "defaultFileTypes">,
): TemplateValues => ({
  ...textValues({ entries: texts }, template),
  fields: editableDocuments(template?.fields ?? [], workspace?.defaultFileTypes),
  updatedAt: template?.updatedAt ?? null,
});

type TemplatePath = keyof typeof texts | `fields.${number}.${keyof DocumentValues}`;
const PATH = new RegExp(
  `^(?:${Object.keys(texts).join("|")}|fields\\.\\d+\\.(?:${Object.keys(emptyDocument()).join("|")}))$`,
);

/** Whether a path of the server's validation issues has a field in the form. */
export const isTemplateField = (path: string): path is TemplatePath => PATH.test(path);
