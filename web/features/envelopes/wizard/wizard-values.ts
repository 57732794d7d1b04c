import { addDays, daysBetween } from "../../../../worker/contract/days";
import { LIMITS } from "../../../../worker/contract/limits";
import { DEFAULT_COUNTRY_CODE, isUnsent } from "../../../../worker/contract/options";
import { DEFAULT_SEND_HOUR } from "../../../../worker/contract/schedules";
import { editableDocuments } from "../../../lib/document-entries";
import { filled } from "../../../lib/form";
import { browserCountryCode, fromInternational, toInternational } from "../../../lib/phone";
import { today } from "../../../lib/time-zone";
import { type Contact, contactName } from "../../contacts/contacts.queries";
import type { Template } from "../../templates/templates.queries";
import type { Workspace } from "../../workspaces/workspaces.queries";
import type { UnsentRequest } from "../bulk-sends.queries";
import { recipientOf } from "../envelope";
import type { Envelope } from "../envelopes.queries";
import type { WizardValues } from "./wizard.schema";

const BLANK: WizardValues = {
  ...{ contactId: null, templateId: null, assigneeId: null, updatedAt: null },
  ...{
    recipientName: "",
    recipientEmail: "",
    countryCode: DEFAULT_COUNTRY_CODE,
    phone: "",
    storedPhone: null,
  },
  ...{ language: "", subject: "", message: "", documents: [] },
  ...{ reminderFrequency: "none", expirationDate: "", dueDate: "", reminderDays: [] },
  ...{ sendOn: "", sendHour: DEFAULT_SEND_HOUR },
  notificationPreference: "email",
  prefill: false,
};

/** A new envelope in a workspace, perhaps from a template or for a contact; `day` is that of sending. */
export function initialValues(
  workspace?: Pick<Workspace, "defaultFileTypes">,
  template?: Template,
  contact?: Contact,
  day = today(null),
): WizardValues {
  const dayAfter = (days: number | null | undefined) => (days == null ? "" : addDays(day, days));
  return filled(BLANK, {
    ...template,
    ...{ templateId: template?.id ?? null, updatedAt: null, countryCode: browserCountryCode() },
    documents: editableDocuments(template?.fields ?? [], workspace?.defaultFileTypes),
    expirationDate: dayAfter(template?.expiresInDays),
    dueDate: dayAfter(template?.dueInDays),
    ...(contact && valuesFromContact(contact, template?.language ?? "")),
  });
}

/** What a template fills in beside the language. */
const FILLED_BY_TEMPLATE = [
  ...(["subject", "message", "documents", "expirationDate", "dueDate"] as const),
  ...(["reminderFrequency", "reminderDays", "notificationPreference"] as const),
];

type TemplateContext = {
  workspace: Pick<Workspace, "defaultFileTypes"> | undefined;
  /** The template that filled the form before. */
  former: Template | undefined;
  day: string;
};

/** What choosing a template changes in the form: what the template has, and what is only there by the former one. */
export function withTemplate(
  values: WizardValues,
  template: Template,
  { workspace, former, day }: TemplateContext,
): Partial<WizardValues> {
  const [blank, before, after] = [undefined, former, template].map((one) =>
    initialValues(workspace, one, undefined, day),
  ) as [WizardValues, WizardValues, WizardValues];
  const isSame = (field: keyof WizardValues, one: WizardValues, other: WizardValues) =>
    JSON.stringify(one[field]) === JSON.stringify(other[field]);
  const changed = FILLED_BY_TEMPLATE.filter(
    (field) => isSame(field, values, before) || !isSame(field, after, blank),
  );
  return {
    ...Object.fromEntries(changed.map((field) => [field, after[field]])),
    templateId: template.id,
    // A contact's own is kept.
    ...(values.language === before.language && { language: after.language }),
  };
}

/** The values of an existing envelope. The phone starts blank; the stored one is kept. */
export const valuesFromEnvelope = (envelope: Envelope): WizardValues =>
  filled(BLANK, {
    ...envelope,
    assigneeId: envelope.userId,
    recipientName: recipientOf(envelope),
    recipientEmail: envelope.customerEmail,
    storedPhone: envelope.recipientPhone,
    documents: editableDocuments(envelope.documents),
    expirationDate: envelope.expirationDate?.slice(0, 10) ?? "",
  });

/**
 * A new envelope with everything of another one but the dates that are past. In what was sent, the placeholders are
 * filled already, so that a brace in it is one.
 */
export function valuesOfCopy(envelope: Envelope, day: string): WizardValues {
  const values = valuesFromEnvelope(envelope);
  const text = (typed: string) => (isUnsent(envelope.status) ? typed : typed.replaceAll("{", "{{"));
  const laterDay = (date: string) => (date < day ? "" : date);
  const dueDate = laterDay(values.dueDate);
  return {
    ...values,
    ...fromInternational(envelope.recipientPhone ?? ""),
    ...(envelope.recipientPhone ? {} : { countryCode: values.countryCode }),
    storedPhone: null,
    updatedAt: null,
    prefill: false,
    subject: text(values.subject),
    message: text(values.message),
    documents: values.documents.map((document) => ({ ...document, description: text(document.description) })),
    expirationDate: laterDay(values.expirationDate),
    dueDate,
    reminderDays: dueDate ? values.reminderDays : [],
    sendOn: laterDay(values.sendOn),
  };
}

/** A request as it was sent, but for the dates that are past and the recipient. */
export function valuesOfUnsent(unsent: UnsentRequest, day: string): WizardValues {
  const laterDay = (date: string | null) => (date === null || date < day ? "" : date);
  const dueDate = laterDay(unsent.dueDate);
  return filled(BLANK, {
    ...unsent,
    dueDate,
    documents: editableDocuments(unsent.documents),
    reminderDays: dueDate ? unsent.reminderDays : [],
    expirationDate: laterDay(unsent.expirationDate),
    sendOn: laterDay(unsent.sendOn),
  });
}

/** What a template takes over from an envelope that is sent on a day: everything but the recipient. */
export function templateOf(values: WizardValues, day: string) {
  const daysTo = (date: string) => {
    const days = date === "" ? -1 : daysBetween(day, date);
    return days < 0 || days > LIMITS.templateDays ? null : days;
  };
  const { subject, message, documents, reminderFrequency, reminderDays, notificationPreference } = values;
  return {
    ...{ subject, message, reminderFrequency, reminderDays, notificationPreference },
    fields: documents,
    language: values.language || null,
    dueInDays: daysTo(values.dueDate),
    expiresInDays: daysTo(values.expirationDate),
  };
}

/** The fields that choosing a contact fills in. @param language for a contact without one */
export function valuesFromContact(contact: Contact, language: WizardValues["language"]) {
  const { countryCode, phone } = contact.phone
    ? fromInternational(contact.phone)
    : { countryCode: browserCountryCode(), phone: "" };
  return {
    contactId: contact.id,
    recipientName: contactName(contact),
    recipientEmail: contact.email ?? "",
    countryCode,
    phone,
    language: contact.language ?? language,
  };
}

/** The request body. */
export function toPayload(values: WizardValues, workspaceId: number | undefined) {
  const { phone, storedPhone: _kept, expirationDate, dueDate, sendOn, language, ...rest } = values;
  return {
    ...rest,
    prefill: values.prefill && values.contactId !== null,
    recipientPhone: toInternational(values.countryCode, phone),
    language: language || null,
    expirationDate: expirationDate || null,
    dueDate: dueDate || null,
    sendOn: sendOn || null,
    workspaceId: workspaceId ?? null,
  };
}
