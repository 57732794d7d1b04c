import { expect, setDefaultTimeout, test } from "bun:test";
import { assert, property, record, string } from "fast-check";
import {
  DEFAULT_FOLDER_RULE,
  deliveryPath,
  FOLDER_FIELDS,
  type FolderValues,
  isFolderRule,
  isRelativeFolder,
  nextName,
} from "../../worker/contract/delivery-path";

setDefaultTimeout(120_000);

const VALUES: FolderValues = {
  folder: null,
  recipient: "Ann Example",
  company: "",
  subject: "Tax 2026",
  template: "Tax",
  workspace: "Office",
  date: "2026-03-14",
};
const pathOf = (rule: string, values: Partial<FolderValues> = {}, name = "Passport - Ann.pdf") => {
  const { folder, name: cleaned } = deliveryPath(rule, { ...VALUES, ...values }, name);
  return [...folder, cleaned].join("/");
};

test("the default rule files by client, year and subject", () => {
  expect(pathOf(DEFAULT_FOLDER_RULE)).toBe("Ann Example/2026/Tax 2026/Passport - Ann.pdf");
});

test("the client's folder is the contact's, else the company, else the name", () => {
  const rule = "Clients/{clientFolder}";
  expect(pathOf(rule, { folder: "A/1042", company: "Example Ltd" })).toBe(
    "Clients/A/1042/Passport - Ann.pdf",
  );
  expect(pathOf(rule, { company: "Example Ltd" })).toBe("Clients/Example Ltd/Passport - Ann.pdf");
  expect(pathOf(rule)).toBe("Clients/Ann Example/Passport - Ann.pdf");
});

test("the day of the submission fills in year, month and date", () => {
  expect(pathOf("{year}/{month}/{date}")).toBe("2026/03/2026-03-14/Passport - Ann.pdf");
});

test.each([
  ["../../etc", "_.._etc"],
  ["CON", "_CON"],
  ["a/b", "a_b"],
  ["..", ""],
  ["~$draft", "_$draft"],
  ["x_vti_y#1%", "x-vti-y_1_"],
  [" .hidden. ", "hidden"],
  ['a\\b:c*?"<>|\u0000\u202e', "a_b_c_"],
])("a recipient named %j becomes the folder %j", (recipient, folder) => {
  expect(pathOf("{recipient}", { recipient })).toBe([folder, "Passport - Ann.pdf"].filter(Boolean).join("/"));
});

test("empty parts vanish", () => {
  expect(pathOf("/a//{company}/b/", {}, "x.pdf")).toBe("a/b/x.pdf");
});

test("a name of 300 emoji has at most 255 bytes, and ends with a whole one", () => {
  const [folder = ""] = pathOf("{recipient}", { recipient: "🦄".repeat(300) }).split("/");
  expect(new TextEncoder().encode(folder).length).toBeLessThanOrEqual(255);
  expect(folder).toMatch(/^🦄+$/u);
});

test("a path of more than 400 characters is cut within its parts, and keeps the extension", () => {
  const long = "x".repeat(250);
  const path = pathOf("{subject}/{recipient}", { subject: long, recipient: long }, `${long}.pdf`);
  expect(path.length).toBeLessThanOrEqual(400);
  expect(path.split("/")).toHaveLength(3);
  expect(path).toEndWith(".pdf");
});

test("the next names are numbered before the extension, within 255 bytes", () => {
  expect([1, 2, 3].map((attempt) => nextName("Passport.pdf", attempt))).toEqual([
    "Passport.pdf",
    "Passport (2).pdf",
    "Passport (3).pdf",
  ]);
  const long = nextName(`${"ä".repeat(125)}.pdf`, 12);
  expect(new TextEncoder().encode(long).length).toBeLessThanOrEqual(255);
  expect(long).toEndWith("ä (12).pdf");
});

test("no value escapes, whatever it is", () => {
  const rule = FOLDER_FIELDS.map((field) => `{${field}}`).join("/");
  const text = string({ unit: "binary", maxLength: 300 });
  const values = record({
    folder: text,
    recipient: text,
    company: text,
    subject: text,
    template: text,
    workspace: text,
  });
  assert(
    property(values, text, (given, fileName) => {
      const { folder, name } = deliveryPath(rule, { ...VALUES, ...given }, fileName);
      expect([...folder, name].join("/").length).toBeLessThanOrEqual(400);
      for (const part of [...folder, name]) {
        expect(part).toMatch(/^[^/\\:*?"<>|#%\p{Cc}]+$/u);
        expect(part).not.toMatch(/^[ .]|[ .]$|^~\$|_vti_|^(?:con|nul|aux|prn|com\d|lpt\d)(?=$|[ .])/i);
        expect(new TextEncoder().encode(part).length).toBeLessThanOrEqual(255);
      }
    }),
  );
});

test("a rule has known placeholders and at most ten parts", () => {
  expect(["{clientFolder}", "a/b/c/d/e/f/g/h/i/j", ""].map(isFolderRule)).toEqual([true, true, true]);
  expect(["{client}", "{}", "a/b/c/d/e/f/g/h/i/j/k"].map(isFolderRule)).toEqual([false, false, false]);
});

test("a contact's folder stays below the destination", () => {
  expect(["Clients/1042", "", "a/..b"].map(isRelativeFolder)).toEqual([true, true, true]);
  expect(["/etc", "a/../b", "..", "C:/x", "a\\b", "a\0"].map(isRelativeFolder)).toEqual(Array(6).fill(false));
});
