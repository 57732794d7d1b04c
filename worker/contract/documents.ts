import * as z from "zod/mini";
import { attachmentList, attachmentResponse } from "./attachments";
import type { Issue } from "./error-body";
import { nullishTo, optionalText, type SchemasOf, text } from "./fields";
import { isRecord } from "./is-record";
import { LIMITS, SERVER_LIMITS } from "./limits";
import { MESSAGES } from "./messages";
import { DEFAULT_FILE_TYPES } from "./options";
import { FILE_TYPE_PATTERN } from "./patterns";
import {
  ANSWER_FORMATS,
  hasField,
  isBound,
  KINDS,
  KINDS_WITH,
  type Kind,
  MAX_DECIMALS,
  type QuestionFields,
  questionProblems,
} from "./questions";

/** What the requestor decides about a document. */
const REVIEWS = ["accepted", "returned"] as const;
export type DocumentReview = (typeof REVIEWS)[number];

/**
 * The state of a requested document. Before submission it is `open`, or `uploaded` for the recipient only; afterwards
 * `received`, `skipped` or, if nothing was uploaded, `open`. `accepted` and `returned` are the requestor's review of a
 * received document, or of the reason that was given instead of a required one (`awaitsReview`). After submission
 * `hidden` is what was not asked, because its condition was not met.
 */
export const DOCUMENT_STATES = ["open", "uploaded", "skipped", "received", "hidden", ...REVIEWS] as const;
export type DocumentState = (typeof DOCUMENT_STATES)[number];

/**
 * The state of a requested document on a board: the requestor's, but `arriving` while there are bytes that are not submitted
 * yet, and `deleted` once all submitted files are.
 */
export const BOARD_STATES = [
  "open",
  "arriving",
  "skipped",
  "received",
  "hidden",
  ...REVIEWS,
  "deleted",
] as const;

/** File extensions, with or without their dot. */
export const fileTypeList = z
  .array(
    z
      .string()
      .check(
        z.trim(),
        z.maxLength(SERVER_LIMITS.fileType + 1, { abort: true, error: MESSAGES.invalidFileType }),
        z.regex(FILE_TYPE_PATTERN, MESSAGES.invalidFileType),
      ),
  )
  .check(z.maxLength(LIMITS.fileTypesPerDocument));

const fileTypes = nullishTo(fileTypeList, (types) => (types?.length ? types : [...DEFAULT_FILE_TYPES]));

const option = text(LIMITS.option, MESSAGES.optionOneLine).check(
  z.minLength(1, MESSAGES.optionOneLine),
  z.refine((value) => !/[\n\r\u2028\u2029]/.test(value), MESSAGES.optionOneLine),
);
const bound = nullishTo(z.string().check(z.trim(), z.maxLength(LIMITS.bound)), (value) => value || null);

export const renewDays = z
  .int(MESSAGES.invalidRenewDays)
  .check(z.minimum(1, MESSAGES.invalidRenewDays), z.maximum(LIMITS.renewDays, MESSAGES.invalidRenewDays));

const condition = z.object({
  name: text(LIMITS.name),
  is: z.array(text(LIMITS.option)).check(z.maxLength(SERVER_LIMITS.optionsPerQuestion)),
});

/** Leaves out the fields that do not belong to the entry's kind: whatever they are, they are ignored. */
const ownFields = z.transform((entry: unknown) => {
  if (!isRecord(entry)) return entry;
  const kind = entry.kind ?? "file";
  const isOwn = (name: string) =>
    !Object.hasOwn(KINDS_WITH, name) || hasField(kind as Kind, name as keyof typeof KINDS_WITH);
  return Object.fromEntries(Object.entries(entry).filter(([name]) => isOwn(name)));
});

/** A requested document or a question, in an envelope or a template. */
export const documentEntry = <Name extends z.ZodMiniType<string>>(name: Name) =>
  z.pipe(
    ownFields,
    z
      .object({
        name,
        description: optionalText(LIMITS.text),
        required: nullishTo(z.boolean(), (value) => value ?? false),
        allowedFileTypes: fileTypes,
        /** Whether the document accepts several files. */
        multiple: nullishTo(z.boolean(), (value) => value ?? false),
        /** Whether the recipient may give a reason instead of a file, although the document is required. */
        reasonAllowed: nullishTo(z.boolean(), (value) => value ?? false),
        kind: nullishTo(z.enum(KINDS), (value) => value ?? "file"),
        options: nullishTo(
          z.array(option).check(z.maxLength(SERVER_LIMITS.optionsPerQuestion)),
          (value) => value ?? [],
        ),
        min: bound,
        max: bound,
        decimals: nullishTo(z.int().check(z.minimum(0), z.maximum(MAX_DECIMALS)), (value) => value ?? 2),
        format: nullishTo(z.enum(ANSWER_FORMATS), (value) => value ?? null),
        /** Whether the answer is sealed, and shown on request only. */
        confidential: nullishTo(z.boolean(), (value) => value ?? false),
        showIf: nullishTo(condition, (value) => value ?? null),
        /** Whether the recipient gives the day until which the document is valid. */
        asksValidUntil: nullishTo(z.boolean(), (value) => value ?? false),
        /** So many days before that day, it is asked for again. */
        renewDays: nullishTo(renewDays, (value) => value ?? null),
        attachments: attachmentList,
      } satisfies SchemasOf<QuestionFields> & Record<string, z.ZodMiniType>)
      .check(
        z.superRefine((entry, context) => {
          for (const path of ["min", "max"] as const)
            if (entry[path] !== null && !isBound(entry.kind, entry[path]))
              context.addIssue({ code: "custom", path: [path], message: MESSAGES.invalidBound });
        }),
      ),
  );

