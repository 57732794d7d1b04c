import { describe, expect, test } from "bun:test";
import { safeParse } from "valibot";
import { contactSchema, contactValues } from "../../web/features/contacts/contact.schema";
import { onboardingSchema } from "../../web/features/onboarding/onboarding.schema";
import { passwordSchema, profileSchema } from "../../web/features/settings/settings.schema";
import {
  isTemplateField,
  templateForm,
  templateSchema,
  templateValues,
} from "../../web/features/templates/template.schema";
import { workspaceSchema } from "../../web/features/workspaces/workspace-fields";
import { emptyDocument } from "../../web/lib/document-entries";
import { textValues } from "../../web/lib/form";
import { changePasswordInput } from "../../worker/contract/auth";
import { tagsIn } from "../../worker/contract/contact-tags";
import { contactInput } from "../../worker/contract/contacts";
import { MAX_FOLDER_PATH } from "../../worker/contract/delivery-path";
import { LIMITS } from "../../worker/contract/limits";
import { MESSAGES, type MessageKey } from "../../worker/contract/messages";
import { templateInput } from "../../worker/contract/templates";
import { profileInput } from "../../worker/contract/users";
import { workspaceChanges, workspaceInput } from "../../worker/contract/workspaces";

/** The browser's and the server's schemas must agree on every row, with the same messages. */

const LONG = "x".repeat(201);
const entry = (name: string) => ({ ...emptyDocument(), name });

function sentences(found: {
  success: boolean;
  issues?: readonly { message: string }[] | undefined;
}): string[] {
  return (found.issues ?? []).map(({ message }) => MESSAGES[message as MessageKey] ?? message);
}

const textsOf = (values: object): string[] =>
  Object.entries(values).flatMap(([field, value]) => (typeof value === "string" ? [field] : []));

/** Browser and server accept a text up to the same one of the limits. */
function oneLimit(
  here: Parameters<typeof safeParse>[0],
  there: { safeParse(row: unknown): { success: boolean } },
  rowWith: (text: string) => object,
): void {
  const accepted = (length: number) => {
    const row = rowWith("x".repeat(length));
    const { success } = there.safeParse(row);
    expect(safeParse(here, row).success).toBe(success);
    return success;
  };
  const lengths = [...new Set<number>([...Object.values(LIMITS), MAX_FOLDER_PATH])].filter(
    (limit) => limit <= LIMITS.text,
  );
  expect(lengths.filter((limit) => accepted(limit) && !accepted(limit + 1))).toHaveLength(1);
}

describe("templates", () => {
  const valid = { ...templateValues(), name: "KYC", fields: [entry("Passport")] };
  test.each([
    ["as it should be", valid],
    ["no name", { ...valid, name: " " }],
    ["long name", { ...valid, name: LONG }],
    ["long description", { ...valid, description: "x".repeat(10_001) }],
    ["no document", { ...valid, fields: [] }],
    ["nameless document", { ...valid, fields: [entry("")] }],
    ["two nameless documents", { ...valid, fields: [entry(""), entry(" ")] }],
    ["the same name twice", { ...valid, fields: [entry("Passport"), entry(" passport")] }],
    ["two documents", { ...valid, fields: [entry("Passport"), entry("Visa")] }],
    ["100 documents", { ...valid, fields: Array.from({ length: 100 }, (_, index) => entry(`${index}`)) }],
    ["due on the last day of the link", { ...valid, dueInDays: 30, expiresInDays: 30 }],
    ["due after the last day of the link", { ...valid, dueInDays: 31, expiresInDays: 30 }],
    ["due after it, without a name", { ...valid, name: "", dueInDays: 31, expiresInDays: 30 }],
    ["101 documents", { ...valid, fields: Array.from({ length: 101 }, (_, index) => entry(`${index}`)) }],
  ])("%s", (_name, row) => {
    const here = safeParse(templateForm, row);
    const there = templateInput.safeParse(row);
    expect(here.success).toBe(there.success);
    const messages = there.error?.issues.map(({ message }) => message) ?? [];
    for (const sentence of messages.filter((text) => Object.values<string>(MESSAGES).includes(text)))
      expect(sentences(here)).toContain(sentence);
  });

  const typed = textsOf(emptyDocument()).filter((field) => !["kind", "min", "max"].includes(field));
  test.each(typed)("the %s of a document has one limit", (field) => {
    oneLimit(templateSchema, templateInput, (text) => ({
      ...valid,
      fields: [{ ...entry("Passport"), [field]: text }],
    }));
  });

  test.each(textsOf(templateValues()))("the %s of a template has one limit", (field) => {
    oneLimit(templateSchema, templateInput, (text) => ({ ...valid, [field]: text }));
  });

  test("a new one starts with one empty entry, not required, for pdf, doc and docx", () => {
    expect(templateValues()).toMatchObject({
      name: "",
      description: "",
      fields: [{ ...emptyDocument(), name: "", required: false, allowedFileTypes: ["pdf", "doc", "docx"] }],
    });
  });

  test("the server's issues are assigned to their fields", () => {
    expect(["name", "description", "fields.0.name", "fields.12.description"].every(isTemplateField)).toBe(
      true,
    );
    expect(["fields", "fields.x.name", "workspaceId", "names"].some(isTemplateField)).toBe(false);
  });
});

