import { LIMITS } from "../../../../worker/contract/limits";
import type { MessageKey } from "../../../../worker/contract/messages";
import {
  type Language,
  type NotificationPreference,
  needsEmail,
  needsPhone,
} from "../../../../worker/contract/options";
import { hasForeignMailbox, isEmailAddress, normalizeAddress } from "../../../../worker/contract/patterns";
import { toE164 } from "../../../../worker/contract/phone";
import {
  fillTexts,
  isPlaceholderName,
  type MissingPlaceholders,
  PLACEHOLDERS,
  type PlaceholderTexts,
  placeholderValues,
} from "../../../../worker/contract/placeholders";
import {
  columnOf,
  isLanguage,
  isWithoutHeader,
  keepTyped,
  type ListColumn,
  languageIn,
  lastNameFirst,
  mapHeader,
} from "../../../lib/list-columns";
import { fromInternational, toInternational } from "../../../lib/phone";
import { randomText } from "../../../lib/random-text";
import type { CsvTable } from "../../../lib/read-csv";
import { type Contact, contactName, contactOf } from "../../contacts/contacts.queries";
import type { UnsentRequest } from "../bulk-sends.queries";
import type { Series } from "../series.queries";
import type { WizardValues } from "../wizard/wizard.schema";

/** The cells of a recipient, by the names of the call's fields, with their most characters. */
const MAX = {
  recipientName: LIMITS.name,
  recipientEmail: LIMITS.email,
  recipientPhone: LIMITS.phone,
  language: LIMITS.name,
};
export type Field = keyof typeof MAX;
export const FIELDS = Object.keys(MAX) as Field[];
/** A cell that a placeholder stands for: `values.` and the name of the placeholder. */
const VALUE = "values.";

/** With the id of the contact or blank, and where it is from. */
export type RecipientRow = Readonly<Record<Field | "contactId" | "source", string> & Record<string, string>>;

/** The columns of a file that are not placeholders. */
export const FILE_COLUMNS = ["name", "firstName", "lastName", "email", "phone", "language"] as const;
type FileColumn = (typeof FILE_COLUMNS)[number];

export type RecipientList = {
  /** Of the file that was read last; empty without one. */
  header: string[];
  cells: string[][];
  /** How many cells of the file contain a formula, which is read as text. */
  formulas: number;
  /** What each column of the file is: one of `FILE_COLUMNS`, a placeholder, or blank if it is left out. */
  columns: string[];
  rows: RecipientRow[];
  /** The indexes of the rows that are left out. */
  left: number[];
};

export const EMPTY_LIST: RecipientList = {
  header: [],
  cells: [],
  formulas: 0,
  columns: [],
  rows: [],
  left: [],
};

export const blankRow = (): RecipientRow => ({
  ...(Object.fromEntries(FIELDS.map((field) => [field, ""])) as Record<Field, string>),
  ...{ contactId: "", source: "typed" },
});

export const rowOfContact = (contact: Contact): RecipientRow => ({
  recipientName: contactName(contact),
  recipientEmail: contact.email ?? "",
  recipientPhone: contact.phone ?? "",
  language: contact.language ?? "",
  contactId: String(contact.id),
  source: "contact",
});

/** The recipients of a bulk send that have no envelope. */
export const listOfUnsent = ({ recipients }: UnsentRequest): RecipientList => ({
  ...EMPTY_LIST,
  rows: recipients.map(rowOfStored),
});

/** The recipients of a series, with their ids. */
export const rowsOfSeries = ({ recipients }: Series): RecipientRow[] =>
  recipients.map(({ id, ...recipient }) => ({ ...rowOfStored(recipient), recipientId: String(id) }));

const rowOfStored = (recipient: Omit<UnsentRequest["recipients"][number], "index">): RecipientRow => ({
  ...Object.fromEntries(Object.entries(recipient.values).map(([name, value]) => [valueField(name), value])),
  recipientName: recipient.recipientName ?? "",
  recipientEmail: recipient.recipientEmail ?? "",
  recipientPhone: recipient.recipientPhone
    ? toInternational(recipient.countryCode, recipient.recipientPhone)
    : "",
  language: recipient.language ?? "",
  contactId: recipient.contactId === null ? "" : String(recipient.contactId),
  source: "typed",
});

