import { DEFAULT_COUNTRY_CODE } from "../../../../worker/contract/options";
import { editableDocuments } from "../../../lib/document-entries";
import { fromInternational, toInternational } from "../../../lib/phone";
import { type Contact, contactName } from "../../contacts/contacts.queries";
import type { Template } from "../../templates/templates.queries";
import type { Workspace } from "../../workspaces/workspaces.queries";
import { recipientOf } from "../envelope";
import type { Envelope } from "../envelopes.queries";
import type { WizardValues } from "./wizard.schema";

/** A new envelope in a workspace, perhaps from a template or for a contact. */
export function initialValues(
  workspace?: Pick<Workspace, "defaultFileTypes">,
  template?: Template,
  contact?: Contact,
): WizardValues {
  return {
    contactId: null,
    templateId: template?.id ?? null,
    assigneeId: null,
    recipientName: "",
    recipientEmail: "",
    countryCode: DEFAULT_COUNTRY_CODE,
    phone: "",
    storedPhone: null,
    language: "",
    subject: "",
    message: "",
    documents: editableDocuments(template?.fields ?? [], workspace?.defaultFileTypes),
    reminderFrequency: "none",
    expirationDate: "",
    dueDate: "",
    reminderDays: [],
    notificationPreference: "email",
    updatedAt: null,
    ...(contact && valuesFromContact(contact)),
  };
}

/** The values of an existing envelope. The phone starts blank; the stored one is kept. */
export function valuesFromEnvelope(envelope: Envelope): WizardValues {
  return {
    contactId: envelope.contactId,
    templateId: envelope.templateId,
    assigneeId: envelope.userId,
    recipientName: recipientOf(envelope),
    recipientEmail: envelope.customerEmail,
    countryCode: envelope.countryCode,
    phone: "",
    storedPhone: envelope.recipientPhone,
    language: envelope.language ?? "",
    subject: envelope.subject ?? "",
    message: envelope.message ?? "",
    documents: editableDocuments(envelope.documents),
    reminderFrequency: envelope.reminderFrequency,
    expirationDate: envelope.expirationDate?.slice(0, 10) ?? "",
    dueDate: envelope.dueDate ?? "",
    reminderDays: envelope.reminderDays ?? [],
    notificationPreference: envelope.notificationPreference,
    updatedAt: envelope.updatedAt,
  };
}

/** The fields that choosing a contact fills in. */
export function valuesFromContact(contact: Contact) {
  const { countryCode, phone } = fromInternational(contact.phone ?? "");
  return {
    contactId: contact.id,
    recipientName: contactName(contact),
    recipientEmail: contact.email ?? "",
    countryCode,
    phone,
    language: contact.language ?? ("" as const),
  };
}

/** The request body. */
export function toPayload(values: WizardValues, workspaceId: number | undefined) {
  const { phone, storedPhone: _kept, expirationDate, dueDate, language, ...rest } = values;
  return {
    ...rest,
    recipientPhone: toInternational(values.countryCode, phone),
    language: language || null,
    expirationDate: expirationDate || null,
    dueDate: dueDate || null,
    workspaceId: workspaceId ?? null,
  };
}
