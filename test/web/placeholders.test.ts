import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { LANGUAGES } from "../../worker/contract/options";
import {
  fillColumns,
  fillPlaceholders,
  fillTexts,
  isLongerThan,
  PLACEHOLDERS,
  type PlaceholderSource,
  placeholderValues,
  typedPlaceholders,
  unknownPlaceholders,
} from "../../worker/contract/placeholders";

const columnOf = (columns: Record<string, string>) => (name: string) => columns[name];
const SOURCE: PlaceholderSource = {
  recipientName: "Rita Maria Recipient",
  contact: null,
  dueDate: "2027-02-28",
  day: "2026-03-14",
  language: "en",
};

const fill = (text: string, source: Partial<PlaceholderSource> = {}) =>
  fillPlaceholders(text, placeholderValues({ ...SOURCE, ...source }));

describe("placeholders", () => {
  test("are replaced by what they stand for", () => {
    const contact = { firstName: "Margarita", lastName: "van Dam", company: "Acme" };
    expect(fill("Dear {firstName} {lastName} ({name}) of {company}", { contact }).text).toBe(
      "Dear Margarita van Dam (Rita Maria Recipient) of Acme",
    );
    expect(fill("{month} {year}, for {lastYear}, by {dueDate}").text).toBe(
      "March 2026, for 2025, by 28 February 2027",
    );
  });

  test("without a contact, the first word of the name is the first name and the rest the last name", () => {
    expect(fill("{firstName}|{lastName}").text).toBe("Rita|Maria Recipient");
    expect(fill("{firstName}|{lastName}", { recipientName: "Cher" })).toMatchObject({
      text: "Cher|{lastName}",
      missing: ["lastName"],
    });
  });

  test("dates are written in the language", () => {
    const written = LANGUAGES.map((language) => fill("{month}: {dueDate}", { language }).text);
    expect(written).toEqual([
      "March: 28 February 2027",
      "mars: 28 février 2027",
      "marzo: 28 de febrero de 2027",
      "三月: 2027年2月28日",
      "März: 28. Februar 2027",
      "março: 28 de fevereiro de 2027",
      "3月: 2027年2月28日",
    ]);
  });

  test("a short text that stands for megabytes ends soon behind its limit, and counts as too long", () => {
    const values = { get: () => "x".repeat(2000) };
    const { text } = fillPlaceholders("{a}".repeat(3333), values, 500);
    expect([text.length <= 4000, isLongerThan(text, 500)]).toEqual([true, true]);
    expect([isLongerThan("😀".repeat(500), 500), isLongerThan("😀".repeat(501), 500)]).toEqual([false, true]);
  });

  test("the year is that of the day, also at its turn", () => {
    expect(fill("{lastYear} {year}", { day: "2027-01-01" }).text).toBe("2026 2027");
    expect(fill("{lastYear} {year}", { day: "2026-12-31" }).text).toBe("2025 2026");
  });

  test("months and quarters are named with their year in the language, also at its turn", () => {
    const written = LANGUAGES.map(
      (language) => fill("{lastMonth}, {quarter}, {lastQuarter}", { day: "2026-12-31", language }).text,
    );
    expect(written).toEqual([
      "November 2026, Q4 2026, Q3 2026",
      "novembre 2026, T4 2026, T3 2026",
      "noviembre de 2026, T4 2026, T3 2026",
      "2026年11月, 2026年第4季度, 2026年第3季度",
      "November 2026, Q4 2026, Q3 2026",
      "novembro de 2026, 4.º trimestre de 2026, 3.º trimestre de 2026",
      "2026年11月, 2026年第4四半期, 2026年第3四半期",
    ]);
    expect(fill("{lastMonth}, {quarter}, {lastQuarter}", { day: "2027-01-31" }).text).toBe(
      "December 2026, Q1 2027, Q4 2026",
    );
    expect(fill("{lastMonth}, {lastQuarter}", { day: "2028-03-31" }).text).toBe("February 2028, Q4 2027");
  });

  test("columns are filled first where the others wait, and their values mean themselves then", () => {
    const column = columnOf({ "Tax no.": "{1}", month: "never", Empty: " " });
    const text = fillColumns("{{ {Tax no.} {month} {Empty} {Other}", column);
    expect(text).toBe("{{ {{1} {month} {Empty} {Other}");
    expect(fill(text).text).toBe("{ {1} March {Empty} {Other}");
  });

  test("a blank value counts as none: the placeholder stays and is named once", () => {
    const column = columnOf({ "Tax no.": "  " });
    expect(fill("{company}, {company}, {Tax no.}", { column })).toEqual({
      text: "{company}, {company}, {Tax no.}",
      missing: ["company", "Tax no."],
    });
  });

  test("columns of a list have placeholders too; a column named like another placeholder has none", () => {
    const column = columnOf({ "Tax no.": "12/345", name: "Somebody else" });
    expect(fill("{Tax no.} {name} {tax no.}", { column })).toEqual({
      text: "12/345 Rita Maria Recipient {tax no.}",
      missing: [],
    });
  });

  test.each([
    "{Name}",
    "{ name }",
    "{}",
    "{toString}",
    "{__proto__}",
    "{name",
    "name}",
    "{na\nme}",
    "{{",
    "}}",
  ])("%j is none", (text) => {
    const { missing, text: filled } = fill(text);
    expect(missing).toEqual([]);
    expect(filled).toBe(text.replace("{{", "{"));
  });

  test("{{ writes a brace", () => {
    expect(fill("{{name} {{{name}}} }}").text).toBe("{name} {Rita Maria Recipient}} }}");
  });

  test("are replaced in subject, message and descriptions, and what is missing is named by field", () => {
    const texts = {
      subject: "{year}",
      message: null,
      documents: [
        { description: "{company}" },
        { description: null },
        { description: "{comapny} {dueDate}" },
      ],
    };
    expect(fillTexts(texts, placeholderValues({ ...SOURCE, dueDate: null }))).toEqual({
      texts: { ...texts, subject: "2026" },
      missing: [
        { path: "documents.0.description", names: ["company"] },
        { path: "documents.2.description", names: ["dueDate"] },
      ],
    });
    expect(unknownPlaceholders(texts, placeholderValues(SOURCE))).toEqual(["comapny"]);
    expect(typedPlaceholders(["company", "dueDate", "company"])).toBe("{company}, {dueDate}");
  });

  test("texts that are filled already stay", () => {
    const texts = { subject: "{year}", message: "{year}", documents: [] };
    const filled = fillTexts(texts, placeholderValues(SOURCE), (field) => field === "message");
    expect(filled.texts).toEqual({ subject: "2026", message: "{year}", documents: [] });
  });
});