/** What a requestor enters of a requested document, in a response. */
export const documentResponse = {
  name: z.string(),
  description: z.nullable(z.string()),
  required: z.boolean(),
  allowedFileTypes: z.array(z.string()),
  multiple: z.boolean(),
  reasonAllowed: z.boolean(),
  kind: z.enum(KINDS),
  options: z.array(z.string()),
  min: z.nullable(z.string()),
  max: z.nullable(z.string()),
  decimals: z.int(),
  format: z.nullable(z.enum(ANSWER_FORMATS)),
  confidential: z.boolean(),
  showIf: z.nullable(z.object({ name: z.string(), is: z.array(z.string()) })),
  asksValidUntil: z.boolean(),
  renewDays: z.nullable(z.int()),
  attachments: z.array(attachmentResponse),
} satisfies SchemasOf<QuestionFields> & Record<string, z.ZodMiniType>;
export type DocumentEntry = {
  [Name in keyof typeof documentResponse]: z.output<(typeof documentResponse)[Name]>;
};

/** The default of every field, for an entry that lacks it. */
export const DOCUMENT_DEFAULTS: DocumentEntry = {
  name: "",
  description: null,
  required: false,
  allowedFileTypes: [...DEFAULT_FILE_TYPES],
  multiple: false,
  reasonAllowed: false,
  kind: "file",
  options: [],
  min: null,
  max: null,
  decimals: 2,
  format: null,
  confidential: false,
  showIf: null,
  asksValidUntil: false,
  renewDays: null,
  attachments: [],
};

/** The fields that few entries have. */
const DETAILS = [
  "options",
  "min",
  "max",
  "decimals",
  "format",
  "confidential",
  "showIf",
  "asksValidUntil",
  "renewDays",
  "attachments",
] as const;
export type EntryDetails = Partial<Pick<DocumentEntry, (typeof DETAILS)[number]>>;

/** The details of an entry that are not as by default; null if all are. */
export function detailsOf(entry: DocumentEntry): EntryDetails | null {
  const own = DETAILS.filter(
    (name) =>
      entry[name] !== DOCUMENT_DEFAULTS[name] &&
      JSON.stringify(entry[name]) !== JSON.stringify(DOCUMENT_DEFAULTS[name]),
  );
  return own.length > 0 ? Object.fromEntries(own.map((name) => [name, entry[name]])) : null;
}

/** What of an entry counts in quotas: all but the details that are as by default. */
export const countedFields = (entry: DocumentEntry) => ({
  ...entry,
  ...Object.fromEntries(DETAILS.map((name) => [name, undefined])),
  ...detailsOf(entry),
});

const DETAIL_DEFAULTS = Object.fromEntries(
  DETAILS.map((name) => [name, DOCUMENT_DEFAULTS[name]]),
) as Required<EntryDetails>;

/** A stored entry with all details, which are added to it. */
export const withDetails = <Entry extends { details: EntryDetails | null }>(
  entry: Entry,
): Entry & Required<EntryDetails> => Object.assign(entry, DETAIL_DEFAULTS, entry.details);

export const DOCUMENT_FIELDS = Object.keys(DOCUMENT_DEFAULTS) as (keyof DocumentEntry)[];

/** What is wrong with the entries beside each other, once each is valid; paths begin with the index of an entry. */
export const questionIssues = (entries: readonly DocumentEntry[], today?: string): Issue[] => [
  ...questionProblems(entries, today).map(({ index, field, problem }) => ({
    path: `${index}.${field}`,
    message: MESSAGES[problem],
  })),
  ...entries.flatMap((entry, index) =>
    lacksValidUntil(entry) ? { path: `${index}.renewDays`, message: MESSAGES.renewDaysAlone } : [],
  ),
];

/** Whether an entry is to be asked for again before a day that it does not ask for. */
const lacksValidUntil = ({
  asksValidUntil,
  renewDays,
}: Pick<DocumentEntry, "asksValidUntil" | "renewDays">) => renewDays !== null && !asksValidUntil;

/** The columns of a stored entry. */
export const STORED_FIELDS = [
  ...DOCUMENT_FIELDS.filter((field) => !DETAILS.some((name) => name === field)),
  "details",
] as (Exclude<keyof DocumentEntry, (typeof DETAILS)[number]> | "details")[];
