import { expect, test } from "bun:test";
import * as fc from "fast-check";
import {
  COLUMNS,
  contactsOf,
  FIELDS,
  problemsOf,
  type Row,
  rowsOf,
} from "../../web/features/contacts/import/import-rows";
import { columnOf, mapHeader } from "../../web/lib/list-columns";
import { LIST_ENCODINGS, type ListEncoding } from "../../web/lib/list-encoding";
import { type CsvTable, readCsv } from "../../web/lib/read-csv";
import type { Language } from "../../worker/contract/options";
import { csvFile as exportedCsv } from "../../worker/lib/csv";
import { CSV_ENCODINGS, csvFile } from "../support/files/csv-files";

const read = (file: Blob, language: Language = "en", chosen?: ListEncoding) =>
  readCsv(file, (cell) => columnOf(cell) !== undefined, language, chosen);

async function contactsIn(file: Blob, language?: Language) {
  const table = (await read(file, language)) as CsvTable;
  return rowsOf(table, mapHeader(table.header, COLUMNS));
}

const BLANK = Object.fromEntries(FIELDS.map((field) => [field, ""])) as Row;

test.each(CSV_ENCODINGS)("a list in %s is read", async (encoding) => {
  const text = "Vorname;Nachname;E-Mail;Firma\r\nJürgen;Größe;j@example.com;Müller & Söhne\r\n";
  expect(await contactsIn(csvFile(text, encoding))).toEqual([
    { ...BLANK, firstName: "Jürgen", lastName: "Größe", email: "j@example.com", company: "Müller & Söhne" },
  ]);
});

/** Lists as iconv encodes them, in base64. */
const ENCODED: [Language, ListEncoding, string, string][] = [
  [
    "ja",
    "Shift_JIS",
    "joGWvCyDgYFbg4ssie+O0AqOUpNjidSOcSxoYW5ha29AZXhhbXBsZS5jb20sjlKTY4+kk1gKg1iDWYNMkb6YWSx0YXJvQGV4YW1wbGUuY29tLJfpltiBaYqUgWo=",
    "氏名,メール,会社\n山田花子,hanako@example.com,山田商店\nスズキ太郎,taro@example.com,鈴木（株）",
  ],
  [
    "zh",
    "GBK",
    "0NXD+yy159fT08rP5Cy5q8u+Cs310KHD9yx3YW5nQGV4YW1wbGUuY29tLLGxvqm/xry809DP3rmry74KwO7A9ixsaUBleGFtcGxlLmNvbSzJz7qjw7PS1w==",
    "姓名,电子邮箱,公司\n王小明,wang@example.com,北京科技有限公司\n李丽,li@example.com,上海贸易",
  ],
  [
    "de",
    "Mac Roman",
    "Vm9ybmFtZSxOYWNobmFtZSxGaXJtYQpKn3JnZW4sR3Kap2UsTZ9sbGVyICYgU5pobmUKgG5uZSxXZWmnLFN0cmGnZW5iYXUg44Vs0g==",
    "Vorname,Nachname,Firma\nJürgen,Größe,Müller & Söhne\nÄnne,Weiß,Straßenbau „Öl“",
  ],
  [
    "fr",
    "Mac Roman",
    "UHKObm9tLE5vbSxTb2NpjnSOCkFtjmxpZSxMZWaPdnJlLENykHBlcmllIMcgTm+RbCDI",
    "Prénom,Nom,Société\nAmélie,Lefèvre,Crêperie « Noël »",
  ],
  [
    "de",
    "CP850",
    "Vm9ybmFtZSxOYWNobmFtZSxGaXJtYQpKgXJnZW4sR3KU4WUsTYFsbGVyICYgU5RobmUKjm5uZSxXZWnhLFN0cmHhZW5iYXU=",
    "Vorname,Nachname,Firma\nJürgen,Größe,Müller & Söhne\nÄnne,Weiß,Straßenbau",
  ],
  [
    "es",
    "Windows-1252",
    "Tm9tYnJlLEFwZWxsaWRvcyxFbXByZXNhCkpvc+ksTvrxZXosQ+1hLiCrQfFvuyCWIDUggA==",
    "Nombre,Apellidos,Empresa\nJosé,Núñez,Cía. «Año» – 5 €",
  ],
  [
    "pt",
    "Windows-1252",
    "Tm9tZSxTb2JyZW5vbWUsRW1wcmVzYQpKb+NvLENvbmNlaefjbyxQYWRhcmlhIFPjbyBKb3Pp",
    "Nome,Sobrenome,Empresa\nJoão,Conceição,Padaria São José",
  ],
  [
    "en",
    "Windows-1250",
    "TmFtZSxFbWFpbAqjdWthc3ogV2Gz6nNhLGxAZXhhbXBsZS5jb20KSmn47SBEdm/44WssakBleGFtcGxlLmNvbQqvYW5ldGEgR+qcLHpAZXhhbXBsZS5jb20=",
    "Name,Email\nŁukasz Wałęsa,l@example.com\nJiří Dvořák,j@example.com\nŻaneta Gęś,z@example.com",
  ],
  [
    "en",
    "Windows-1251",
    "TmFtZSxFbWFpbArI4uDtIM/l8vDu4ixpQGV4YW1wbGUuY29tCs7r/OPgINHs6PDt7uLgLG9AZXhhbXBsZS5jb20=",
    "Name,Email\nИван Петров,i@example.com\nОльга Смирнова,o@example.com",
  ],
];

