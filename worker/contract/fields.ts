import * as z from "zod";
import { LIMITS } from "./limits";
import { MESSAGES } from "./messages";
import { LANGUAGES } from "./options";
import { EMAIL_PATTERN, isEmailAddress, isFilled, isStorable } from "./patterns";

/** Trimmed text of at most `max` characters. */
export const text = (max: number, params?: Parameters<typeof z.string>[0]) =>
  z.string(params).trim().max(max, { abort: true }).refine(isStorable);

/** Optional text: trimmed; absent and blank become null. */
export const optionalText = (max: number) =>
  text(max)
    .nullish()
    .transform((value) => value || null);

/** Text with at least one non-space character; otherwise fails with `message`. */
export const requiredText = (max: number, message: string) =>
  text(max, { error: (issue) => (issue.input == null ? message : undefined) }).min(1, message);

/** Text that is stored as typed, including surrounding white space, but must contain something else. */
export const textAsTyped = (max: number, message: string) =>
  z
    .string({ error: (issue) => (issue.input == null ? message : undefined) })
    .max(max, { abort: true })
    .refine(isStorable)
    .refine(isFilled, message);

/** Trimmed text that is blank or satisfies a rule of `patterns.ts`. */
export const matchingOrBlank = (isValid: (text: string) => boolean, max: number, message: string) =>
  z
    .string()
    .trim()
    .max(max, { abort: true, error: message })
    .refine((value) => value === "" || isValid(value), message);

/** An e-mail address, trimmed and lower-cased. */
export const emailAddress = (message: string) =>
  z
    .string({ error: (issue) => (issue.input == null ? message : undefined) })
    .trim()
    .toLowerCase()
    .max(LIMITS.email, { abort: true, error: message })
    .regex(EMAIL_PATTERN, message);

/** Like `emailAddress`; absent and blank become null. */
export const optionalEmail = matchingOrBlank(isEmailAddress, LIMITS.email, MESSAGES.invalidEmail)
  .nullish()
  .transform((value) => value?.toLowerCase() || null);

/** A language; absent and blank become null. */
export const optionalLanguage = z
  .enum(["", ...LANGUAGES])
  .nullish()
  .transform((value) => value || null);

export const rowId = z.int().positive();

/** Of an entry that several people change: the `updatedAt` that was read. */
export const readVersion = z
  .string()
  .max(LIMITS.timestamp)
  .nullish()
  .describe(
    "The `updatedAt` that was read: if the entry has changed since, the response is 409 `changed_meanwhile`",
  );

/** The id of a row in a query string. */
export const queriedId = z.coerce.number().pipe(rowId);

/** `?limit=` and `?cursor=` (the id of the previous page's last row). */
export const paging = () => ({
  limit: z.coerce.number().pipe(z.int().positive().max(LIMITS.pageMax)).optional(),
  cursor: queriedId.optional(),
});

/** A page of a list; `?workspaceId=` restricts it to one workspace. */
export const listQuery = z.object({ workspaceId: queriedId.optional(), ...paging() });
export type ListQuery = z.output<typeof listQuery>;

/** The named schemas of the OpenAPI document. Tests validate every response against them. */
export const RESPONSES = z.registry<{ id: string }>();

/** A schema for each field of an input, so that a response cannot lack one. */
export type SchemasOf<Fields> = { [Name in keyof Fields]: z.ZodType<Fields[Name]> };

export const id = z.int().positive();
export const time = z.string().meta({ format: "date-time" });
export const day = z.string().meta({ format: "date" });
export const bytes = z.int().nonnegative();
export const count = z.int().nonnegative();