/** What a wizard is continued with: its recipient becomes the first row. */
export function severalDraft(values: WizardValues) {
  const { contactId, recipientName, recipientEmail, countryCode, phone, language } = values;
  const row: RecipientRow = {
    ...{ recipientName, recipientEmail, recipientPhone: toInternational(countryCode, phone) },
    language: contactId === null ? "" : language,
    contactId: contactId === null ? "" : String(contactId),
    source: contactId === null ? "typed" : "contact",
  };
  const rows = recipientName.trim() || recipientEmail.trim() ? [row] : [];
  return {
    values: { ...withoutRecipient(values), ...(contactId !== null && { language: "" as const }) },
    step: 0,
    extra: { ...freshExtra(), list: { ...EMPTY_LIST, rows }, isCarried: true },
  };
}

/** Each row has its own recipient; the form must not ask for the phone number of one. */
export const withoutRecipient = (values: WizardValues): WizardValues => ({
  ...values,
  ...{ contactId: null, recipientName: "", recipientEmail: "", phone: "", storedPhone: "" },
});

/** What is saved beside the form: the list, what tells this attempt to send apart, and whether a wizard began it. */
export const freshExtra = () => ({ list: EMPTY_LIST, attempt: randomText(), isCarried: false });

/** The placeholder of a column, by its name in the file; undefined if no placeholder can have that name. */
export function placeholderOf(header: string): string | undefined {
  const name = header.trim();
  return isPlaceholderName(name) && !PLACEHOLDERS.some((known) => known === name) ? name : undefined;
}

export const valueField = (name: string) => `${VALUE}${name}`;
const nameOfValue = (field: string) => (field.startsWith(VALUE) ? field.slice(VALUE.length) : undefined);

/** The columns of the file by their names: what is unknown becomes a placeholder. */
export function columnsOf(header: readonly string[]): string[] {
  const known: readonly string[] = mapHeader<ListColumn>(header, FILE_COLUMNS);
  const used = new Set<string>();
  const isHeader = !isWithoutHeader(header);
  return known.map((column, index) => {
    if (column || !isHeader) return column;
    const cell = header[index] ?? "";
    const found = columnOf(cell);
    // A second column of addresses is no placeholder.
    if (found && FILE_COLUMNS.some((one) => one === found)) return "";
    const name = placeholderOf(cell);
    if (name === undefined || used.has(name) || used.size >= LIMITS.columnsPerRecipient) return "";
    used.add(name);
    return valueField(name);
  });
}

function rowsOfFile(cells: readonly string[][], columns: readonly string[]): RecipientRow[] {
  return cells.map((line) => {
    const row: Record<string, string> = {};
    const given: Partial<Record<FileColumn, string>> = {};
    for (const [index, column] of columns.entries()) {
      const cell = line[index] ?? "";
      if (column.startsWith(VALUE)) row[column] = cell;
      else if (column !== "") given[column as FileColumn] = cell;
    }
    const inParts = given.name ? lastNameFirst(given.name) : given;
    return {
      ...row,
      recipientName: inParts
        ? [inParts.firstName, inParts.lastName].filter(Boolean).join(" ")
        : (given.name ?? ""),
      recipientEmail: given.email ?? "",
      recipientPhone: given.phone ?? "",
      language: languageIn(given.language ?? ""),
      ...{ contactId: "", source: "file" },
    };
  });
}

/** The list with the rows of a file, which replace those of an earlier one. */
export function withTable(list: RecipientList, { header, rows: cells, formulas }: CsvTable): RecipientList {
  const columns = columnsOf(header);
  const { others, leftOf } = bySource(list);
  const rows = [...others, ...rowsOfFile(cells, columns)];
  return { header, cells, formulas, columns, rows, left: leftOf(others) };
}

/** The list with other columns of its file, whose rows are read again; what was typed elsewhere stays. */
export function withColumns(list: RecipientList, columns: string[]): RecipientList {
  const { others, ofFile, leftOf } = bySource(list);
  const read = rowsOfFile(list.cells, columns);
  const rows = [...others, ...keepTyped(ofFile, rowsOfFile(list.cells, list.columns), read)];
  return { ...list, columns, rows, left: leftOf([...others, ...ofFile]) };
}

