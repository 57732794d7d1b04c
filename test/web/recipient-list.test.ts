import { expect, test } from "bun:test";
import type { Contact } from "../../web/features/contacts/contacts.queries";
import { rowsOf } from "../../web/features/contacts/import/import-rows";
import {
  columnsOf,
  EMPTY_LIST,
  type FillContext,
  fingerprint,
  knownContacts,
  missingOf,
  placeholdersOf,
  problemsOf,
  type RecipientRow,
  recipientOf,
  rowOfContact,
  severalDraft,
  textsFor,
  withColumns,
  withRows,
  withTable,
} from "../../web/features/envelopes/several/recipient-list";
import { initialValues } from "../../web/features/envelopes/wizard/wizard-values";
import { lastNameFirst } from "../../web/lib/list-columns";
import { addDays } from "../../worker/contract/days";

const HEADER = ["Mandant", "E-Mail", "Sprache", "Kundennummer", "Firma"];
const TABLE = {
  header: HEADER,
  rows: [
    ["Jürgen Größe", "juergen@example.com", "Deutsch", "1001", "Größe GmbH"],
    ["Änne", "aenne(at)example.com", "", "", ""],
    ["Doppelt", "JUERGEN@example.com", "Klingonisch", "1003", ""],
  ],
  formulas: 0,
  encoding: null,
};
const contact = (fields: object) =>
  ({
    id: 7,
    firstName: "Anna Maria",
    lastName: "Groß",
    email: null,
    phone: null,
    company: null,
    ...fields,
  }) as Contact;
const NOBODY = knownContacts([]);
const CONTEXT: FillContext = {
  texts: { subject: "For {firstName}: {Kundennummer}", message: "", documents: [] },
  names: ["Kundennummer"],
  known: NOBODY,
  dueDate: "",
  day: "2026-03-01",
  language: "en",
};

test("of a list without a line of names, the columns of addresses and names are found by what is in them", () => {
  const line = ["1001", "Ada Lovelace", "ada@example.com", "London", "12.03.2026"];
  expect(columnsOf(line)).toEqual(["", "name", "email", "", ""]);
  const table = { ...TABLE, header: line, rows: [line] };
  expect(withTable(EMPTY_LIST, table).rows).toMatchObject([
    { recipientName: "Ada Lovelace", recipientEmail: "ada@example.com" },
  ]);
  expect(placeholdersOf(withTable(EMPTY_LIST, table))).toEqual([]);
});

test("what a list does not know becomes a placeholder by its name", () => {
  expect(columnsOf(HEADER)).toEqual(["name", "email", "language", "values.Kundennummer", "values.Firma"]);
  expect(columnsOf(["Email", "E-Mail", "name", "dueDate", "", "a{b", "Jahr", "Jahr"])).toEqual([
    "email",
    "",
    "name",
    "",
    "",
    "",
    "values.Jahr",
    "",
  ]);
});

test("a file's rows have names, languages and values; another mapping reads them again", () => {
  const list = withTable(EMPTY_LIST, TABLE);
  expect(list.rows[0]).toEqual({
    ...{ recipientName: "Jürgen Größe", recipientEmail: "juergen@example.com", recipientPhone: "" },
    ...{ language: "de", "values.Kundennummer": "1001", "values.Firma": "Größe GmbH" },
    ...{ contactId: "", source: "file" },
  });
  expect(placeholdersOf(list)).toEqual(["Kundennummer", "Firma"]);
  const again = withColumns(list, ["name", "email", "", "values.Kundennummer", ""]);
  expect(again.rows[2]).toMatchObject({ language: "", "values.Kundennummer": "1003" });
  expect(placeholdersOf(again)).toEqual(["Kundennummer"]);
});

test("what was typed and left out stays when another column is mapped", () => {
  const read = withTable(EMPTY_LIST, TABLE);
  const typed = read.rows.map((row) => ({ ...row, recipientName: "Typed", "values.Kundennummer": "7" }));
  const list = { ...read, rows: typed, left: [1] };
  const columns = read.columns.map((column) => (column === "values.Kundennummer" ? "" : column));
  const mapped = withColumns(list, columns);
  expect(mapped.rows.map(({ recipientName }) => recipientName)).toEqual(["Typed", "Typed", "Typed"]);
  expect(mapped.left).toEqual([1]);
  expect(Object.keys(mapped.rows[0] ?? {})).not.toContain("values.Kundennummer");
  const byFirstName = read.columns.map((column) => (column === "name" ? "firstName" : column));
  const edited = {
    ...read,
    rows: read.rows.with(1, { ...read.rows[1], recipientEmail: "x@example.com" } as RecipientRow),
  };
  expect(withColumns(edited, byFirstName).rows[1]?.recipientEmail).toBe("x@example.com");
});

test("a name with its last part first is read in order, and a suffix is none", () => {
  const table = {
    header: ["Name"],
    rows: [["Lovelace, Ada"], ["Engines, Ltd"], ["Ada Lovelace"]],
    formulas: 0,
    encoding: null,
  };
  expect(withTable(EMPTY_LIST, table).rows.map(({ recipientName }) => recipientName)).toEqual([
    "Ada Lovelace",
    "Engines, Ltd",
    "Ada Lovelace",
  ]);
  expect(rowsOf({ rows: [["von der Leyen, Ursula Gertrud"]] }, ["name"])[0]).toMatchObject({
    firstName: "Ursula Gertrud",
    lastName: "von der Leyen",
  });
});

test("a name of spaces keeps nobody waiting", () => {
  const started = performance.now();
  for (const name of [" ".repeat(3000), `a,${" ".repeat(3000)}b,`])
    expect(lastNameFirst(name)).toBeUndefined();
  expect(performance.now() - started).toBeLessThan(500);
});

