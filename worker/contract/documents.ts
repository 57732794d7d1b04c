import * as z from "zod";
import { optionalText } from "./fields";
import { LIMITS } from "./limits";
import { MESSAGES } from "./messages";
import { DEFAULT_FILE_TYPES } from "./options";
import { FILE_TYPE_PATTERN } from "./patterns";

/**
 * Where a requested document stands. Before the recipient submits it is `open`, or `uploaded` for the recipient
 * alone; afterwards `received`, `skipped` or, where nothing was given for it, `open`. `accepted` and `returned` are
 * the requestor's answer to what was received.
 */
export const DOCUMENT_STATES = ["open", "uploaded", "skipped", "received", "accepted", "returned"] as const;
export type DocumentState = (typeof DOCUMENT_STATES)[number];

const fileTypes = z
  .array(
    z
      .string()
      .trim()
      .max(LIMITS.fileType + 1, { abort: true, error: MESSAGES.invalidFileType })
      .regex(FILE_TYPE_PATTERN, MESSAGES.invalidFileType),
  )
  .max(LIMITS.fileTypesPerDocument)
  .nullish()
  .transform((types) => (types?.length ? types : [...DEFAULT_FILE_TYPES]));

/** A requested document, in an envelope or a template. */
export const documentEntry = <Name extends z.ZodType<string>>(name: Name) =>
  z.object({
    name,
    description: optionalText(LIMITS.text),
    required: z
      .boolean()
      .nullish()
      .transform((value) => value ?? false),
    allowedFileTypes: fileTypes,
    /** Whether it takes several files. */
    multiple: z
      .boolean()
      .nullish()
      .transform((value) => value ?? false),
  });

/** The places at which a name stands that an earlier entry already has; blank names do not count. */
export function repeatedNames(entries: readonly { name: string }[]): number[] {
  const seen = new Set<string>();
  return entries.flatMap(({ name }, index) => {
    const key = name.trim().toLowerCase();
    if (key === "") return [];
    if (seen.has(key)) return [index];
    seen.add(key);
    return [];
  });
}
