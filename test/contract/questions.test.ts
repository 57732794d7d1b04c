import { expect, test } from "bun:test";
import {
  answersToSubmit,
  askedOf,
  incompleteOf,
  leaveAnswer,
  loadAnswers,
  typeAnswer,
  writeNumbersIn,
} from "../../web/features/submit/questions/answers";
import type { RequestedDocument } from "../../web/features/submit/request/submission-api";
import { readTypedNumber, writeNumber } from "../../web/lib/typed-number";
import { DOCUMENT_DEFAULTS } from "../../worker/contract/documents";
import {
  type Answer,
  choicesOf,
  QUESTION_KINDS,
  type QuestionFields,
  readAnswer,
} from "../../worker/contract/questions";
import { askedDocuments } from "../../worker/features/envelope-rules/documents";
import { answerText } from "../../worker/features/envelopes/answers.service";
import { createRandom, type Random } from "../support/random";

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
  ["zh", "１，２３４", "1234"],
  ["zh", "1.5", "1.5"],
  ["zh", "1 234", "1234"],
  ["zh", "一百", null],
  ["ja", "1.5", "1.5"],
  ["ja", "１２", "12"],
  ["ja", "12万", null],
  ["de", "3,", null],
  ["de", ",5", null],
  ["de", "1.23", null],
  ["de", "0,5", "0.5"],
  ["de", "1.234.567,8", "1234567.8"],
  ["de", "12.34,5", null],
  ["de", "−5", "-5"],
  ["de", "1e3", null],
  ["de", "٣", null],
  ["fr", "1 234", "1234"],
  ["fr", "12 34", null],
  ["fr", "3.2", null],
  ["fr", "1’234,5", "1234.5"],
  ["fr", "−1 234,5", "-1234.5"],
  ["es", "1.234,50", "1234.50"],
  ["es", "1 234,50", "1234.50"],
  ["es", "1,234.5", null],
  ["es", "−5", "-5"],
  ["pt", "1 234,5", "1234.5"],
  ["pt", "1.234", "1234"],
  ["pt", "3,2", "3.2"],
  ["pt", "1,234.5", null],
  ["en", "1 234,50", null],
  ["en", "--5", null],
  ["en", "5-", null],
  ["en", "1,234,567", "1234567"],
  ["en", "1 234,567", null],
  ["en", "€5", null],
  ["en", "1_000", null],
  ["en", "0x10", null],
  ["en", "Infinity", null],
])("in %s, %j is %p", (language, typed, number) => {
  expect(readTypedNumber(typed, language)).toBe(number);
});

test("a number that is written in a language is read in it as the same", () => {
  for (const language of ["en-GB", "de", "fr", "es", "pt", "ja", "zh"])
    for (const number of ["0", "-0.5", "7.50", "1234567.891", "-12345"])
      expect(readTypedNumber(writeNumber(number, language), language)).toBe(number);
});

test("what is typed stays the same number when the page's language changes", () => {
  const documents = [{ ...question({ kind: "number", decimals: 3 }), id: 1, name: "Rent" }] as never;
  writeNumbersIn("de", documents);
  loadAnswers("", documents);
  for (const [typed, number] of [
    ["1.234", "1234"],
    ["1,234", "1.234"],
    ["1.234,5", "1234.5"],
  ] as const) {
    writeNumbersIn("de", documents);
    typeAnswer(documents[0], typed);
    for (const language of ["en", "fr", "de"]) {
      writeNumbersIn(language, documents);
      expect(answersToSubmit(documents)).toEqual({ 1: number });
    }
  }
});

test("a date that is left half typed is incomplete until it is typed or emptied", () => {
  const document = { ...question({ kind: "date" }), id: 1, name: "Wedding" } as never as RequestedDocument;
  const incomplete = () =>
    incompleteOf(
      [document],
      () => false,
      () => false,
    );
  Object.assign(globalThis, { document: { activeElement: null } });
  loadAnswers("", [document]);
  leaveAnswer(document, true);
  expect(incomplete()).toHaveLength(1);
  leaveAnswer(document);
  expect(incomplete()).toEqual([]);
  leaveAnswer(document, true);
  typeAnswer(document, "1984-05-03");
  expect(incomplete()).toEqual([]);
  Reflect.deleteProperty(globalThis, "document");
});

const GATES = ["yesNo", "choice", "choices"] as const;
const OPTIONS = ["A", "B", "C"];