test("contacts stay when a file is read, and are added once", () => {
  const picked = withRows(EMPTY_LIST, [rowOfContact(contact({}))]);
  expect(withRows(picked, [rowOfContact(contact({}))]).rows).toHaveLength(1);
  expect(withTable({ ...picked, left: [0] }, TABLE)).toMatchObject({
    left: [0],
    rows: [{ contactId: "7" }, {}, {}, {}],
  });
});

test("each row's problem is named, for how recipients are notified; the same address twice is a warning", () => {
  const { rows } = withTable(EMPTY_LIST, TABLE);
  expect(problemsOf(rows, new Set(), "email").map((problem) => problem?.message)).toEqual([
    undefined,
    "invalidEmail",
    "unknownLanguage",
  ]);
  const mended = rows.with(2, { ...(rows[2] as RecipientRow), language: "" });
  expect(problemsOf(mended, new Set([1]), "email")[2]).toEqual({
    ...{ field: "recipientEmail", message: "emailListedTwice", isWarning: true },
  });
  expect(problemsOf(mended, new Set([0, 1]), "email")).toEqual([undefined, undefined, undefined]);
  expect(problemsOf(rows, new Set(), "sms")[0]?.message).toBe("phoneNeeded");
  const phone = (recipientPhone: string) => [{ ...(rows[0] as RecipientRow), recipientPhone }];
  expect(problemsOf(phone("12"), new Set(), "both")[0]?.message).toBe("invalidRecipientPhone");
  expect(problemsOf(phone("+49 1512 3456789"), new Set(), "both")).toEqual([undefined]);
});

test("a number that no text message is sent to does not stop an email, and is left out if it is impossible", () => {
  const row = rowOfContact(contact({ email: "a@example.com", phone: "0171 2345600" }));
  expect(
    problemsOf([row, { ...row, contactId: "", recipientEmail: "b@example.com" }], new Set(), "email"),
  ).toEqual([undefined, { field: "recipientPhone", message: "phoneUnused", isWarning: true }]);
  expect(recipientOf(row, new Map(), []).recipientPhone).toBeNull();
  const language = { ...row, language: "x" };
  expect(problemsOf([language], new Set(), "email")[0]?.message).toBe("unknownLanguage");
});

test("a recipient with a contact's address is that contact, with their language and first name", () => {
  const known = knownContacts([contact({ email: "Juergen@example.com", language: "fr" })]);
  const { rows } = withTable(EMPTY_LIST, { ...TABLE, header: HEADER.with(2, "x") });
  const recipient = recipientOf(rows[0] as RecipientRow, known, ["Kundennummer"]);
  expect(recipient).toMatchObject({ contactId: 7, language: "fr", values: { Kundennummer: "1001" } });
  const { texts } = textsFor(rows[0] as RecipientRow, { ...CONTEXT, known });
  expect(texts.subject).toBe("For Anna Maria: 1001");
  expect(textsFor(rows[0] as RecipientRow, CONTEXT).texts.subject).toBe("For Jürgen: 1001");
});

test("who lacks a value is found, unless no text has placeholders or the row is left out", () => {
  const { rows } = withTable(EMPTY_LIST, TABLE);
  const missing = (left: number[], texts: object = CONTEXT.texts) =>
    missingOf(rows, new Set(left), { ...CONTEXT, texts: { ...CONTEXT.texts, ...texts } }, new WeakMap());
  expect(missing([])).toEqual([[], ["Kundennummer"], []]);
  expect(missing([1])).toEqual([[], [], []]);
  expect(missing([], { subject: "Plain" })).toEqual([[], [], []]);
});

test("a wizard's recipient becomes the first row, and its form asks for no phone number of one", () => {
  const values = {
    ...initialValues(),
    recipientName: "Ada",
    recipientEmail: "ada@example.com",
    subject: "S",
  };
  const draft = severalDraft(values);
  expect(draft.extra.list.rows).toEqual([
    expect.objectContaining({ recipientName: "Ada", recipientEmail: "ada@example.com", contactId: "" }),
  ]);
  expect(draft.values).toMatchObject({ recipientName: "", subject: "S", storedPhone: "" });
  expect(severalDraft(initialValues()).extra.list.rows).toEqual([]);
});

test("500 rows are checked within a frame after one of them was edited", () => {
  const rows = Array.from({ length: 500 }, (_, index) => [
    ...[`Person ${index}`, `p${index}@example.com`, "de", String(index), "+4915123456789"],
  ]);
  const list = withTable(EMPTY_LIST, {
    header: HEADER.with(4, "Telefon"),
    rows,
    formulas: 0,
    encoding: null,
  });
  const cache = new WeakMap<RecipientRow, string[]>();
  const check = (changed: readonly RecipientRow[]) => {
    problemsOf(changed, new Set(), "both");
    missingOf(changed, new Set(), { ...CONTEXT, dueDate: addDays("2026-03-01", 9) }, cache);
  };
  check(list.rows);
  const times = Array.from({ length: 9 }, (_, index) => {
    const start = performance.now();
    check(list.rows.with(index, { ...(list.rows[index] as RecipientRow), recipientName: "Other" }));
    return performance.now() - start;
  });
  // On a busy machine, others interrupt most of them.
  expect(Math.min(...times)).toBeLessThan(16);
});

test("texts that differ have other fingerprints", () => {
  const prints = Array.from({ length: 1000 }, (_, index) => fingerprint(`{"recipients":[${index}]}`));
  expect(new Set(prints).size).toBe(1000);
  expect(fingerprint("a")).toBe(fingerprint("a"));
});