describe("contacts", () => {
  const valid = { ...contactValues(), firstName: "Ada" };
  /** What the form sends: the tags of its text as a list. */
  const server = {
    safeParse: (row: object) => contactInput.safeParse({ ...row, tags: tagsIn((row as typeof valid).tags) }),
  };
  const tags = (count: number, length = 50) =>
    Array.from({ length: count }, (_, index) => `${index}`.padStart(length, "x")).join(",");
  test.each([
    ["a first name alone", valid],
    ["no first name", { ...valid, firstName: "  " }],
    ["long names", { ...valid, lastName: LONG }],
    ["an address", { ...valid, email: " Ada@Example.com " }],
    ["half an address", { ...valid, email: "ada@" }],
    ["a long phone", { ...valid, phone: "1".repeat(33) }],
    ["any phone", { ...valid, phone: "ask at the desk" }],
    ["half an emoji", { ...valid, notes: "\ud83d" }],
    ["a NUL", { ...valid, notes: "a\0b" }],
    ["long notes", { ...valid, notes: "x".repeat(10_001) }],
    ["20 tags", { ...valid, tags: tags(20) }],
    ["21 tags", { ...valid, tags: tags(21) }],
    ["20 tags, one of them twice", { ...valid, tags: `${tags(20)}, ${tags(1).toUpperCase()};` }],
    ["a long tag", { ...valid, tags: tags(1, 51) }],
    ["a tag with a NUL", { ...valid, tags: "a\0b" }],
  ])("%s", (_name, row) => {
    expect(safeParse(contactSchema, row).success).toBe(server.safeParse(row).success);
  });

  const free = textsOf(valid).filter((field) => !["email", "language", "tags"].includes(field));
  test.each(free)("the %s has one limit", (field) => {
    oneLimit(contactSchema, server, (text) => ({ ...valid, [field]: text }));
  });
});

describe("workspaces", () => {
  const valid = { ...textValues(workspaceSchema, undefined), name: "Clients" };
  test.each(textsOf(valid))("the %s has one limit", (field) => {
    for (const schema of [workspaceInput, workspaceChanges])
      oneLimit(workspaceSchema, schema, (text) => ({ ...valid, [field]: text }));
  });
});

describe("the profile", () => {
  const valid = { email: "ada@example.com", firstName: "", lastName: "", companyName: "", phoneNumber: "" };
  const phones = ["+1", "+12", "12", "+0123", "+123456789012345", "+1234567890123456", "(123)", " +4915112 "];
  test.each([
    ["as it should be", valid],
    ["no address", { ...valid, email: "" }],
    ["long company", { ...valid, companyName: LONG }],
    ...phones.map((phoneNumber): [string, typeof valid] => [
      `phone ${phoneNumber}`,
      { ...valid, phoneNumber },
    ]),
  ])("%s", (_name, row) => {
    const sent = row.email === "" ? { ...row, email: "x" } : row;
    expect(safeParse(profileSchema, row).success).toBe(profileInput.safeParse(sent).success);
  });
});

describe("a change of the password", () => {
  const valid = { currentPassword: "x", newPassword: "secret", confirmPassword: "secret" };
  test.each([
    ["as it should be", valid, []],
    ["no current one", { ...valid, currentPassword: "" }, ["Current password is required"]],
    ["too short", { ...valid, newPassword: "five5" }, ["Password must be at least 6 characters"]],
    ["not repeated", { ...valid, confirmPassword: "secres" }, ["Passwords don't match"]],
    ["too long", { ...valid, newPassword: LONG, confirmPassword: LONG }, []],
  ])("%s", (_name, row, messages) => {
    const here = safeParse(passwordSchema, row);
    expect(here.success).toBe(changePasswordInput.safeParse(row).success);
    for (const sentence of messages) expect(sentences(here)).toContain(sentence);
  });
});

test("onboarding needs a first name and known answers", () => {
  const valid = {
    firstName: "Ada",
    lastName: "",
    companyName: "",
    usageType: "personal",
    documentType: "other",
  };
  expect(safeParse(onboardingSchema, valid).success).toBe(true);
  const nameless = safeParse(onboardingSchema, { ...valid, firstName: " " });
  expect(sentences(nameless)).toEqual(["First name is required"]);
  expect(safeParse(onboardingSchema, { ...valid, usageType: "hobby" }).success).toBe(false);
});
