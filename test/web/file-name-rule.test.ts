import { expect, test } from "bun:test";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DEFAULT_FILE_NAME_RULE, nameFiles, unknownFields } from "../../worker/contract/file-name-rule";
import { longestBlock } from "../support/loop/watch-loop";
import { makeFolder } from "../support/temporary-folder";

const FACTS = {
  document: "Passport",
  recipient: "Ada Lovelace",
  subject: "Your visa",
  date: "2026-03-14",
  original: "scan 001.PDF",
};
const file = (facts: Partial<typeof FACTS> = {}) => ({ ...FACTS, ...facts });
const bytes = (name: string) => new TextEncoder().encode(name).length;

test("a file is named by its document and its recipient, with its own extension in lower case", () => {
  expect(nameFiles(DEFAULT_FILE_NAME_RULE, [file()])).toEqual(["Passport - Ada Lovelace.pdf"]);
});

test("several files of one document are numbered, those of another are not", () => {
  const files = [file(), file({ document: "Contract" }), file()];
  expect(nameFiles(DEFAULT_FILE_NAME_RULE, files)).toEqual([
    "Passport - Ada Lovelace 1.pdf",
    "Contract - Ada Lovelace.pdf",
    "Passport - Ada Lovelace 2.pdf",
  ]);
});

test("a rule may use every field", () => {
  const rule = "{date} {subject} {document} {recipient} {original} {n}";
  expect(nameFiles(rule, [file(), file()])).toEqual([
    "2026-03-14 Your visa Passport Ada Lovelace scan 001 1.pdf",
    "2026-03-14 Your visa Passport Ada Lovelace scan 001 2.pdf",
  ]);
});

test("a field that is empty leaves no separator at the end", () => {
  expect(nameFiles(DEFAULT_FILE_NAME_RULE, [file({ recipient: "" })])).toEqual(["Passport.pdf"]);
  expect(nameFiles("{recipient}", [file({ recipient: "" })])).toEqual(["file.pdf"]);
});

test("names that differ only in case or Unicode form get a number", () => {
  const documents = ["Café", "CAFÉ", "Cafe\u0301"];
  const names = nameFiles(
    "{document}",
    documents.map((document) => file({ document })),
  );
  expect(names).toEqual(["Café.pdf", "CAFÉ (2).pdf", "Café (3).pdf"]);
});

test("no file can have the name of the manifest", () => {
  const names = nameFiles(
    "{document}",
    [file({ document: "Manifest", original: "a.csv" })],
    ["manifest.csv"],
  );
  expect(names).toEqual(["Manifest (2).csv"]);
});

test("a rule's unknown fields are named", () => {
  expect(unknownFields("{document} {name} {} {Date}")).toEqual(["name", "", "Date"]);
  expect(unknownFields(DEFAULT_FILE_NAME_RULE)).toEqual([]);
});

const NASTY = [
  ...["", " ", ".", "..", "...", "/", "\\", "../../etc/passwd", "C:\\Windows\\system32", "a/b\\c"],
  ...["con", "CON", "Nul", "aux.txt", "com1", "LPT9.tar", "COM¹", "CONIN$", "prn ", "nul."],
  ...["trailing.", "trailing ", "dots...", " leading", ".hidden", "-rf", "a\0b", "a\nb", "a\u202egnp.exe"],
  ...["a\u200bb", "<script>", 'quo"te', "pipe|", "what?", "star*", "semi;colon", "50%25", "\ud800half"],
  ...[
    "é".repeat(300),
    "日本語".repeat(90),
    "👩‍👩‍👧‍👦".repeat(40),
    `${"x".repeat(254)}.`,
    "Z\u0351\u0357".repeat(200),
  ],
];

test("naming many equal long names takes linear time", () => {
  const files = Array.from({ length: 400 }, (_, index) =>
    file({ document: `Document ${index % 20}`, subject: "é".repeat(500) }),
  );
  // Before the fix, 200 of them blocked the server for eight seconds.
  const started = performance.now();
  const names = nameFiles("{subject}".repeat(22), files, ["manifest.csv"]);
  expect(performance.now() - started).toBeLessThan(5000);
  expect(new Set(names).size).toBe(files.length);
  for (const name of names) expect(bytes(name)).toBeLessThanOrEqual(255);
});

test("runs of separators take about as long as other characters", async () => {
  const naming = async (subject: string) => {
    const files = Array.from({ length: 500 }, () => file({ subject }));
    const times: number[] = [];
    for (let run = 0; run < 5; run += 1)
      times.push(await longestBlock(async () => void nameFiles("{subject}{subject}{subject}", files)));
    return Math.min(...times);
  };
  const plain = await naming("x".repeat(500));
  for (const run of ["-", ". "])
    expect(await naming(`a${run.repeat(498 / run.length)}b`)).toBeLessThan(10 * plain);
});

test("hostile names become safe on Windows, macOS and Linux, and unique", async () => {
  expect(NASTY.length).toBeGreaterThanOrEqual(40);
  const files = NASTY.flatMap((nasty) => [
    file({ document: nasty, recipient: "" }),
    file({ document: "Passport", recipient: nasty, original: `${nasty}.pdf` }),
  ]);
  for (const rule of ["{document}", "{recipient}{original}", "{document} - {recipient} {n}"]) {
    const names = nameFiles(rule, files, ["manifest.csv"]);
    for (const name of names) {
      expect(name).not.toMatch(/[<>:"/\\|?*\p{Cc}\u200b\u202e]|^[. ]|[. ]$/u);
      expect(name).not.toMatch(/^(?:con|prn|aux|nul|conin\$|com[0-9¹]|lpt[0-9])(?:[ .]|$)/i);
      expect(bytes(name)).toBeLessThanOrEqual(255);
      expect(name.isWellFormed()).toBe(true);
    }
    expect(new Set(names.map((name) => name.normalize("NFKC").toLowerCase())).size).toBe(names.length);
    const folder = makeFolder();
    await Promise.all(names.map((name) => writeFile(join(folder, name), name)));
    expect((await readdir(folder)).length).toBe(names.length);
  }
});
