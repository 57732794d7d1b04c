import * as z from "zod";
import { optionalEmail, optionalText, readVersion, requiredText, rowId } from "./fields";
import { LIMITS } from "./limits";
import { MESSAGES } from "./messages";
import { id, RESPONSES, type SchemasOf, time } from "./response-fields";

const contactFields = z.object({
  firstName: requiredText(LIMITS.name, MESSAGES.firstNameRequired),
  lastName: optionalText(LIMITS.name),
  email: optionalEmail(),
  phone: optionalText(LIMITS.phone),
  company: optionalText(LIMITS.name),
  notes: optionalText(LIMITS.text),
});

export const contactInput = contactFields.extend({ workspaceId: rowId.nullish() });

/** Absent fields stay unchanged; null clears. A contact stays in its workspace. */
export const contactChanges = contactFields.partial().extend({ updatedAt: readVersion });

/** What the account enters of a contact. */
export type ContactFields = z.output<typeof contactFields>;

export const contactResponse = z
  .object({
    id,
    userId: id,
    workspaceId: id,
    ...({
      firstName: z.string(),
      lastName: z.string().nullable(),
      email: z.string().nullable(),
      phone: z.string().nullable(),
      company: z.string().nullable(),
      notes: z.string().nullable(),
    } satisfies SchemasOf<ContactFields>),
    createdAt: time,
    updatedAt: time,
    unsubscribedAt: time.nullable().describe("Since when the contact does not want mails from this account"),
  })
  .register(RESPONSES, { id: "Contact" });
