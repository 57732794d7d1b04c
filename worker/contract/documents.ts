import * as z from "zod/mini";
import type { SchemasOf } from "./fields";
import { nullishTo, optionalText } from "./fields";
import { LIMITS } from "./limits";
import { MESSAGES } from "./messages";
import { DEFAULT_FILE_TYPES } from "./options";
import { FILE_TYPE_PATTERN } from "./patterns";

/** What the requestor decides about a document. */
const REVIEWS = ["accepted", "returned"] as const;
export type DocumentReview = (typeof REVIEWS)[number];

/**
 * The state of a requested document. Before submission it is `open`, or `uploaded` for the recipient only; afterwards
 * `received`, `skipped` or, if nothing was uploaded, `open`. `accepted` and `returned` are the requestor's review of a
 * received document, or of the reason that was given instead of a required one (`awaitsReview`).
 */
export const DOCUMENT_STATES = ["open", "uploaded", "skipped", "received", ...REVIEWS] as const;
export type DocumentState = (typeof DOCUMENT_STATES)[number];

/**
 * The state of a requested document on a board: the requestor's, but `arriving` while there are bytes that are not submitted
 * yet, and `deleted` once all submitted files are.
 */
export const BOARD_STATES = ["open", "arriving", "skipped", "received", ...REVIEWS, "deleted"] as const;

/** File extensions, with or without their dot. */
export const fileTypeList = z
  .array(
    z
      .string()
      .check(
        z.trim(),
        z.maxLength(LIMITS.fileType + 1, { abort: true, error: MESSAGES.invalidFileType }),
        z.regex(FILE_TYPE_PATTERN, MESSAGES.invalidFileType),
      ),
  )
  .check(z.maxLength(LIMITS.fileTypesPerDocument));

const fileTypes = nullishTo(fileTypeList, (types) => (types?.length ? types : [...DEFAULT_FILE_TYPES]));

/** A requested document, in an envelope or a template. */
export const documentEntry = <Name extends z.ZodMiniType<string>>(name: Name) =>
  z.object({
    name,
    description: optionalText(LIMITS.text),
    required: nullishTo(z.boolean(), (value) => value ?? false),
    allowedFileTypes: fileTypes,
    /** Whether the document accepts several files. */
    multiple: nullishTo(z.boolean(), (value) => value ?? false),
    /** Whether the recipient may give a reason instead of a file, although the document is required. */
    reasonAllowed: nullishTo(z.boolean(), (value) => value ?? false),
  });

/** What a requestor enters of a requested document. */
export type DocumentEntry = z.output<ReturnType<typeof documentEntry>>;

/** The same in a response. */
export const documentResponse = {
  name: z.string(),
  description: z.nullable(z.string()),
  required: z.boolean(),
  allowedFileTypes: z.array(z.string()),
  multiple: z.boolean(),
  reasonAllowed: z.boolean(),
} satisfies SchemasOf<DocumentEntry>;

/** The default of every field, for an entry that lacks it. */
export const DOCUMENT_DEFAULTS: DocumentEntry = documentEntry(z.string()).parse({ name: "" });

export const DOCUMENT_FIELDS = Object.keys(DOCUMENT_DEFAULTS) as (keyof DocumentEntry)[];
