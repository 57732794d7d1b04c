import { LANGUAGES, type Language } from "../../worker/contract/options";
import { isEmailAddress, type Names, normalizeAddress } from "../../worker/contract/patterns";

/**
 * How lists in seven languages, and the programs that export them, name the columns: folded, see `fold`. `name` is first
 * and last name in one.
 */
const WORDS = {
  name: "name,fullname,displayname,contact,client,clientname,recipient,recipientname,vollstandigername,kontakt,kunde,mandant,empfanger,nom complet,nomcomplet,destinataire,nombrecompleto,cliente,destinatario,nomecompleto,氏名,お名前,名前,宛名,姓名,名称,收件人",
  firstName: "firstname,givenname,forename,vorname,prenom,nombre,nombredepila,primeironome,nome,名,名字",
  lastName:
    "lastname,surname,familyname,nachname,familienname,nom,nomdefamille,apellido,apellidos,sobrenome,apelido,ultimonome,姓,姓氏",
  email:
    "email,emailaddress,mail,emailadresse,mailadresse,email1value,adresseemail,courriel,adressemail,correo,correoelectronico,enderecodeemail,メール,メールアドレス,电子邮件,电子邮箱,邮箱,电邮",
  phone:
    "phone,phonenumber,phone1value,businessphone,mobile,mobilephone,telephone,tel,telefon,telefonnummer,handy,mobil,portable,telefono,movil,telefone,celular,telemovel,電話,電話番号,电话,手机,电话号码",
  company:
    "company,organization,organisation,organizationname,companyname,firma,unternehmen,firmenname,societe,entreprise,empresa,compania,会社,会社名,公司",
  language:
    "language,lang,locale,preferredlanguage,sprache,korrespondenzsprache,langue,idioma,lingua,lengua,言語,语言,語言",
  notes:
    "notes,note,comment,comments,notiz,notizen,bemerkung,remarque,remarques,notas,nota,comentarios,observacoes,備考,メモ,备注",
  tags: "tag,tags,group,groups,category,categories,label,labels,schlagwort,schlagworter,gruppe,gruppen,kategorie,kategorien,etiquette,etiquettes,groupe,groupes,categorie,etiqueta,etiquetas,grupo,grupos,categoria,categorias,タグ,グループ,标签,分组",
  folder: "folder,clientfolder,ordner,mandantenordner,dossier,carpeta,pasta,フォルダー,文件夹",
};

/** The columns that a list of people may have. */
export type ListColumn = keyof typeof WORDS;

const foldCase = (text: string) =>
  text
    .normalize("NFKD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase();

/** Without case, accents and everything but letters and digits. */
const fold = (text: string) => foldCase(text).replace(/[^\p{L}\p{N}]/gu, "");

const KNOWN = new Map(
  (Object.keys(WORDS) as ListColumn[]).flatMap((column) =>
    WORDS[column].split(",").map((word) => [fold(word), column] as const),
  ),
);

export const columnOf = (header: string): ListColumn | undefined => KNOWN.get(fold(header));

const isAddress = (cell: string) => isEmailAddress(normalizeAddress(cell));

/** Whether a list has no line of names: its first line is somebody, with an address. */
export const isWithoutHeader = (header: readonly string[]): boolean =>
  header.some(isAddress) && !header.some(columnOf);

const columnOfValue = (cell: string): ListColumn | undefined =>
  isAddress(cell) ? "email" : /^[^\d@]*\p{L}[^\d@]*$/u.test(cell) ? "name" : undefined;

/** The column of each header, of those that a list uses; of equal ones, the first. */
export function mapHeader<Column extends ListColumn>(
  header: readonly string[],
  columns: readonly Column[],
): (Column | "")[] {
  const used = new Set<Column>();
  const find = isWithoutHeader(header) ? columnOfValue : columnOf;
  return header.map((cell) => {
    const found = find(cell);
    const column = columns.find((known) => known === found);
    if (!column || used.has(column)) return "";
    used.add(column);
    return column;
  });
}

/**
 * The rows of a file that were read again, with what was typed into fields that read as before.
 * @param shown the rows as they were corrected
 * @param before the same as they were read
 */
export function keepTyped<Row extends Readonly<Record<string, string>>>(
  shown: readonly Row[],
  before: readonly Row[],
  read: readonly Row[],
): Row[] {
  return read.map((row, index) => {
    const isKept = ([field, text]: [string, string]) =>
      field in row && row[field] === before[index]?.[field] && text !== row[field];
    return { ...row, ...Object.fromEntries(Object.entries(shown[index] ?? {}).filter(isKept)) };
  });
}

/** What follows a comma and is no first name. */
const SUFFIX =
  /^(?:jr|sr|ii|iii|iv|ph\.?d|m\.?d|m\.?sc|b\.?sc|mba|llm|esq|inc|ltd|llc|gmbh|ag|kg|s\.?a)\.?$/i;

/** The names of "Lovelace, Ada", as many programs export them; undefined for any other form. */
export function lastNameFirst(name: string): Names | undefined {
  const [lastName, firstName, ...more] = name.split(",").map((part) => part.trim());
  return !lastName || !firstName || more.length > 0 || SUFFIX.test(firstName)
    ? undefined
    : { firstName, lastName };
}

/** The language that a cell names; otherwise the cell as it is. */
export const languageIn = (cell: string): string => languageNamed(cell) ?? cell;

export const isLanguage = (text: string): text is Language => LANGUAGES.some((language) => language === text);

/** The languages by their names in each of them. Made on the first use: not every page reads lists. */
const names = (() => {
  let found: ReadonlyMap<string, Language> | undefined;
  return () => {
    found ??= new Map(
      LANGUAGES.flatMap((reader) => {
        const display = new Intl.DisplayNames([reader], { type: "language" });
        return LANGUAGES.map(
          (language) => [foldCase(display.of(language) ?? language).trim(), language] as const,
        );
      }),
    );
    return found;
  };
})();

/** The language that a list names by its code (`de`, `de-AT`) or in one of the seven languages ("German", "Deutsch"). */
function languageNamed(text: string): Language | undefined {
  const folded = foldCase(text).trim();
  return names().get(folded) ?? LANGUAGES.find((code) => code === folded.split(/[-_]/)[0]);
}