test.each(ENCODED)("in %s, a list in %s is read as written", async (language, encoding, base64, text) => {
  const file = new File([Uint8Array.fromBase64(base64)], "list.csv");
  const table = (await read(file, language)) as CsvTable;
  expect([table.encoding, [table.header, ...table.rows].map((row) => row.join(",")).join("\n")]).toEqual([
    encoding,
    text,
  ]);
});

test.each(ENCODED)("for %s, a list in %s is read in a chosen encoding", async (_, encoding, base64, text) => {
  const file = new File([Uint8Array.fromBase64(base64)], "list.csv");
  for (const chosen of LIST_ENCODINGS) {
    const table = (await read(file, "en", chosen)) as CsvTable;
    expect(table.encoding).toBe(chosen);
    if (chosen === encoding) expect(table.header.join(",")).toBe(text.split("\n")[0] as string);
  }
});

test.each([
  ['"Ann" Example,ann@example.com,5" pipe', ['"Ann" Example', "ann@example.com", '5" pipe']],
  ['"Ann Example,ann@example.com,pipe', ['"Ann Example', "ann@example.com", "pipe"]],
  ['Ann "A" Example,ann@example.com,"', ['Ann "A" Example', "ann@example.com", '"']],
  ['"Ann, Dr.",ann@example.com,"5"" pipe"', ["Ann, Dr.", "ann@example.com", '5" pipe']],
])("a stray quote takes no further rows into its cell: %s", async (line, cells) => {
  for (const end of ["\n", "\r\n"]) {
    const after = 'Bob,bob@example.com,"two\nlines"';
    const table = (await read(
      csvFile(["Name,Email,Notes", line, after, "Cy,cy@example.com,"].join(end)),
    )) as CsvTable;
    expect(table.rows).toEqual([
      cells,
      ["Bob", "bob@example.com", "two\nlines"],
      ["Cy", "cy@example.com", ""],
    ]);
  }
});

test.each([",", ";", "\t"])("%j may separate cells, with quotes and line breaks inside", async (sign) => {
  const text = `Name${sign}Email${sign}Notes\n"Ada ""Countess"" Lovelace"${sign}ada@example.com${sign}"one${sign}\ntwo"\n`;
  expect(await contactsIn(csvFile(text))).toEqual([
    {
      ...BLANK,
      firstName: "Ada",
      lastName: '"Countess" Lovelace',
      email: "ada@example.com",
      notes: `one${sign}\ntwo`,
    },
  ]);
});

test.each([
  ["en", "First Name,Last Name,E-mail Address,Mobile Phone,Company"],
  ["de", "Vorname,Nachname,E-Mail-Adresse,Telefon,Firma"],
  ["fr", "Prénom,Nom,Adresse e-mail,Téléphone,Société"],
  ["es", "Nombre,Apellidos,Correo electrónico,Teléfono,Empresa"],
  ["pt", "Nome,Sobrenome,E-mail,Celular,Empresa"],
  ["zh", "名,姓,电子邮箱,电话,公司"],
  ["ja", "名,姓,メールアドレス,電話番号,会社名"],
])("the columns of a list in %s are found by their names", (_, header) => {
  const fields = mapHeader(header.split(","), COLUMNS).join();
  expect(fields).toBe("firstName,lastName,email,phone,company");
});

