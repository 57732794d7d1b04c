import * as v from "valibot";
import { LIMITS } from "../../../worker/contract/limits";
import { emailOrBlank, filled, says, textUpTo } from "../../lib/form";
import type { Contact } from "./contacts.queries";

/** What a person types about a contact; blank is as good as absent. */
export const contactSchema = v.object({
  firstName: filled(says("firstNameRequired"), LIMITS.name),
  lastName: textUpTo(LIMITS.name),
  email: emailOrBlank(says("invalidEmail"), LIMITS.email),
  phone: textUpTo(LIMITS.phone),
  company: textUpTo(LIMITS.name),
  notes: textUpTo(LIMITS.text),
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
