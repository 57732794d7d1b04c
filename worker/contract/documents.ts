import * as z from "zod";
import { optionalText } from "./fields";
import { LIMITS } from "./limits";
import { MESSAGES } from "./messages";
import { DEFAULT_FILE_TYPES } from "./options";
import { FILE_TYPE_PATTERN } from "./patterns";

/**
 * The state of a requested document. Before submission it is `open`, or `uploaded` for the recipient only; afterwards
 * `received`, `skipped` or, if nothing was uploaded, `open`. `accepted` and `returned` are the requestor's review of a
 * received document.
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
    /** Whether the document accepts several files. */
    multiple: z
      .boolean()
      .nullish()
      .transform((value) => value ?? false),
  });

/** What a requestor enters of a requested document. */
export type DocumentEntry = z.output<ReturnType<typeof documentEntry>>;

/** The same in an answer. */
export const documentAnswer = {
  name: z.string(),
  description: z.string().nullable(),
  required: z.boolean(),
  allowedFileTypes: z.array(z.string()),
  multiple: z.boolean(),
} satisfies Record<keyof DocumentEntry, z.ZodType>;

/** The default of every field, for an entry that lacks it. */
export const DOCUMENT_DEFAULTS: DocumentEntry = documentEntry(z.string()).parse({ name: "" });

export const DOCUMENT_FIELDS = Object.keys(DOCUMENT_DEFAULTS) as (keyof DocumentEntry)[];

/** What is compared of a document's name: neither case nor the Unicode form in which an accent was typed. */
export const documentKey = (name: string): string => name.trim().normalize("NFC").toLowerCase();

/** The indexes of names that an earlier entry already has. Blank names are ignored. */
export function repeatedNames(entries: readonly { name: string }[]): number[] {
  const seen = new Set<string>();
  return entries.flatMap(({ name }, index) => {
    const key = documentKey(name);
    if (key === "") return [];
    if (seen.has(key)) return [index];
    seen.add(key);
    return [];
  });
}
