import * as v from "valibot";
import { LIMITS } from "../../../worker/contract/limits";
import { LANGUAGES, NOTIFICATION_PREFERENCES, REMINDER_FREQUENCIES } from "../../../worker/contract/options";
import { isDueInTime } from "../../../worker/contract/patterns";
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

/** Days from the day of sending; null is not set. */
const daysFromSending = v.nullable(
  v.pipe(
    v.number(messageKey("invalidDays")),
    v.integer(messageKey("invalidDays")),
    v.minValue(0, messageKey("invalidDays")),
    v.maxValue(LIMITS.templateDays, messageKey("invalidDays")),
  ),
);

const texts = v.object({
  name: requiredText(messageKey("nameRequired"), LIMITS.name),
  description: optionalText(LIMITS.text),
  subject: optionalText(LIMITS.subject),
  message: optionalText(LIMITS.text),
});

export const templateSchema = v.object({
  ...texts.entries,
  language: v.nullable(v.picklist(LANGUAGES)),
  notificationPreference: v.nullable(v.picklist(NOTIFICATION_PREFERENCES)),
  reminderFrequency: v.nullable(v.picklist(REMINDER_FREQUENCIES)),
  reminderDays: v.pipe(v.array(v.number()), v.maxLength(LIMITS.reminderDays)),
  dueInDays: daysFromSending,
  expiresInDays: daysFromSending,
  fields: v.pipe(
    documentEntries(messageKey("fieldNameRequired")),
    v.minLength(1, messageKey("templateFieldsRequired")),
  ),
} satisfies Record<keyof TemplateFields, unknown>);

/** What the form holds: the input, and the version that it replaces. */
export const templateForm = v.pipe(
  v.object({ ...templateSchema.entries, updatedAt: readVersion }),
  v.forward(v.partialCheck([["dueInDays"], ["expiresInDays"]], isDueInTime, messageKey("dueAfterEnd")), [
    "dueInDays",
  ]),
);

export type TemplateValues = v.InferInput<typeof templateForm>;

const { fields: _list, ...topLevel } = templateSchema.entries;

/** The form's initial values: the template, or one empty entry with the workspace's file types. */
export const templateValues = (
  template?: Template,
  workspace?: Pick<Workspace, "defaultFileTypes">,
): TemplateValues => ({
  ...textValues(texts, template),
  language: template?.language ?? null,
  notificationPreference: template?.notificationPreference ?? null,
  reminderFrequency: template?.reminderFrequency ?? null,
  reminderDays: template?.reminderDays ?? [],
  dueInDays: template?.dueInDays ?? null,
  expiresInDays: template?.expiresInDays ?? null,
  fields: editableDocuments(template?.fields ?? [], workspace?.defaultFileTypes),
  updatedAt: template?.updatedAt ?? null,
});

type TemplatePath = keyof typeof topLevel | `fields.${number}.${keyof DocumentValues}`;
const PATH = new RegExp(
  `^(?:${Object.keys(topLevel).join("|")}|fields\\.\\d+\\.(?:${Object.keys(emptyDocument()).join("|")}))$`,
);

/** Whether a path of the server's validation issues has a field in the form. */
export const isTemplateField = (path: string): path is TemplatePath => PATH.test(path);
