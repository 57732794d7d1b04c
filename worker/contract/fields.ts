import * as z from "zod";
import { LIMITS } from "./limits";
import { MESSAGES } from "./messages";
import { EMAIL_PATTERN } from "./patterns";

/** Trimmed text of at most `max` characters, without NUL and lone surrogates, which databases truncate or change. */
export const text = (max: number, params?: Parameters<typeof z.string>[0]) =>
  z
    .string(params)
    .trim()
    .max(max, { abort: true })
    .refine((value) => !value.includes("\0") && value.isWellFormed());

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
    .refine((value) => !value.includes("\0") && value.isWellFormed())
    .refine((value) => value.trim() !== "", message);

/**
 * Trimmed text that is blank or matches the pattern. The length is checked first: matching a pattern against a
 * megabyte of text is slow.
 */
export const matchingOrBlank = (pattern: RegExp, max: number, message: string) =>
  z
    .string()
    .trim()
    .max(max, { abort: true, error: message })
    .refine((value) => value === "" || pattern.test(value), message);

/** An e-mail address, trimmed and lower-cased. */
export const emailAddress = (message: string) =>
  z
    .string({ error: (issue) => (issue.input == null ? message : undefined) })
    .trim()
    .toLowerCase()
    .max(LIMITS.email, { abort: true, error: message })
    .regex(EMAIL_PATTERN, message);

/** Like `emailAddress`; absent and blank become null. */
export const optionalEmail = (message: string = MESSAGES.invalidEmail) =>
  matchingOrBlank(EMAIL_PATTERN, LIMITS.email, message)
    .nullish()
    .transform((value) => value?.toLowerCase() || null);

export const rowId = z.int().positive();

/** `?workspaceId=`, `?limit=` and `?cursor=` (the id of the previous page's last row). */
export const listQuery = z.object({
  workspaceId: z.coerce.number().pipe(rowId).optional(),
  limit: z.coerce.number().pipe(z.int().positive().max(LIMITS.pageMax)).optional(),
  cursor: z.coerce.number().pipe(rowId).optional(),
});
export type ListQuery = z.output<typeof listQuery>;
