import * as v from "valibot";
import { tagsIn, tagsText } from "../../../../worker/contract/contact-tags";
import { normalizeAddress, plainPhone, splitName } from "../../../../worker/contract/patterns";
import type { ValidationKey } from "../../../lib/field-error";
import { isLanguage, languageIn, lastNameFirst } from "../../../lib/list-columns";
import type { CsvTable } from "../../../lib/read-csv";
import { contactSchema } from "../contact.schema";

/** The fields of the form: an import reads what an export writes. */
export type Field = keyof typeof contactSchema.entries;
export const FIELDS = Object.keys(contactSchema.entries) as Field[];
/** The columns that an import knows; `name` is first and last name in one. */
export const COLUMNS = ["name", ...FIELDS] as const;
export type Column = (typeof COLUMNS)[number];

export type Row = Record<Field, string>;

/** How a cell is read that does not stay as it is. Google Contacts separates groups by ":::", and marks its own by "*". */
const READ: Partial<Record<Field, (cell: string) => string>> = {
  language: languageIn,
  tags: (cell) => tagsText(cell.split(":::").filter((group) => !group.trim().startsWith("* "))),
};

const BLANK = Object.fromEntries(FIELDS.map((field) => [field, ""])) as Row;

/** The rows of a table by its columns. */
export const rowsOf = ({ rows }: Pick<CsvTable, "rows">, columns: readonly (Column | "")[]): Row[] =>
  rows.map((cells) => {
    const row = { ...BLANK };
    for (const [index, column] of columns.entries()) {
      const cell = cells[index] ?? "";
      if (column === "" || cell === "") continue;
      if (column === "name") {
        const { firstName, lastName } = lastNameFirst(cell) ?? splitName(cell);
        row.firstName ||= firstName;
        row.lastName ||= lastName;
      } else row[column] = READ[column]?.(cell) ?? cell;
    }
    // Who has a last name only is known by it.
    if (row.firstName === "" && row.lastName !== "") return { ...row, firstName: row.lastName, lastName: "" };
    return row;
  });

/** A warning does not have to be corrected. */
export type Problem = { field: Field; message: ValidationKey; isWarning?: boolean };

/** What is wrong with each row; rows that are left out count for nothing. */
export function problemsOf(rows: readonly Row[], left: ReadonlySet<number>): (Problem | undefined)[] {
  const seen = new Set<string>();
  const haveEmails = rows.some(({ email }) => email.trim() !== "");
  return rows.map((row, index) => {
    if (left.has(index)) return undefined;
    const address = normalizeAddress(row.email);
    const isRepeated = address !== "" && seen.has(address);
    seen.add(address);
    const [issue] = v.safeParse(contactSchema, row).issues ?? [];
    if (issue) {
      const field = v.getDotPath(issue) as Field;
      return { field, message: field === "language" ? "unknownLanguage" : (issue.message as ValidationKey) };
    }
    if (isRepeated) return { field: "email", message: "emailListedTwice" };
    if (row.phone.trim() !== "" && !looksLikePhone(row.phone))
      return { field: "phone", message: "invalidPhone", isWarning: true };
    return haveEmails && address === "" ? { field: "email", message: "noEmail", isWarning: true } : undefined;
  });
}

/** Contacts may have numbers without a country code, and notes beside them, but not two numbers or none. */
function looksLikePhone(typed: string): boolean {
  const digits = plainPhone(typed).replace(/\D/g, "").length;
  return digits >= 5 && digits <= 15;
}

/** The contacts to send: a field that neither the file nor a correction has leaves what is stored. */
export const contactsOf = (
  rows: readonly Row[],
  { left, columns }: { left: ReadonlySet<number>; columns: readonly (Column | "")[] },
) => {
  const inFile = (field: Field) =>
    columns.includes(field) || (field === "lastName" && columns.includes("name"));
  return rows
    .filter((_, index) => !left.has(index))
    .map((row) => {
      const given = FIELDS.filter((field) => inFile(field) || row[field] !== "");
      const texts = given
        .filter((field) => field !== "language" && field !== "tags")
        .map((field) => [field, row[field] || null]);
      return {
        ...(Object.fromEntries(texts) as Partial<Record<Exclude<Field, "language" | "tags">, string | null>>),
        ...(given.includes("tags") && { tags: tagsIn(row.tags) }),
        firstName: row.firstName,
        ...(given.includes("language") && { language: isLanguage(row.language) ? row.language : null }),
      };
    });
};