function bySource({ rows, left }: RecipientList) {
  const leftRows = new Set(left.map((index) => rows[index]));
  return {
    others: rows.filter(({ source }) => source !== "file"),
    ofFile: rows.filter(({ source }) => source === "file"),
    /** The indexes of those that are left out. */
    leftOf: (some: readonly RecipientRow[]) => some.flatMap((row, at) => (leftRows.has(row) ? at : [])),
  };
}

/** The list with these rows; contacts that are in it already are not added again. */
export function withRows(list: RecipientList, added: readonly RecipientRow[]): RecipientList {
  const present = new Set(list.rows.flatMap(({ contactId }) => contactId || []));
  return { ...list, rows: [...list.rows, ...added.filter(({ contactId }) => !present.has(contactId))] };
}

/** The names of the placeholders that the list has values for. */
export function placeholdersOf({ columns, rows }: RecipientList): string[] {
  const fields = new Set([...columns, ...rows.flatMap((row) => Object.keys(row))]);
  return [...fields].flatMap((field) => nameOfValue(field) ?? []);
}

export type RowProblem = {
  field: string;
  message: MessageKey | "tooLong" | "unknownLanguage" | "phoneUnused";
  /** It can be sent nevertheless. */
  isWarning?: boolean;
};

/** Rows never change, so each is checked once: parsing phone numbers is slow. */
const checked = new WeakMap<RecipientRow, Map<NotificationPreference, RowProblem | undefined>>();

function problemOf(row: RecipientRow, preference: NotificationPreference): RowProblem | undefined {
  const known = checked.get(row) ?? new Map<NotificationPreference, RowProblem | undefined>();
  checked.set(row, known);
  if (!known.has(preference)) known.set(preference, findProblem(row, preference));
  return known.get(preference);
}

function findProblem(row: RecipientRow, preference: NotificationPreference): RowProblem | undefined {
  const { recipientName, recipientEmail, recipientPhone, language } = row;
  const address = normalizeAddress(recipientEmail);
  const phone = recipientPhone.trim();
  const long =
    FIELDS.find((field) => row[field].length > MAX[field]) ??
    Object.keys(row).find((field) => nameOfValue(field) && (row[field] ?? "").length > LIMITS.columnValue);
  if (long) return { field: long, message: "tooLong" };
  if (recipientName.trim() === "") return { field: "recipientName", message: "recipientNameRequired" };
  if (address !== "" && !isEmailAddress(address))
    return {
      field: "recipientEmail",
      message: hasForeignMailbox(address) ? "foreignMailbox" : "invalidEmail",
    };
  if (address === "" && needsEmail(preference)) return { field: "recipientEmail", message: "emailNeeded" };
  if (phone === "" && needsPhone(preference)) return { field: "recipientPhone", message: "phoneNeeded" };
  const isUnusable = phone !== "" && numberOf(row).recipientPhone === null;
  if (isUnusable && needsPhone(preference))
    return { field: "recipientPhone", message: "invalidRecipientPhone" };
  if (language !== "" && !isLanguage(language)) return { field: "language", message: "unknownLanguage" };
  // A contact keeps its number.
  return isUnusable && row.contactId === ""
    ? { field: "recipientPhone", message: "phoneUnused", isWarning: true }
    : undefined;
}

/** The number as it is sent; null without one that is possible. */
function numberOf({ recipientPhone }: RecipientRow) {
  const { countryCode, phone } = fromInternational(recipientPhone);
  return { countryCode, recipientPhone: toE164(phone, countryCode) };
}

/** What is wrong with each row; rows that are left out count for nothing. */
export function problemsOf(
  rows: readonly RecipientRow[],
  left: ReadonlySet<number>,
  preference: NotificationPreference,
): (RowProblem | undefined)[] {
  const seen = new Set<string>();
  return rows.map((row, index) => {
    if (left.has(index)) return undefined;
    const address = normalizeAddress(row.recipientEmail);
    const isRepeated = address !== "" && seen.has(address);
    seen.add(address);
    const problem = problemOf(row, preference);
    if (problem || !isRepeated) return problem;
    return { field: "recipientEmail", message: "emailListedTwice", isWarning: true };
  });
}

