import * as z from "zod/mini";
import { isDay } from "./days";
import { renewDays } from "./documents";
import { day, entity, id, queriedId, readVersion, rowId, time } from "./fields";
import { LIMITS } from "./limits";
import { foundListQuery } from "./lists";
import { MESSAGES } from "./messages";

const dayText = z
  .string()
  .check(
    z.trim(),
    z.maxLength(LIMITS.timestamp, { abort: true, error: MESSAGES.invalidDate }),
    z.refine(isDay, MESSAGES.invalidDate),
  );

/** Absent fields stay unchanged; null clears. */
export const validityChanges = z.object({
  validUntil: z.optional(z.nullable(dayText)),
  renewDays: z
    .optional(z.nullable(renewDays))
    .check(z.describe("So many days before, it is asked for again; a stopped renewal begins again")),
  updatedAt: readVersion,
});
export type ValidityChanges = z.output<typeof validityChanges>;

export const expiringQuery = z.extend(
  z.pick(foundListQuery, { workspaceId: true, limit: true, cursor: true }),
  {
    until: z.optional(dayText).check(z.describe("Only those that are valid until this day at most")),
    contactId: z.optional(queriedId),
    paused: z
      .optional(z.enum(["1"]))
      .check(z.describe("Only those that are not asked for again, because they were imported")),
  },
);

/** Of one workspace, by default the first. */
export const resumeInput = z.object({ workspaceId: z.nullish(rowId) });

const VALIDITY_STATES = ["valid", "expiring", "asked", "expired"] as const;

export const expiringDocumentResponse = entity("ExpiringDocument", {
  requestId: id,
  documentId: id,
  name: z.string(),
  recipient: z.object({
    name: z.nullable(z.string()),
    email: z.nullable(z.string()),
    contactId: z.nullable(id),
  }),
  validUntil: day,
  renewDays: z.nullable(z.int()),
  state: z
    .enum(VALIDITY_STATES)
    .check(
      z.describe(
        "`expired` after the day, `asked` once it is asked for again, `expiring` from 30 days before or, if earlier, when it is to be asked for again",
      ),
    ),
  renewal: z
    .nullable(z.object({ requestId: id, at: time }))
    .check(z.describe("The request that asks for it again")),
  renewalPaused: z.boolean(),
});
export type ExpiringDocument = z.output<typeof expiringDocumentResponse>;
