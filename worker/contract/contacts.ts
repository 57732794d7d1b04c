import * as z from "zod/mini";
import { distinctTags, isOneTag } from "./contact-tags";
import { isRelativeFolder, MAX_FOLDER_PATH } from "./delivery-path";
import {
  count,
  entity,
  id,
  listQuery,
  nullishTo,
  optionalEmail,
  optionalLanguage,
  optionalText,
  readVersion,
  requiredText,
  rowId,
  type SchemasOf,
  text,
  time,
} from "./fields";
import { LIMITS } from "./limits";
import { namedListQuery } from "./lists";
import { MESSAGES } from "./messages";
import { LANGUAGES } from "./options";
import { plainPhone } from "./patterns";

/** The indexes of texts that an earlier one equals. */
function repeatedTexts(texts: readonly (string | null | undefined)[]): number[] {
  const seen = new Set<string>();
  return texts.flatMap((text, index) => {
    if (!text) return [];
    const isRepeated = seen.has(text);
    seen.add(text);
    return isRepeated ? [index] : [];
  });
}

const tagList = z
  .array(text(LIMITS.tag, { error: MESSAGES.tooManyTags }).check(z.refine(isOneTag)))
  .check(z.maxLength(LIMITS.tagsPerContact, MESSAGES.tooManyTags));

/** Tags, each once; absent and null become none. */
const tags = nullishTo(tagList, (given) => distinctTags(given ?? []));

const contactFields = z.object({
  firstName: requiredText(LIMITS.name, MESSAGES.firstNameRequired),
  lastName: optionalText(LIMITS.name),
  email: optionalEmail,
  phone: nullishTo(text(LIMITS.phone), (value) => (value && plainPhone(value)) || null),
  company: optionalText(LIMITS.name),
  notes: optionalText(LIMITS.text),
  language: optionalLanguage,
  tags,
  folder: nullishTo(text(MAX_FOLDER_PATH), (value) => value || null).check(
    z.refine((folder) => folder === null || isRelativeFolder(folder), MESSAGES.invalidFolder),
  ),
});

export const contactInput = z.extend(contactFields, { workspaceId: z.nullish(rowId) });

/** Absent fields stay unchanged; null clears. A contact stays in its workspace. */
export const contactChanges = z.extend(z.partial(contactFields), { updatedAt: readVersion });

/** Of contacts that exist already, absent fields stay unchanged; null clears. */
const listedContact = z.extend(z.partial(contactFields), { firstName: contactFields.shape.firstName });

/** `match` says whether a contact with the same address is changed, or each one created. */
export const contactsInput = z
  .object({
    contacts: z.array(listedContact).check(z.minLength(1), z.maxLength(LIMITS.contactsPerImport)),
    match: z.enum(["email", "none"]),
    workspaceId: z.nullish(rowId),
  })
  .check(
    z.superRefine(({ contacts }, context) => {
      for (const index of repeatedTexts(contacts.map(({ email }) => email)))
        context.addIssue({
          code: "custom",
          path: ["contacts", index, "email"],
          message: MESSAGES.emailListedTwice,
        });
    }),
  );
export type ContactsInput = z.output<typeof contactsInput>;

/** The columns of the export, in order. */
export const CONTACT_FIELDS = Object.keys(contactFields.shape) as (keyof ContactFields)[];

export const contactsImportResponse = entity("ContactsImport", {
  created: count,
  updated: count,
  unchanged: count,
});

const ids = z.array(rowId).check(z.minLength(1), z.maxLength(LIMITS.contactsAtOnce));
const tag = z
  .optional(text(LIMITS.tag).check(z.minLength(1)))
  .check(z.describe("Only contacts with this tag"));

/** `GET /api/contacts`. */
export const contactsQuery = z.extend(namedListQuery, { tag });

/** `?workspaceId=`; without it, the contacts of all workspaces. `?ids=1,2,3` exports these alone. */
export const contactsExportQuery = z.extend(z.pick(listQuery, { workspaceId: true }), {
  tag,
  ids: z.optional(
    z.pipe(
      z.pipe(
        z.string(),
        z.transform((list: string) => list.split(",").map(Number)),
      ),
      ids,
    ),
  ),
});

export const contactsDeletion = z.object({ ids });
export const contactsDeletionResponse = entity("ContactsDeletion", { deleted: count });

/** Adds tags to contacts, and removes others from them. */
export const tagsInput = z.object({ workspaceId: z.nullish(rowId), ids, add: tags, remove: tags });
export const taggedResponse = entity("ContactsTagged", {
  changed: count,
  full: count.check(z.describe("How many stay unchanged, because they would have more than 20 tags")),
});

/** `?workspaceId=`; without it, the tags of all workspaces. */
export const tagsQuery = z.pick(listQuery, { workspaceId: true });
export const tagResponse = entity("ContactTag", { name: z.string(), contacts: count });

/** What the account enters of a contact. */
export type ContactFields = z.output<typeof contactFields>;

export const contactResponse = entity("Contact", {
  id,
  userId: id,
  workspaceId: id,
  ...({
    firstName: z.string(),
    lastName: z.nullable(z.string()),
    email: z.nullable(z.string()),
    phone: z.nullable(z.string()),
    company: z.nullable(z.string()),
    notes: z.nullable(z.string()),
    language: z.nullable(z.enum(LANGUAGES)),
    tags: z.array(z.string()),
    folder: z.nullable(z.string()),
  } satisfies SchemasOf<ContactFields>),
  createdAt: time,
  updatedAt: time,
  openRequests: count.check(z.describe("How many requests to the contact are waiting for documents")),
  overdueRequests: count.check(z.describe("How many of these are past their due date")),
  unsubscribedAt: z
    .nullable(time)
    .check(z.describe("Since when the contact does not want emails from this account")),
});
