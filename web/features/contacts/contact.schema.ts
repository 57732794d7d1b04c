import * as v from "valibot";
import { LIMITS } from "../../../worker/contract/limits";
import { emailOrBlank, messageKey, optionalText, requiredText } from "../../lib/form";
import type { Contact } from "./contacts.queries";

/** The input of the contact form; blank counts as absent. */
export const contactSchema = v.object({
  firstName: requiredText(messageKey("firstNameRequired"), LIMITS.name),
  lastName: optionalText(LIMITS.name),
  email: emailOrBlank(messageKey("invalidEmail"), LIMITS.email),
  phone: optionalText(LIMITS.phone),
  company: optionalText(LIMITS.name),
  notes: optionalText(LIMITS.text),
});

export type ContactValues = v.InferInput<typeof contactSchema>;

const FIELDS = Object.keys(contactSchema.entries);

export const isContactField = (path: string): path is keyof ContactValues => FIELDS.includes(path);

export function contactValues(contact?: Contact): ContactValues {
  return {
    firstName: contact?.firstName ?? "",
    lastName: contact?.lastName ?? "",
    email: contact?.email ?? "",
    phone: contact?.phone ?? "",
    company: contact?.company ?? "",
    notes: contact?.notes ?? "",
  };
}