test("languages are read by code and by name; others are a problem of the row", async () => {
  const names = "de,de-AT,Deutsch,german,Français,Französisch,português,中文,Klingonisch,".split(",");
  const lines = names.map((name, index) => `Person${index};${name}`).join("\n");
  const rows = await contactsIn(csvFile(`Vorname;Sprache\n${lines}\n`));
  expect(rows.map(({ language }) => language).join()).toBe("de,de,de,de,fr,fr,pt,zh,Klingonisch,");
  const problems = problemsOf(rows, new Set());
  expect(
    problems.flatMap((problem, index) => (problem ? [[index, problem.field, problem.message]] : [])),
  ).toEqual([[8, "language", "unknownLanguage"]]);
  const sent = contactsOf(rows, { left: new Set([8]), columns: ["firstName", "language"] });
  expect(sent.at(0)).toEqual({ firstName: "Person0", language: "de" });
  expect(sent.at(-1)).toEqual({ firstName: "Person9", language: null });
});

test("lines above the header, as a bank writes them, are left out", async () => {
  const text =
    'Kundenliste\n"Stand: 22.11.2026; 09:00"\n\nKonto;123\nMandant;E-Mail\nAda Lovelace;ada@example.com\n';
  expect(await contactsIn(csvFile(text))).toEqual([
    { ...BLANK, firstName: "Ada", lastName: "Lovelace", email: "ada@example.com" },
  ]);
});

const LISTS = new URL("../support/files/lists/", import.meta.url);

test.each([
  [
    "excel-german.csv",
    [
      {
        ...{
          firstName: "Jürgen",
          lastName: "Größe",
          email: "juergen.groesse@example.com",
          phone: "030 1234567",
        },
        ...{ company: "Müller & Söhne GmbH", language: "de", notes: 'zahlt "immer"; nie – zu spät' },
      },
      {
        firstName: "Zoë",
        lastName: "O’Neill",
        email: "zoe@example.com",
        language: "en",
        notes: "Honorar 100 €",
      },
    ],
  ],
  [
    "numbers.csv",
    [
      {
        ...{ firstName: "Amélie", lastName: "Lefèvre", email: "amelie@example.com" },
        ...{ phone: "+33 1 23 45 67 89", company: "Crêperie « Chez Noël »" },
      },
      { firstName: "José", lastName: "Núñez", email: "jose@example.com" },
    ],
  ],
  [
    "google.csv",
    [
      {
        ...{ firstName: "Ada", lastName: "Lovelace", email: "ada@example.com", phone: "+44 20 7946 0000" },
        ...{ company: "Analytical Engines", notes: "Two lines:\nsecond" },
      },
      { firstName: "花子", lastName: "山田", email: "hanako@example.com", company: "山田商店" },
    ],
  ],
  [
    "libreoffice.csv",
    [
      {
        ...{ firstName: "Grace", lastName: "Brewster Hopper", email: "grace@example.com" },
        ...{ phone: "+1 555 0100", company: "Navy, US" },
      },
      { firstName: "Joan", email: "joan@example.com" },
    ],
  ],
  [
    "bank.csv",
    [
      { firstName: "Änne", lastName: "Weiß", email: "aenne@example.com", phone: "0221 998877" },
      { firstName: "Björn", lastName: "Maß", email: "bjoern@example.com" },
    ],
  ],
])("a list as people have it is read whole: %s", async (name, expected) => {
  const rows = await contactsIn(new File([await Bun.file(new URL(name, LISTS)).bytes()], name));
  expect(rows).toEqual(expected.map((row) => ({ ...BLANK, ...row })));
  expect(problemsOf(rows, new Set()).filter(Boolean)).toEqual([]);
});

test("columns in which nothing is written are left out, also where a spreadsheet saved thousands of them", async () => {
  const none = ",".repeat(16_000);
  const text = `Name,,Phone,,Notes${none}\nAda,,,x,${none}\nBob,,1,,${none}\n`;
  expect(await read(new Blob([text]))).toMatchObject({
    header: ["Name", "Phone", "", "Notes"],
    rows: [
      ["Ada", "", "x", ""],
      ["Bob", "1", "", ""],
    ],
  });
});

test("a list without known names has its first line as the header, and no column is mapped", async () => {
  const table = (await read(csvFile("a,b\nAda,ada@example.com\n"))) as CsvTable;
  expect(table.header).toEqual(["a", "b"]);
  expect(mapHeader(table.header, COLUMNS)).toEqual(["", ""]);
});

test("nobody is lost from a list without a line of names: its first line stays in it", async () => {
  const lines = "Ann,ann@example.com\nBob,bob@example.com";
  const table = (await read(csvFile(lines))) as CsvTable;
  expect(table).toMatchObject({
    header: ["Ann", "ann@example.com"],
    rows: lines.split("\n").map((line) => line.split(",")),
  });
  expect(await read(csvFile("Ann,ann@example.com"))).toMatchObject({ rows: [["Ann", "ann@example.com"]] });
});

