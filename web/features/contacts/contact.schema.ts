import * as v from "valibot";
import type { ContactFields } from "../../../worker/contract/contacts";
import { LIMITS } from "../../../worker/contract/limits";
import { languageOrBlank } from "../../components/language-field";
import {
  emailOrBlank,
  hasField,
  messageKey,
  optionalText,
  readVersion,
  requiredText,
  textValues,
} from "../../lib/form";
import type { Contact } from "./contacts.queries";

/** The input of the contact form; blank counts as absent. */
export const contactSchema = v.object({
  firstName: requiredText(messageKey("firstNameRequired"), LIMITS.name),
  lastName: optionalText(LIMITS.name),
  email: emailOrBlank(messageKey("invalidEmail")),
  phone: optionalText(LIMITS.phone),
  company: optionalText(LIMITS.name),
  notes: optionalText(LIMITS.text),
  language: languageOrBlank,
} satisfies Record<keyof ContactFields, unknown>);

/** What the form holds: the input, and the version that it changes. */
export const contactForm = v.object({ ...contactSchema.entries, updatedAt: readVersion });

export type ContactValues = v.InferInput<typeof contactForm>;

export const isContactField = hasField(contactSchema);

export const contactValues = (contact?: Contact): ContactValues => ({
  ...textValues(v.omit(contactSchema, ["language"]), contact),
  language: contact?.language ?? "",
  updatedAt: contact?.updatedAt ?? null,
});
