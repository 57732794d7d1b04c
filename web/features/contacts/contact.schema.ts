import * as v from "valibot";
import { areTags, tagsIn, tagsText } from "../../../worker/contract/contact-tags";
import type { ContactFields } from "../../../worker/contract/contacts";
import { isRelativeFolder, MAX_FOLDER_PATH } from "../../../worker/contract/delivery-path";
import { LIMITS } from "../../../worker/contract/limits";
import { languageOrBlank } from "../../components/language-field";
import {
  emailOrBlank,
  hasField,
  messageKey,
  optionalText,
  readVersion,
  requiredText,
  storable,
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
  language: languageOrBlank,
  notes: optionalText(LIMITS.text),
  tags: v.pipe(
    v.string(),
    v.maxLength(LIMITS.text, messageKey("tooLong")),
    v.check((typed) => typed.length > LIMITS.text || areTags(tagsIn(typed)), messageKey("tooManyTags")),
    storable,
  ),
  folder: v.pipe(
    optionalText(MAX_FOLDER_PATH),
    v.check(
      (path) => path.length > MAX_FOLDER_PATH || isRelativeFolder(path.trim()),
      messageKey("invalidFolder"),
    ),
  ),
} satisfies Record<keyof ContactFields, unknown>);

/** What the form holds: the input, and the version that it changes. */
export const contactForm = v.object({ ...contactSchema.entries, updatedAt: readVersion });

export type ContactValues = v.InferInput<typeof contactForm>;

export const isContactField = hasField(contactSchema);

export const contactValues = (contact?: Contact): ContactValues => ({
  ...textValues(v.omit(contactSchema, ["language", "tags"]), contact),
  language: contact?.language ?? "",
  tags: tagsText(contact?.tags ?? []),
  updatedAt: contact?.updatedAt ?? null,
});
