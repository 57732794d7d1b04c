import { LIMITS } from "../../../../worker/contract/limits";
import type { MessageKey } from "../../../../worker/contract/messages";
import type { Language } from "../../../../worker/contract/options";
import { isEmailAddress, normalizeAddress } from "../../../../worker/contract/patterns";
import { languageNamed } from "../../../lib/language-named";
import type { CsvTable } from "../../../lib/read-csv";

/** The columns that an import knows; `name` is first and last name in one. */
export const COLUMNS = [
  "name",
  "firstName",
  "lastName",
  "email",
  "phone",
  "company",
  "language",
  "notes",
] as const;
export type Column = (typeof COLUMNS)[number];
/** The fields that are shown and can be edited. */
export const FIELDS = ["firstName", "lastName", "email", "phone", "company", "language", "notes"] as const;
export type Field = (typeof FIELDS)[number];

/** How lists in seven languages, and the programs that export them, name the columns: folded, see `foldHeader`. */
const WORDS: Record<Column, string> = {
  name: "name,fullname,displayname,contact,client,clientname,vollstandigername,kontakt,kunde,mandant,nom complet,nomcomplet,nombrecompleto,cliente,nomecompleto,氏名,お名前,名前,姓名,名称",
  firstName: "firstname,givenname,forename,vorname,prenom,nombre,nombredepila,primeironome,nome,名,名字",
  lastName:
    "lastname,surname,familyname,nachname,familienname,nom,nomdefamille,apellido,apellidos,sobrenome,apelido,ultimonome,姓,姓氏",
  email:
    "email,emailaddress,mail,emailadresse,mailadresse,email1value,adresseemail,courriel,adressemail,correo,correoelectronico,enderecodeemail,メール,メールアドレス,电子邮件,电子邮箱,邮箱,电邮",
  phone:
    "phone,phonenumber,mobile,mobilephone,telephone,tel,telefon,telefonnummer,handy,mobil,portable,telefono,movil,telefone,celular,telemovel,電話,電話番号,电话,手机,电话号码",
  company:
    "company,organization,organisation,companyname,firma,unternehmen,firmenname,societe,entreprise,empresa,compania,会社,会社名,公司",
  language:
    "language,lang,locale,preferredlanguage,sprache,korrespondenzsprache,langue,idioma,lingua,lengua,言語,语言,語言",
  notes:
    "notes,note,comment,comments,notiz,notizen,bemerkung,remarque,remarques,notas,nota,comentarios,observacoes,備考,メモ,备注",
};

/** Without case, accents and everything but letters and digits. */
const foldHeader = (text: string) =>
  text
    .normalize("NFKD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

const KNOWN = new Map(
  COLUMNS.flatMap((column) => WORDS[column].split(",").map((word) => [foldHeader(word), column] as const)),
);

export const columnOf = (header: string): Column | undefined => KNOWN.get(foldHeader(header));

/** The column of each header; of equal ones, the first. */
export function mapHeader(header: readonly string[]): (Column | "")[] {
  const used = new Set<Column>();
  return header.map((cell) => {
    const column = columnOf(cell);
    if (!column || used.has(column)) return "";
    used.add(column);
    return column;
  });
}

/** `language` is a code, or what the file says if that is none. */
export type Row = Record<Field, string>;

const NO_ROW: Row = {
  firstName: "",
  lastName: "",
  email: "",
  phone: "",
  company: "",
  language: "",
  notes: "",
};

/** The rows of a table by its columns. */
export const rowsOf = ({ rows }: Pick<CsvTable, "rows">, columns: readonly (Column | "")[]): Row[] =>
  rows.map((cells) => {
    const row = { ...NO_ROW };
    for (const [index, column] of columns.entries()) {
      const cell = cells[index] ?? "";
      if (column === "" || cell === "") continue;
      if (column === "language") row.language = languageNamed(cell) ?? cell;
      else if (column !== "name") row[column] = cell;
      else {
        const [first = "", ...rest] = cell.split(/\s+/);
        row.firstName ||= first;
        row.lastName ||= rest.join(" ");
      }
    }
    // Who has a last name only is known by it.
    if (row.firstName === "" && row.lastName !== "") return { ...row, firstName: row.lastName, lastName: "" };
    return row;
  });

export type Problem = { field: Field; message: MessageKey | "tooLong" | "unknownLanguage" };

const MAX: Record<Field, number> = {
  firstName: LIMITS.name,
  lastName: LIMITS.name,
  email: LIMITS.email,
  phone: LIMITS.phone,
  company: LIMITS.name,
  language: LIMITS.name,
  notes: LIMITS.text,
};

/** What is wrong with each row; rows that are left out count for nothing. */
export function problemsOf(rows: readonly Row[], left: ReadonlySet<number>): (Problem | undefined)[] {
  const seen = new Set<string>();
  return rows.map((row, index) => {
    if (left.has(index)) return undefined;
    const address = normalizeAddress(row.email);
    const isRepeated = address !== "" && seen.has(address);
    seen.add(address);
    const long = FIELDS.find((field) => row[field].length > MAX[field]);
    if (long) return { field: long, message: "tooLong" };
    if (row.firstName.trim() === "") return { field: "firstName", message: "firstNameRequired" };
    if (address !== "" && !isEmailAddress(address)) return { field: "email", message: "invalidEmail" };
    if (row.language !== "" && !languageNamed(row.language))
      return { field: "language", message: "unknownLanguage" };
    return isRepeated ? { field: "email", message: "emailListedTwice" } : undefined;
  });
}

type ListedContact = Pick<Row, "firstName"> &
  Partial<Record<Exclude<Field, "language">, string | null> & { language: Language | null }>;

/** The contacts to send: a column that the file lacks leaves what is stored. */
export const contactsOf = (
  rows: readonly Row[],
  { left, columns }: { left: ReadonlySet<number>; columns: readonly (Column | "")[] },
) => {
  const hasName = columns.includes("name");
  const given = FIELDS.filter(
    (field) => field === "firstName" || columns.includes(field) || (hasName && field === "lastName"),
  );
  return rows
    .filter((_, index) => !left.has(index))
    .map(
      (row): ListedContact => ({
        ...Object.fromEntries(given.map((field) => [field, row[field] || null])),
        ...(given.includes("language") && { language: languageNamed(row.language) ?? null }),
        firstName: row.firstName,
      }),
    );
};