/** Entries with conditions on earlier ones, some of them received, and what is typed into the others. */
function randomForm(random: Random) {
  const list = Array.from({ length: 3 + random.below(12) }, (_, index) => {
    const kind = random.pick([...GATES, ...GATES, "number", "file"] as const);
    return { index, kind, options: kind.startsWith("choice") ? OPTIONS : [] };
  });
  return list.map((entry) => {
    const { index, kind } = entry;
    const gate = list
      .slice(0, index)
      .findLast(({ kind }) => choicesOf(question({ kind })).length || random.chance(0.6));
    const choices = gate ? choicesOf(question(gate)) : [];
    const given = {
      yesNo: ["", "yes", "no", "maybe"],
      choice: ["", "A", "C", "D"],
      choices: [[], ["A"], ["B", "C"], ["D"], ["A", "D"]],
      number: ["", "5", "3,2"],
      file: [""],
    }[kind];
    return {
      ...question(entry),
      ...{ id: index + 1, name: `Question ${index}`, skipped: false, hidden: false, review: null },
      showIf:
        gate && choices.length > 0 && random.chance(0.7)
          ? { name: `QUESTION ${gate.index}`, is: choices.filter(() => random.chance(0.5)) }
          : null,
      typed: random.pick<string | string[]>(given),
      isReceived: random.chance(0.2),
    };
  });
}

test("page and server agree on what is asked in a thousand random forms, and it never depends on what is not", () => {
  const random = createRandom(48);
  let hidden = 0;
  for (let form = 0; form < 1000; form += 1) {
    const entries = randomForm(random);
    const read = ({ typed, ...entry }: (typeof entries)[number]) => {
      const found = readAnswer(entry, typed.length > 0 ? typed : null, TODAY);
      return "answer" in found ? found.answer : null;
    };
    const received = entries.filter((entry) => entry.isReceived && read(entry) !== null);
    const documents = entries.map((entry) => {
      const isReceived = received.includes(entry);
      return { ...entry, state: isReceived ? "received" : "open", answer: isReceived ? read(entry) : null };
    });
    const typed = entries.map(
      ({ id, typed }) => [id, { typed, problem: null, isKept: false, isSaved: false, late: null }] as const,
    );
    const page = askedOf(documents as never, { entries: new Map(typed), saved: false });
    const answers = received.map((entry) => ({
      ...{ requestDocumentId: entry.id, superseded: false, submittedAt: TODAY, sealed: false },
      value: read(entry),
    }));
    const given = new Map(entries.flatMap((entry) => [[entry.id, read(entry)] as const]));
    for (const [id, answer] of given) if (answer === null) given.delete(id);
    const server = askedDocuments(
      { documents: entries, submissions: [], answers },
      given as ReadonlyMap<number, Answer>,
    );
    const ids = (asked: Iterable<{ id: number }>) => [...asked].map(({ id }) => id);
    expect(ids(page)).toEqual(ids(server));
    for (const entry of entries) {
      const gate = entries.find(({ name }) => name.toLowerCase() === entry.showIf?.name.toLowerCase());
      const answer = gate && server.has(gate) ? [read(gate)].flat() : [];
      const isMet = !gate || answer.some((one) => one !== null && entry.showIf?.is.includes(one));
      expect(server.has(entry)).toBe(isMet);
    }
    hidden += entries.length - server.size;
  }
  expect(hidden).toBeGreaterThan(1000);
});

/** An answer of each kind as it is exported. */
const EXPORTED: Record<(typeof QUESTION_KINDS)[number], [answer: Answer, text: string]> = {
  text: ["A b", "A b"],
  longText: ["A\nb", "A\nb"],
  number: ["-7.50", "-7.50"],
  date: ["2026-03-14", "2026-03-14"],
  choice: ["B", "B"],
  choices: [["A", "B"], "A; B"],
  yesNo: ["yes", "answers.yes"],
};

test.each(QUESTION_KINDS)(
  "an answer of the kind %s is taken as it is stored, and exported as people read it",
  (kind) => {
    const [answer, text] = EXPORTED[kind];
    const asked = question({ kind, options: ["A", "B"] });
    expect(readAnswer(asked, answer, TODAY)).toEqual({ answer });
    expect(answerText(answer, { ...asked } as Parameters<typeof answerText>[1], (key) => key)).toBe(text);
  },
);
