import * as v from "valibot";
import { documentKey, repeatedNames } from "../../worker/contract/document-names";
import type { DocumentEntry } from "../../worker/contract/documents";
import { LIMITS } from "../../worker/contract/limits";
import { DEFAULT_FILE_TYPES } from "../../worker/contract/options";
import {
  ANSWER_FORMATS,
  hasField,
  isBound,
  KINDS,
  MAX_DECIMALS,
  type QuestionFields,
  questionProblems,
} from "../../worker/contract/questions";
import { FILE_TYPE_PRESETS } from "./file-types";
import { filled, messageKey, optionalText, requiredText } from "./form";

/** The schema of the requested documents of an envelope or a template; `missingName` is the message for a blank name. */
export const documentEntries = (missingName: ReturnType<typeof messageKey>) =>
  v.pipe(
    v.array(
      v.object({
        name: requiredText(missingName, LIMITS.name),
        description: optionalText(LIMITS.text),
        required: v.boolean(),
        allowedFileTypes: v.array(v.string()),
        multiple: v.boolean(),
        reasonAllowed: v.boolean(),
        kind: v.picklist(KINDS),
        options: v.pipe(
          v.array(v.string()),
          v.transform((options) => options.map((option) => option.trim()).filter(Boolean)),
          v.check(
            (options) => options.every(({ length }) => length <= LIMITS.option),
            messageKey("optionOneLine"),
          ),
        ),
        min: v.string(),
        max: v.string(),
        decimals: v.pipe(v.number(), v.minValue(0), v.maxValue(MAX_DECIMALS)),
        format: v.nullable(v.picklist(ANSWER_FORMATS)),
        confidential: v.boolean(),
        showIf: v.nullable(v.object({ name: v.string(), is: v.array(v.string()) })),
        asksValidUntil: v.boolean(),
        renewDays: v.nullable(
          v.pipe(
            v.number(messageKey("invalidRenewDays")),
            v.integer(messageKey("invalidRenewDays")),
            v.minValue(1, messageKey("invalidRenewDays")),
            v.maxValue(LIMITS.renewDays, messageKey("invalidRenewDays")),
          ),
        ),
        attachments: v.array(v.object({ id: v.number(), fileName: v.string(), fileSize: v.number() })),
      } satisfies Record<keyof DocumentEntry, unknown>),
    ),
    v.maxLength(LIMITS.documentsPerEnvelope, messageKey("tooLong")),
    fitTogether(),
  );

export type DocumentValues = v.InferInput<ReturnType<typeof documentEntries>>[number];

/** A new entry with the workspace's default file types, if it has any. */
export function emptyDocument(fileTypes?: readonly string[] | null): DocumentValues {
  return {
    name: "",
    description: "",
    required: false,
    allowedFileTypes: [...(fileTypes ?? DEFAULT_FILE_TYPES)],
    multiple: false,
    reasonAllowed: false,
    kind: "file",
    options: [],
    min: "",
    max: "",
    decimals: 2,
    format: null,
    confidential: false,
    showIf: null,
    asksValidUntil: false,
    renewDays: null,
    attachments: [],
  };
}

/** What people photograph, and have many of, in the seven languages. */
const RECEIPTS =
  /\b(?:receipts?|invoices?|reçus?|factures?|recibos?|facturas?|faturas?|notas? fiscais|nota fiscal)\b|(?:quittung(?:en)?|belege?|(?<!ab|be)rechnung(?:en)?)\b|发票|收据|領収書|レシート|請求書/i;

/** The types and the number of files that fit the name of an entry with the default ones. */
export function fittingTypes({ name, allowedFileTypes, multiple }: DocumentValues) {
  const isDefault = !multiple && allowedFileTypes.join() === DEFAULT_FILE_TYPES.join();
  return isDefault && RECEIPTS.test(name)
    ? { allowedFileTypes: [...FILE_TYPE_PRESETS.photo], multiple: true }
    : undefined;
}

export const withFittingTypes = (entry: DocumentValues): DocumentValues => ({
  ...entry,
  ...fittingTypes(entry),
});

/** Whether nothing was typed into the entry, so that replacing it loses nothing. */
export function isUntouched(entry: DocumentValues): boolean {
  const { kind, name, description, attachments } = entry;
  return kind === "file" && !name.trim() && !description.trim() && attachments.length === 0;
}

/** The stored documents as form values; one empty entry if there are none. */
export function editableDocuments(
  stored: readonly DocumentEntry[],
  fileTypes?: readonly string[] | null,
): DocumentValues[] {
  const blank = emptyDocument(fileTypes);
  if (stored.length === 0) return [blank];
  return stored.map((entry) =>
    filled(blank, {
      ...entry,
      allowedFileTypes: [...entry.allowedFileTypes],
      // That of a submitted document was set where no day was asked for.
      renewDays: entry.asksValidUntil ? entry.renewDays : null,
    }),
  );
}

/** Rejects repeated names, questions without options, wrong bounds, and conditions that name no earlier question. */
function fitTogether<Entry extends QuestionFields & { name: string; min: string; max: string }>() {
  return v.rawCheck<Entry[]>(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const list = dataset.value;
    const isWrong = ({ kind }: Entry, bound: string) =>
      hasField(kind, "min") && bound && !isBound(kind, bound);
    const bounds = list.flatMap((entry, index) =>
      (["min", "max"] as const)
        .filter((field) => isWrong(entry, entry[field]))
        .map((field) => ({ index, field, problem: "invalidBound" }) as const),
    );
    const entries = list.map((entry) =>
      [entry.min, entry.max].some((bound) => isWrong(entry, bound))
        ? { ...entry, min: null, max: null }
        : { ...entry, min: entry.min || null, max: entry.max || null },
    );
    const repeated = repeatedNames(list).map(
      (index) => ({ index, field: "name", problem: "documentNamesUnique" }) as const,
    );
    for (const { index, field, problem } of [...repeated, ...bounds, ...questionProblems(entries)]) {
      const entry = list[index];
      if (!entry) continue;
      addIssue({
        message: messageKey(problem),
        path: [
          { type: "array", origin: "value", input: list, key: index, value: entry },
          { type: "object", origin: "value", input: { ...entry }, key: field, value: entry[field] },
        ],
      });
    }
  });
}

/** A name for the copy of an entry that no other entry has: "Payslip 2". */
export function freeName(name: string, entries: readonly { name: string }[]): string {
  const base = name.trim().replace(/ \d+$/, "");
  if (!base) return "";
  const keys = new Set(entries.map((entry) => documentKey(entry.name)));
  let number = 2;
  while (keys.has(documentKey(`${base} ${number}`))) number += 1;
  return `${base} ${number}`.slice(0, LIMITS.name);
}