describe("any text and any values", () => {
  const part = fc.constantFrom(
    "{",
    "{{",
    "}",
    "}}",
    " ",
    "\n",
    "a",
    "😀",
    "$&",
    "$1",
    ...PLACEHOLDERS,
    "column",
  );
  const anyText = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(""));
  const names = [...PLACEHOLDERS, "column"];
  const anyValues = fc
    .array(fc.oneof(fc.constant(""), anyText), { minLength: names.length, maxLength: names.length })
    .map((values) => new Map(names.map((name, index) => [name, values[index] ?? ""])));
  const check = (property: Parameters<typeof fc.assert>[0]) =>
    fc.assert(property, { seed: 27, numRuns: 2000 });

  test("a value is never expanded again", () => {
    const all = (value: string) => new Map(names.map((name) => [name, value]));
    check(
      fc.property(anyText, anyText, (text, value) => {
        fc.pre(value.trim() !== "");
        const marked = fillPlaceholders(text, all("\u0001")).text;
        expect(fillPlaceholders(text, all(value)).text).toBe(marked.replaceAll("\u0001", () => value));
      }),
    );
  });

  test("what is missing or unknown stays in the text as typed", () => {
    check(
      fc.property(anyText, anyValues, (text, values) => {
        const { missing, text: filled } = fillPlaceholders(text, values);
        const unknown = unknownPlaceholders({ subject: text, message: null, documents: [] }, values);
        for (const name of [...missing, ...unknown]) expect(filled).toContain(`{${name}}`);
        for (const name of missing) expect(values.get(name)?.trim()).toBe("");
        for (const name of unknown) expect(values.has(name)).toBe(false);
      }),
    );
  });

  test("a text with doubled braces is written as it was", () => {
    check(
      fc.property(anyText, anyValues, (text, values) => {
        const filled = fillPlaceholders(text.replaceAll("{", "{{"), values);
        expect(filled).toEqual({ text, missing: [] });
      }),
    );
  });
});
