import * as z from "zod/mini";
import { type ContactFields, contactInput } from "../../../worker/contract/contacts";
import { DOCUMENT_DEFAULTS, type DocumentEntry } from "../../../worker/contract/documents";
import type { EnvelopeInput } from "../../../worker/contract/envelopes";
import { type TemplateFields, templateInput } from "../../../worker/contract/templates";
import type { WorkspaceFields } from "../../../worker/contract/workspaces";

const otherThan = (field: string, value: unknown) => {
  if (typeof value === "boolean") return !value;
  return Array.isArray(value) ? ["png"] : `The ${field}`;
};

/** A requested document in which no field has its default. */
export const FILLED_DOCUMENT = Object.fromEntries(
  Object.entries(DOCUMENT_DEFAULTS).map(([field, value]) => [field, otherThan(field, value)]),
) as DocumentEntry;

/** A contact in which every field is filled. A new field that is not text is added here. */
export const FILLED_CONTACT: ContactFields = {
  ...(filledTexts(z.omit(contactInput, { workspaceId: true }).shape) as ContactFields),
  email: "the@example.com",
  language: "de",
  tags: ["VIP", "Tax 2025"],
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
  fields: [FILLED_DOCUMENT, { ...FILLED_DOCUMENT, name: "Another" }],
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
  subject: "The subject",
  message: "The message",
  documents: [FILLED_DOCUMENT],
};

function filledTexts(shape: object): object {
  return Object.fromEntries(Object.keys(shape).map((field) => [field, `The ${field}`]));
}

function blank(shape: object, given: object): object {
  return { ...Object.fromEntries(Object.keys(shape).map((field) => [field, null])), ...given };
}