test("formulas are counted and read as text, and the mark of an export is removed", async () => {
  const table = (await read(csvFile("Name,Phone\n=1+1,'+1 555\n"))) as CsvTable;
  expect([table.formulas, table.rows]).toEqual([1, [["=1+1", "+1 555"]]]);
});

test("phone numbers, negative numbers and dashes are no formulas; what computes or calls is one", async () => {
  const cells = ["+49 (30) 123-45", "-5", "- none", "-", "+1+SUM(A1)", "@SUM(A1)", "-1+cmd|' /C calc'!A0"];
  const table = (await read(csvFile(`Name\n${cells.join("\n")}\n`))) as CsvTable;
  expect(table.formulas).toBe(3);
  expect(table.rows.flat()).toEqual(cells);
});

test("what is exported comes back unchanged, whatever it begins with", async () => {
  const pieces = [..."'\"=+-@＝＋－＠\t\n;, 1", "\r\n", "tis"];
  const cell = fc
    .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 8 })
    .map((parts) => parts.join("").trim())
    .filter((text) => text !== "");
  await fc.assert(
    fc.asyncProperty(cell, cell, async (name, notes) => {
      const pages = async function* () {
        yield [[name, notes]];
      };
      const file = await new Response(exportedCsv(["Name", "Notes"], pages())).blob();
      const bytes = await file.text();
      expect(bytes).not.toMatch(/(?:^|[\n;])"?[=@]/);
      expect(((await read(file)) as CsvTable).rows).toEqual([[name, notes]]);
    }),
    { seed: 43, numRuns: 1000 },
  );
});

test("ten thousand lines are read", async () => {
  const lines = Array.from({ length: 10_000 }, (_, index) => `Person ${index},p${index}@example.com`);
  const table = (await read(csvFile(`Name,Email\n${lines.join("\n")}\n`))) as CsvTable;
  expect(table.rows).toHaveLength(10_000);
});

test.each([
  ["empty", new File([], "list.csv")],
  ["empty", csvFile("  \n\n")],
  ["empty", csvFile("Name,Email\n")],
  ["notText", new File([new Uint8Array([0x50, 0x4b, 3, 4, 20])], "list.xlsx")],
  ["notText", new File([new Uint8Array([1, 2, 0, 0, 7])], "list.csv")],
  ["noTable", csvFile(`Name\n${"x".repeat(5_000_000)}`)],
  ["tooLarge", csvFile("x".repeat(6_000_000))],
])("a file that is no list is rejected: %s", async (problem, file) => {
  expect(await read(file)).toEqual({ problem } as never);
});

test("each row's problem is named; rows that are left out have none", () => {
  const rows = [
    { ...BLANK, firstName: "Ada", email: "ada@example.com" },
    { ...BLANK, firstName: "Ida", email: "ADA@example.com" },
    { ...BLANK, email: "x@example.com" },
    { ...BLANK, firstName: "Joe", email: "nobody" },
    { ...BLANK, firstName: "x".repeat(201) },
  ];
  const messages = (left: number[]) => problemsOf(rows, new Set(left)).map((problem) => problem?.message);
  expect(messages([])).toEqual([
    undefined,
    "emailListedTwice",
    "firstNameRequired",
    "invalidEmail",
    "tooLong",
  ]);
  expect(messages([0, 2, 3, 4])).toEqual([undefined, undefined, undefined, undefined, undefined]);
});

test("a row without an address that others have, or with no usable number, gets a warning", () => {
  const row = (email: string, phone: string) => ({ ...BLANK, firstName: "Ada", email, phone });
  const rows = [
    row("ada@example.com", "030 1234567 (home)"),
    row("", "+49 30 1234567"),
    row("ida@example.com", "see file"),
    row("joe@example.com", "030 1234567 / 0151 23456789"),
  ];
  const found = problemsOf(rows, new Set());
  expect(found.map((problem) => problem?.message)).toEqual([
    undefined,
    "noEmail",
    "invalidPhone",
    "invalidPhone",
  ]);
  expect(found.every((problem) => !problem || problem.isWarning)).toBe(true);
  expect(problemsOf([row("", "030 1234567"), row("", "")], new Set())).toEqual([undefined, undefined]);
});

test("columns that the file lacks are not sent, so that what is stored stays", () => {
  const rows = [{ ...BLANK, firstName: "Ada", email: "ada@example.com" }];
  expect(contactsOf(rows, { left: new Set(), columns: ["firstName", "email", "phone"] })).toEqual([
    { firstName: "Ada", email: "ada@example.com", phone: null },
  ]);
});