/** The contacts of the workspace: by id, and by address. */
export type KnownContacts = ReadonlyMap<string, Contact>;

export const knownContacts = (contacts: readonly Contact[]): KnownContacts =>
  new Map(
    contacts.flatMap((contact) => {
      const entries: [string, Contact][] = [[String(contact.id), contact]];
      if (contact.email) entries.push([normalizeAddress(contact.email), contact]);
      return entries;
    }),
  );

/** The contact of a row: the picked one, or the one with its address. */
const knownContactOf = ({ contactId, recipientEmail }: RecipientRow, known: KnownContacts) =>
  known.get(contactId || normalizeAddress(recipientEmail));

/** A recipient of the call. Of somebody who is a contact, the language is theirs unless the row has another. */
export function recipientOf(row: RecipientRow, known: KnownContacts, names: readonly string[]) {
  const contact = knownContactOf(row, known);
  const language = isLanguage(row.language)
    ? row.language
    : row.source === "contact"
      ? null
      : (contact?.language ?? null);
  const values = names.flatMap((name) => {
    const value = row[valueField(name)]?.trim();
    return value ? [[name, value] as const] : [];
  });
  return {
    recipientName: row.recipientName.trim(),
    recipientEmail: normalizeAddress(row.recipientEmail) || null,
    ...numberOf(row),
    contactId: contact?.id ?? null,
    language,
    values: Object.fromEntries(values),
  };
}

/** Who is no contact yet, one row for each address, by which an import tells them apart. */
export function newRecipients(rows: readonly RecipientRow[], known: KnownContacts): RecipientRow[] {
  const seen = new Set([""]);
  return rows.filter((row) => {
    const address = normalizeAddress(row.recipientEmail);
    const isNew = !seen.has(address) && !knownContactOf(row, known);
    seen.add(address);
    return isNew;
  });
}

export const newContact = (row: RecipientRow) =>
  contactOf({
    ...{ name: row.recipientName, email: row.recipientEmail.trim(), phone: numberOf(row).recipientPhone },
    language: isLanguage(row.language) ? row.language : null,
  });

type Texts = PlaceholderTexts<{ description: string }> & { subject: string; message: string };
export type FillContext = {
  texts: Texts;
  names: readonly string[];
  known: KnownContacts;
  dueDate: string;
  /** The day of sending. */
  day: string;
  /** Of recipients without their own. */
  language: Language;
};

/** The texts as a recipient gets them, and the placeholders without a value. */
export function textsFor(row: RecipientRow, { texts, names, known, dueDate, day, language }: FillContext) {
  const recipient = recipientOf(row, known, names);
  const values: Record<string, string> = recipient.values;
  const replaced = placeholderValues({
    recipientName: recipient.recipientName,
    contact: knownContactOf(row, known),
    dueDate: dueDate || null,
    day,
    language: recipient.language ?? language,
    column: (name) => (names.includes(name) ? (values[name] ?? "") : undefined),
  });
  return fillTexts(texts, replaced);
}

const BRACES = /\{/;

/** The names of the placeholders without a value, of each row that is sent; an empty list where nothing lacks. */
export function missingOf(
  rows: readonly RecipientRow[],
  left: ReadonlySet<number>,
  context: FillContext,
  cache: WeakMap<RecipientRow, string[]>,
): string[][] {
  const { subject, message, documents } = context.texts;
  const typed = [subject, message, ...documents.map(({ description }) => description)].join("\n");
  if (!BRACES.test(typed)) return rows.map(() => []);
  return rows.map((row, index) => {
    if (left.has(index)) return [];
    const known = cache.get(row) ?? missingNames(textsFor(row, context).missing);
    cache.set(row, known);
    return known;
  });
}

const missingNames = (missing: readonly MissingPlaceholders[]): string[] => [
  ...new Set(missing.flatMap(({ names }) => names)),
];

/** A short fingerprint of a text, to tell two calls apart. */
export function fingerprint(text: string): string {
  let [one, other] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    one = Math.imul(one ^ code, 2654435761);
    other = Math.imul(other ^ code, 1597334677);
  }
  return `${(one >>> 0).toString(36)}${(other >>> 0).toString(36)}`;
}
