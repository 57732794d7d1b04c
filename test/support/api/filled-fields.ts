import * as z from "zod/mini";
import { type ContactFields, contactInput } from "../../../worker/contract/contacts";
import { DOCUMENT_DEFAULTS, type DocumentEntry } from "../../../worker/contract/documents";
import type { EnvelopeInput } from "../../../worker/contract/envelopes";
import { type TemplateFields, templateInput } from "../../../worker/contract/templates";
import type { WorkspaceFields } from "../../../worker/contract/workspaces";

/** A requested document in which no field of a file has its default, but attachments; what only questions have is of others. */
export const FILLED_DOCUMENT: DocumentEntry = {
  ...DOCUMENT_DEFAULTS,
  name: "The name",
  description: "The description",
  required: true,
  allowedFileTypes: ["png"],
  multiple: true,
  reasonAllowed: true,
  asksValidUntil: true,
  renewDays: 30,
};
/** Questions in which, together, each of the other fields is not as by default. */
const FILLED_QUESTIONS: DocumentEntry[] = [
  { ...DOCUMENT_DEFAULTS, name: "A choice", kind: "choice", options: ["One", "Two"], required: true },
  {
    ...DOCUMENT_DEFAULTS,
    ...{ name: "A number", kind: "number", min: "1", max: "10", decimals: 0, confidential: true },
    showIf: { name: "A choice", is: ["Two"] },
  },
  { ...DOCUMENT_DEFAULTS, name: "A text", kind: "text", format: "iban", description: "Help" },
];

/** A contact in which every field is filled. A new field that is not text is added here. */
export const FILLED_CONTACT: ContactFields = {
  ...(filledTexts(z.omit(contactInput, { workspaceId: true }).shape) as ContactFields),
  email: "the@example.com",
  language: "de",
  tags: ["VIP", "Tax 2025"],
  folder: "Clients/1042",
};
export const BLANK_CONTACT: ContactFields = contactInput.parse(blank(contactInput.shape, { firstName: "A" }));

const { workspaceId: _, ...templateShape } = templateInput.shape;
export const FILLED_TEMPLATE: TemplateFields = {
  ...(filledTexts(templateShape) as TemplateFields),
  language: "de",
  notificationPreference: "sms",
  reminderFrequency: "weekly",
  reminderDays: [7, -1],
  dueInDays: 14,
  expiresInDays: 30,
  fields: [FILLED_DOCUMENT, { ...FILLED_DOCUMENT, name: "Another" }, ...FILLED_QUESTIONS],
};
export const BLANK_TEMPLATE: TemplateFields = templateInput.parse({ name: "A", fields: [{ name: "A" }] });

export const FILLED_WORKSPACE: WorkspaceFields = {
  name: "The name",
  description: "The description",
  retentionDays: 90,
  fileNameRule: "{subject}",
  defaultFileTypes: ["png"],
  brandName: "The brand",
  brandColor: "#1a56a4",
  brandFooter: "The footer",
  logoReadableOn: "light",
  logoHasName: true,
};

/** A draft in which no field has its default. */
export const FILLED_ENVELOPE: Required<
  Omit<EnvelopeInput, "contactId" | "templateId" | "workspaceId" | "assigneeId">
> = {
  isDraft: true,
  recipientName: "The name",
  recipientEmail: "the@example.com",
  recipientPhone: "+493012345678",
  countryCode: "+49",
  reminderFrequency: "weekly",
  notificationPreference: "both",
  language: "de",
  expirationDate: "2999-01-01",
  dueDate: "2998-12-01",
  reminderDays: [7, 1, -1],
  sendOn: "2998-11-01",
  sendHour: 15,
  subject: "The subject",
  message: "The message",
  documents: [FILLED_DOCUMENT, ...FILLED_QUESTIONS],
  prefill: true,
};

function filledTexts(shape: object): object {
  return Object.fromEntries(Object.keys(shape).map((field) => [field, `The ${field}`]));
}

function blank(shape: object, given: object): object {
  return { ...Object.fromEntries(Object.keys(shape).map((field) => [field, null])), ...given };
}
