import { afterAll, beforeEach, expect, test } from "bun:test";
import { clearDraft, clearOtherDrafts, loadDraft, saveDraft } from "../../web/lib/session-draft";
import { DOCUMENT_DEFAULTS } from "../../worker/contract/documents";

/** Like the browser's: items are properties of the object, its methods are not. */
class MemoryStorage {
  getItem = undefined as unknown as (key: string) => string | null;
  setItem = undefined as unknown as (key: string, value: string) => void;
  removeItem = undefined as unknown as (key: string) => void;
  constructor(maxLength = Number.POSITIVE_INFINITY) {
    const define = (name: string, value: unknown) =>
      Object.defineProperty(this, name, { value, enumerable: false });
    const items = this as unknown as Record<string, string>;
    define("getItem", (key: string) => items[key] ?? null);
    define("removeItem", (key: string) => delete items[key]);
    define("setItem", (key: string, value: string) => {
      if (value.length > maxLength) throw new DOMException("Full", "QuotaExceededError");
      items[key] = value;
    });
  }
}

const useStorage = (value: unknown, area = "sessionStorage") =>
  Object.defineProperty(globalThis, area, { value, configurable: true });
beforeEach(() => {
  useStorage(new MemoryStorage());
  useStorage(new MemoryStorage(), "localStorage");
});
afterAll(() => {
  Reflect.deleteProperty(globalThis, "sessionStorage");
  Reflect.deleteProperty(globalThis, "localStorage");
});

const stored = (): Record<string, string> => ({ ...sessionStorage });

const CONTACT = { firstName: "", notes: "", workspaceId: null as number | null };

test("a draft is loaded until it is cleared", () => {
  const typed = { ...CONTACT, firstName: "Ada", workspaceId: 3 };
  expect(loadDraft("contact new 1", CONTACT)).toBe(CONTACT);
  saveDraft("contact new 1", typed);
  expect(loadDraft("contact new 1", CONTACT)).toEqual(typed);
  clearDraft("contact new 1");
  expect(loadDraft("contact new 1", CONTACT)).toBe(CONTACT);
});

test("the drafts of a user stay over signing in again, and are removed when another signs in", () => {
  clearOtherDrafts(1);
  saveDraft("contact new 1", CONTACT);
  saveDraft("review 5", [[7, "Blurry"]]);
  sessionStorage.setItem("submit a-link", "of a recipient");
  clearOtherDrafts(1);
  expect(loadDraft("review 5", [])).toHaveLength(1);
  clearOtherDrafts(2);
  expect(stored()).toEqual({ "drafts of": "2", "submit a-link": "of a recipient" });
  saveDraft("contact new 2", CONTACT);
  clearOtherDrafts(undefined);
  expect(stored()).toEqual({ "drafts of": "", "submit a-link": "of a recipient" });
});

test("what is to be asked for again stays in other tabs of the user, and is removed when another signs in or they sign out", () => {
  const left = (): Record<string, string> => ({ ...localStorage });
  const returns = { "unsent returns 5": '[[7,"Blurry"]]' };
  const begin = () => {
    clearOtherDrafts(1);
    Object.assign(localStorage, { theme: "dark", ...returns });
  };
  begin();
  useStorage(new MemoryStorage());
  clearOtherDrafts(1);
  expect(left()).toEqual({ "signed-in user": "1", theme: "dark", ...returns });
  clearOtherDrafts(2);
  expect(left()).toEqual({ "signed-in user": "2", theme: "dark" });
  begin();
  clearOtherDrafts(undefined);
  expect(left()).toEqual({ "signed-in user": "", theme: "dark" });
});

test.each([
  ["another field", { firstName: "Ada", remark: "", workspaceId: null }],
  ["a field of another type", { ...CONTACT, notes: ["Ada"] }],
  ["a field that became an object", { ...CONTACT, notes: {} }],
  ["a list", []],
  ["a text", "Ada"],
  ["nothing", null],
])("input with %s, from another version of the app, is ignored", (_, saved) => {
  saveDraft("contact new 1", saved);
  expect(loadDraft("contact new 1", CONTACT)).toBe(CONTACT);
});

test("each entry of a list needs the fields of the form's entries", () => {
  const template = { fields: [{ name: "", multiple: false }] };
  saveDraft("template", { fields: [{ name: "Lease", multiple: true }, { name: "Passport" }] });
  expect(loadDraft("template", template)).toBe(template);
  saveDraft("template", { fields: [] });
  expect(loadDraft("template", template)).toEqual({ fields: [] });
});

test("a question that is asked only if another was answered is loaded", () => {
  const template = { fields: [DOCUMENT_DEFAULTS] };
  const country = { ...DOCUMENT_DEFAULTS, name: "Country", kind: "choice", options: ["Chile", "Peru"] };
  const city = { ...DOCUMENT_DEFAULTS, name: "City", showIf: { name: "Country", is: ["Peru"] } };
  saveDraft("template", { fields: [country, city] });
  expect(loadDraft("template", template).fields as unknown[]).toEqual([country, city]);
});

test.each([
  ["is full", () => new MemoryStorage(3)],
  ["is missing", () => undefined],
  ["contains something else", () => Object.assign(new MemoryStorage(), { "draft contact": "{" })],
])("a storage that %s loses the input and nothing else", (_, storage) => {
  useStorage(storage());
  clearOtherDrafts(12_345);
  saveDraft("support", "x".repeat(10));
  expect(loadDraft("contact", CONTACT)).toBe(CONTACT);
  clearDraft("contact");
});
