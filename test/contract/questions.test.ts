import { expect, test } from "bun:test";
import { readTypedNumber, writeNumber } from "../../web/features/submit/questions/typed-number";
import { DOCUMENT_DEFAULTS } from "../../worker/contract/documents";
import {
  type Answer,
  type QuestionFields,
  readAnswer,
  visibleEntries,
} from "../../worker/contract/questions";
import { createRandom } from "../support/random";

const TODAY = "2026-03-14";
const question = (fields: Partial<QuestionFields>): QuestionFields => ({ ...DOCUMENT_DEFAULTS, ...fields });

test.each<[Partial<QuestionFields>, unknown, Answer | null | { problem: string }]>([
  [{ kind: "text" }, "  A b ", "A b"],
  [{ kind: "text" }, "   ", null],
  [{ kind: "text" }, null, null],
  [{ kind: "text" }, "a\nb", { problem: "answerOneLine" }],
  [{ kind: "text" }, "x".repeat(500), "x".repeat(500)],
  [{ kind: "text" }, "x".repeat(501), { problem: "answerTooLong" }],
  [{ kind: "text" }, 5, { problem: "invalidAnswer" }],
  [{ kind: "text" }, "a\0b", { problem: "invalidAnswer" }],
  [{ kind: "text", format: "email" }, "a@example.com", "a@example.com"],
  [{ kind: "text", format: "email" }, "a@b", { problem: "invalidEmailAddress" }],
  [{ kind: "text", format: "iban" }, "de89 3704 0044 0532 0130 00", "DE89370400440532013000"],
  [{ kind: "text", format: "iban" }, "DE89370400440532013001", { problem: "invalidIban" }],
  [{ kind: "longText" }, "a\r\nb", "a\nb"],
  [{ kind: "longText" }, "x".repeat(10_001), { problem: "answerTooLong" }],
  [{ kind: "number" }, "007.50", "7.50"],
  [{ kind: "number" }, 7.5, "7.5"],
  [{ kind: "number" }, "-0.00", "0.00"],
  [{ kind: "number" }, "1e3", { problem: "invalidNumber" }],
  [{ kind: "number" }, 1e21, { problem: "invalidNumber" }],
  [{ kind: "number" }, "3,2", { problem: "invalidNumber" }],
  [{ kind: "number" }, "٣", { problem: "invalidNumber" }],
  [{ kind: "number" }, "1234567890123456", { problem: "invalidNumber" }],
  [{ kind: "number" }, "1.234", { problem: "tooManyDecimals" }],
  [{ kind: "number", min: "-1.5" }, "-1.51", { problem: "answerTooSmall" }],
  [{ kind: "number", max: "10" }, "10.00", "10.00"],
  [{ kind: "number", max: "10" }, "10.01", { problem: "answerTooLarge" }],
  [{ kind: "date" }, "2026-02-30", { problem: "invalidDate" }],
  [{ kind: "date", max: "today" }, TODAY, TODAY],
  [{ kind: "date", max: "today" }, "2026-03-15", { problem: "answerTooLarge" }],
  [{ kind: "date", min: "today" }, "2026-03-13", { problem: "answerTooSmall" }],
  [{ kind: "choice", options: ["A", "B"] }, "B", "B"],
  [{ kind: "choice", options: ["A", "B"] }, "b", { problem: "optionNotOffered" }],
  [{ kind: "choices", options: ["A", "B", "C"] }, ["C", "A"], ["A", "C"]],
  [{ kind: "choices", options: ["A", "B"] }, [], null],
  [{ kind: "choices", options: ["A", "B"] }, ["A", "A"], { problem: "invalidAnswer" }],
  [{ kind: "choices", options: ["A", "B"] }, "A", { problem: "invalidAnswer" }],
  [{ kind: "yesNo" }, "yes", "yes"],
  [{ kind: "yesNo" }, true, { problem: "invalidAnswer" }],
  [{ kind: "file" }, "2027-02-30", { problem: "invalidDate" }],
  [{ kind: "file" }, "2027-02-28", "2027-02-28"],
])("%j takes %j as %j", (fields, value, expected) => {
  const read = readAnswer(question(fields), value, TODAY);
  expect<unknown>("answer" in read ? read.answer : read).toEqual(expected);
});

test.each<[language: string, typed: string, number: string | null]>([
  ["en", "3,2", null],
  ["en", "3.2", "3.2"],
  ["en", "1,234.5", "1234.5"],
  ["en", "1.234", "1.234"],
  ["en", "12,34", null],
  ["en", "1,23,456", null],
  ["en", "−5", "-5"],
  ["en", "１２", "12"],
  ["en", "٣", null],
  ["en", "1e3", null],
  ["en", "1 234", "1234"],
  ["en", "", null],
  ["en", "5.", null],
  ["en", ".5", null],
  ["de", "3,2", "3.2"],
  ["de", "3.2", null],
  ["de", "1.234", "1234"],
  ["de", "1.234,50", "1234.50"],
  ["de", "1 234,50", "1234.50"],
  ["de", "1’234,5", "1234.5"],
  ["de", "1,234.5", null],
  ["de", "１.２３４，５", "1234.5"],
  ["fr", "1 234,50", "1234.50"],
  ["fr", "1\u202f234,50", "1234.50"],
  ["fr", "1.234", null],
  ["fr", "3,2", "3.2"],
  ["es", "3,2", "3.2"],
  ["es", "1.234.567", "1234567"],
  ["es", "1.23", null],
  ["pt", "1.234,5", "1234.5"],
  ["pt", "3.2", null],
  ["ja", "１，２３４．５", "1234.5"],
  ["ja", "3,2", null],
  ["ja", "－5", "-5"],
  ["zh", "1,234", "1234"],
  ["zh", "3,2", null],
])("in %s, %j is %p", (language, typed, number) => {
  expect(readTypedNumber(typed, language)).toBe(number);
});

test("a number that is written in a language is read in it as the same", () => {
  for (const language of ["en-GB", "de", "fr", "es", "pt", "ja", "zh"])
    for (const number of ["0", "-0.5", "7.50", "1234567.891", "-12345"])
      expect(readTypedNumber(writeNumber(number, language), language)).toBe(number);
});

test("of a thousand random forms, what is asked never depends on what is not asked", () => {
  const random = createRandom(48);
  for (let form = 0; form < 1000; form += 1) {
    const entries = Array.from({ length: 12 }, (_, index) => ({
      name: `Question ${index}`,
      showIf:
        index > 0 && random.chance(0.6)
          ? { name: `QUESTION ${random.pick([...Array(index).keys()])}`, is: [random.pick(["yes", "no"])] }
          : null,
    }));
    const answers = new Map(entries.map((entry) => [entry, random.pick([null, "yes", "no"])]));
    const visible = visibleEntries(entries, (entry) => answers.get(entry) ?? null);
    for (const entry of entries) {
      const gate = entries.find(({ name }) => name.toLowerCase() === entry.showIf?.name.toLowerCase());
      const isMet = !gate || (visible.has(gate) && entry.showIf?.is.includes(answers.get(gate) ?? ""));
      expect(visible.has(entry)).toBe(Boolean(isMet));
    }
  }
});
