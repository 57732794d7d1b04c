import { beforeAll, expect, test } from "bun:test";
import { MESSAGES } from "../../worker/contract/messages";
import { describeApi, type SignedUp } from "../support/api/client";
import { ENVELOPE } from "../support/api/envelopes";

type Case = readonly [method: string, path: string, body: object, field: string, message: string];

const PASSWORDS = {
  currentPassword: "a long password",
  newPassword: "longer still",
  confirmPassword: "longer still",
};
const TEMPLATE = { name: "Taxes", fields: [{ name: "Payslip" }] };
const TWICE = { firstName: "Rita", lastName: "Recipient", email: "rita@example.com" };

const WEBHOOK = { url: "https://hooks.example.com/", events: ["request.sent"] };

/** A value, the invalid field, and the specification's message for it. */
const CASES: Case[] = [
  ["POST", "/api/register", { email: "nobody", password: "secret" }, "email", "Invalid email address"],
  ["POST", "/api/register", { password: "secret" }, "email", "Invalid email address"],
  ["POST", "/api/register", { email: "a@example.com" }, "password", "Password is required"],
  [
    "POST",
    "/api/register",
    { email: "a@example.com", password: "12345" },
    "password",
    "Password must be at least 6 characters",
  ],
  ["POST", "/api/login", { email: "a@b", password: "x" }, "email", "Invalid email address"],
  ...["/api/register", "/api/password/forgot"].map(
    (path): Case => [
      "POST",
      path,
      { email: "josé@example.com", password: "secret" },
      "email",
      MESSAGES.foreignMailbox,
    ],
  ),
  ["POST", "/api/login", { email: "a@example.com", password: "" }, "password", "Password is required"],
  ["POST", "/api/password/forgot", { email: "a b@example.com" }, "email", "Invalid email address"],
  [
    "POST",
    "/api/password/reset",
    { token: "t", newPassword: "12345" },
    "newPassword",
    "Password must be at least 6 characters",
  ],
  [
    "POST",
    "/api/user/change-password",
    { ...PASSWORDS, currentPassword: "" },
    "currentPassword",
    "Current password is required",
  ],
  [
    "POST",
    "/api/user/change-password",
    { ...PASSWORDS, currentPassword: undefined },
    "currentPassword",
    "Current password is required",
  ],
  [
    "POST",
    "/api/user/change-password",
    { ...PASSWORDS, newPassword: "12345", confirmPassword: "12345" },
    "newPassword",
    "Password must be at least 6 characters",
  ],
  [
    "POST",
    "/api/user/change-password",
    { ...PASSWORDS, confirmPassword: "other" },
    "confirmPassword",
    "Passwords don't match",
  ],
  [
    "POST",
    "/api/user/change-password",
    { ...PASSWORDS, confirmPassword: undefined },
    "confirmPassword",
    "Passwords don't match",
  ],
  ["PATCH", "/api/user/profile", { phoneNumber: "12-34" }, "phoneNumber", "Invalid phone number format"],
  ["PATCH", "/api/user/profile", { phoneNumber: "0123456" }, "phoneNumber", "Invalid phone number format"],
  [
    "PATCH",
    "/api/user/profile",
    { phoneNumber: "+1234567890123456" },
    "phoneNumber",
    "Invalid phone number format",
  ],
  ["PATCH", "/api/user/profile", { phoneNumber: "+1" }, "phoneNumber", "Invalid phone number format"],
  ["PATCH", "/api/user/profile", { email: "a@" }, "email", "Invalid email address"],
  ["PATCH", "/api/user/profile", { email: "" }, "email", "Invalid email address"],
  ["PATCH", "/api/user/profile", { timeZone: "Europe/Atlantis" }, "timeZone", "Unknown time zone"],
  ["POST", "/api/webhooks", { ...WEBHOOK, url: " " }, "url", "Address is required"],
  ["POST", "/api/webhooks", { ...WEBHOOK, url: "nowhere" }, "url", MESSAGES.invalidWebhookUrl],
  ["POST", "/api/webhooks", { ...WEBHOOK, events: [] }, "events", "At least one event is required"],
  [
    "PATCH",
    "/api/user/profile",
    { themePreference: "pink" },
    "themePreference",
    "themePreference must be one of system, light, dark",
  ],
  [
    "PATCH",
    "/api/user/profile",
    { languagePreference: "xx" },
    "languagePreference",
    "languagePreference must be one of en, fr, es, zh, de, pt, ja",
  ],
  [
    "POST",
    "/api/user/complete-onboarding",
    { usageType: "x" },
    "usageType",
    "usageType must be one of personal, business, enterprise",
  ],
  [
    "POST",
    "/api/user/complete-onboarding",
    { documentType: "x" },
    "documentType",
    "documentType must be one of contracts, forms, tax_documents, other",
  ],
  ["POST", "/api/workspaces", { name: " " }, "name", "Name is required"],
  ["POST", "/api/contacts", { firstName: " " }, "firstName", "First name is required"],
  ["POST", "/api/contacts", {}, "firstName", "First name is required"],
  ["POST", "/api/contacts", { firstName: null }, "firstName", "First name is required"],
  ["POST", "/api/contacts", { firstName: "A", email: "a@b" }, "email", "Invalid email"],
  ["POST", "/api/contacts", { firstName: 7 }, "firstName", "firstName must be text"],
  ["POST", "/api/templates", { ...TEMPLATE, name: "" }, "name", "Name is required"],
  [
    "POST",
    "/api/templates",
    { ...TEMPLATE, fields: [{ name: "" }] },
    "fields.0.name",
    "Field name is required",
  ],
  [
    "POST",
    "/api/templates",
    { ...TEMPLATE, fields: [{ name: "A" }, { description: "x" }] },
    "fields.1.name",
    "Field name is required",
  ],
  ["POST", "/api/templates", { ...TEMPLATE, fields: [] }, "fields", "At least one document is required"],
  ["POST", "/api/templates", { name: "Taxes" }, "fields", "fields is required"],
  [
    "POST",
    "/api/templates",
    { ...TEMPLATE, fields: [{ name: "A" }, { name: " a " }] },
    "fields.1.name",
    "Document names must be unique",
  ],
  [
    "POST",
    "/api/templates",
    { ...TEMPLATE, fields: [{ name: "A", allowedFileTypes: ["tar.gz"] }] },
    "fields.0.allowedFileTypes.0",
    "Invalid file type",
  ],
  [
    "POST",
    "/api/requests",
    { ...ENVELOPE, recipientName: "" },
    "recipientName",
    "Recipient name is required",
  ],
  [
    "POST",
    "/api/requests",
    { ...ENVELOPE, recipientName: null },
    "recipientName",
    "Recipient name is required for non-draft Doculopes",
  ],
  ["POST", "/api/requests", { ...ENVELOPE, recipientEmail: "rita" }, "recipientEmail", "Invalid email"],
  ["POST", "/api/requests", { isDraft: true, recipientEmail: "rita" }, "recipientEmail", "Invalid email"],
  [
    "POST",
    "/api/requests",
    { ...ENVELOPE, recipientPhone: "(555) 123" },
    "recipientPhone",
    "Invalid phone number format. Must include country code",
  ],
  [
    "POST",
    "/api/requests",
    { isDraft: true, recipientPhone: "+0123" },
    "recipientPhone",
    "Invalid phone number format. Must include country code",
  ],
  [
    "POST",
    "/api/requests",
    { ...ENVELOPE, countryCode: "+12345", recipientPhone: "55" },
    "countryCode",
    "Invalid country code format",
  ],
  ["POST", "/api/requests", { ...ENVELOPE, countryCode: "44" }, "countryCode", "Invalid country code format"],
  [
    "POST",
    "/api/requests",
    { ...ENVELOPE, countryCode: "+1", recipientPhone: "555 123 456" },
    "recipientPhone",
    "Invalid phone number format. Must include country code",
  ],
  [
    "POST",
    "/api/requests",
    { ...ENVELOPE, countryCode: "+1", recipientPhone: "555 123 4567 8" },
    "recipientPhone",
    "Invalid phone number format. Must include country code",
  ],
  [
    "POST",
    "/api/requests",
    { ...ENVELOPE, countryCode: "+1", recipientPhone: "(555) 123-4567 ext. 89" },
    "recipientPhone",
    "Invalid phone number format. Must include country code",
  ],
  [
    "POST",
    "/api/requests",
    { ...ENVELOPE, countryCode: "+44", recipientPhone: "+1 555 123 456" },
    "recipientPhone",
    "Invalid phone number format. Must include country code",
  ],
  [
    "POST",
    "/api/requests",
    { ...ENVELOPE, countryCode: "+49", recipientPhone: "call 01512 3456789" },
    "recipientPhone",
    "Invalid phone number format. Must include country code",
  ],
  [
    "POST",
    "/api/requests",
    { ...ENVELOPE, countryCode: "+9999", recipientPhone: "5551234567" },
    "recipientPhone",
    "Invalid phone number format. Must include country code",
  ],
  [
    "POST",
    "/api/requests",
    { ...ENVELOPE, countryCode: "+33", recipientPhone: "06 12 34 56" },
    "recipientPhone",
    "Invalid phone number format. Must include country code",
  ],
  [
    "POST",
    "/api/requests",
    { ...ENVELOPE, countryCode: "+44", recipientPhone: "55512345678901" },
    "recipientPhone",
    "Invalid phone number format. Must include country code",
  ],
  [
    "POST",
    "/api/requests",
    { ...ENVELOPE, reminderFrequency: "hourly" },
    "reminderFrequency",
    "reminderFrequency must be one of none, daily, weekly, monthly",
  ],
  [
    "POST",
    "/api/requests",
    { ...ENVELOPE, notificationPreference: "fax" },
    "notificationPreference",
    "notificationPreference must be one of email, sms, both",
  ],
  ["POST", "/api/requests", { ...ENVELOPE, subject: "" }, "subject", "Subject is required"],
  [
    "POST",
    "/api/requests",
    { ...ENVELOPE, subject: " " },
    "subject",
    "Subject is required for non-draft Doculopes",
  ],
  [
    "POST",
    "/api/requests",
    { ...ENVELOPE, recipientEmail: null },
    "recipientEmail",
    "Either email or phone number is required for non-draft Doculopes",
  ],
  [
    "POST",
    "/api/requests",
    { ...ENVELOPE, recipientEmail: "", recipientPhone: "" },
    "recipientEmail",
    "Either email or phone number is required for non-draft Doculopes",
  ],
  [
    "POST",
    "/api/requests",
    { ...ENVELOPE, recipientEmail: null, recipientPhone: "+15551234567" },
    "recipientEmail",
    "An email address is required to notify by email",
  ],
  [
    "POST",
    "/api/requests",
    { ...ENVELOPE, notificationPreference: "sms" },
    "recipientPhone",
    "A phone number is required to notify by SMS",
  ],
  [
    "POST",
    "/api/requests",
    { ...ENVELOPE, notificationPreference: "both" },
    "recipientPhone",
    "A phone number is required to notify by SMS",
  ],
  [
    "POST",
    "/api/requests",
    { ...ENVELOPE, documents: [] },
    "documents",
    "At least one document is required for non-draft Doculopes",
  ],
  [
    "POST",
    "/api/requests",
    { ...ENVELOPE, documents: [{ name: "" }] },
    "documents.0.name",
    "Document name is required",
  ],
  [
    "POST",
    "/api/requests",
    { ...ENVELOPE, documents: [{ name: "A" }, {}] },
    "documents.1.name",
    "Document name is required for non-draft Doculopes",
  ],
  [
    "POST",
    "/api/requests",
    { ...ENVELOPE, documents: [{ name: "A" }, { name: "a" }] },
    "documents.1.name",
    "Document names must be unique",
  ],
  [
    "POST",
    "/api/requests",
    { isDraft: true, documents: [{ name: "É" }, { name: "é" }] },
    "documents.1.name",
    "Document names must be unique",
  ],
  [
    "POST",
    "/api/requests",
    { ...ENVELOPE, documents: [{ name: "Re\u0301sume\u0301" }, { name: "R\u00e9sum\u00e9" }] },
    "documents.1.name",
    "Document names must be unique",
  ],
  [
    "POST",
    "/api/requests",
    { ...ENVELOPE, documents: [{ name: "A", allowedFileTypes: ["p d f"] }] },
    "documents.0.allowedFileTypes.0",
    "Invalid file type",
  ],
  ["POST", "/api/requests", { ...ENVELOPE, expirationDate: "soon" }, "expirationDate", "Invalid date"],
  ["POST", "/api/requests", { ...ENVELOPE, expirationDate: "2027-02-31" }, "expirationDate", "Invalid date"],
  [
    "POST",
    "/api/requests",
    { ...ENVELOPE, expirationDate: "2027-02-31T00:00:00Z" },
    "expirationDate",
    "Invalid date",
  ],
  [
    "POST",
    "/api/requests",
    { ...ENVELOPE, expirationDate: "1899-12-31" },
    "expirationDate",
    "The date cannot be before 1900",
  ],
  [
    "POST",
    "/api/requests",
    { ...ENVELOPE, expirationDate: "2026-03-13" },
    "expirationDate",
    "The date cannot be in the past",
  ],
  ["POST", "/api/requests", { ...ENVELOPE, contactId: "5" }, "contactId", "contactId must be a number"],
  [
    "POST",
    "/api/requests",
    { ...ENVELOPE, workspaceId: 1.5 },
    "workspaceId",
    "workspaceId must be a whole number",
  ],
  ["POST", "/api/requests", { ...ENVELOPE, isDraft: "yes" }, "isDraft", "isDraft must be true or false"],
  [
    "PATCH",
    "/api/workspaces/1",
    { fileNameRule: "{name}" },
    "fileNameRule",
    "The rule contains an unknown placeholder",
  ],
  [
    "PATCH",
    "/api/workspaces/1",
    { defaultFileTypes: ["pdf", "p d f"] },
    "defaultFileTypes.1",
    "Invalid file type",
  ],
  ["PATCH", "/api/workspaces/1", { brandColor: "red" }, "brandColor", "Enter a colour as #rrggbb"],
  [
    "POST",
    "/api/requests",
    { ...ENVELOPE, dueDate: "2030-05-02", expirationDate: "2030-05-01" },
    "dueDate",
    "The date cannot be after the last day of the link",
  ],
  [
    "POST",
    "/api/requests",
    { ...ENVELOPE, reminderDays: [1] },
    "reminderDays",
    "Reminders around the due date need a due date",
  ],
  [
    "POST",
    "/api/requests",
    { ...ENVELOPE, dueDate: "2030-05-01", reminderDays: [1, 1] },
    "reminderDays",
    "Each day can only be listed once",
  ],
  [
    "POST",
    "/api/templates",
    { ...TEMPLATE, dueInDays: 366 },
    "dueInDays",
    "Enter a whole number from 0 to 365",
  ],
  [
    "POST",
    "/api/contacts/bulk",
    { contacts: [TWICE, TWICE], match: "email" },
    "contacts.1.email",
    "This email address is listed twice",
  ],
  ["POST", "/api/requests/1/review", {}, "", "Choose at least one document"],
  ["POST", "/api/requests/1/review", { accept: [1, 1] }, "accept.1", "Each document can only be listed once"],
  [
    "POST",
    "/api/requests/1/review",
    { return: [{ documentId: 1, reason: " " }] },
    "return.0.reason",
    "A reason is required",
  ],
  ["POST", "/api/support/messages", { message: "" }, "message", "Message is required"],
];

describeApi("validation", (api) => {
  let alice: SignedUp;
  beforeAll(async () => {
    alice = await api.signUp();
  });

  test.each(CASES)("%s %s with %j is rejected at %s: %s", async (method, path, body, field, message) => {
    const response = await alice.send(method, path, body);
    expect([response.status, response.body.code]).toEqual([400, "validation"]);
    expect(response.body.message).toBe(response.body.issues[0].message);
    expect(response.body.issues).toContainEqual({ path: field, message });
  });

  test("all invalid fields of an envelope are reported, and the first is the message", async () => {
    const { status, body } = await alice.post("/api/requests", { documents: [{ name: "A" }, { name: "" }] });
    expect(status).toBe(400);
    expect(body).toEqual({
      code: "validation",
      message: "Recipient name is required for non-draft Doculopes",
      issues: [
        { path: "recipientName", message: MESSAGES.sentRecipientName },
        { path: "subject", message: MESSAGES.sentSubject },
        { path: "recipientEmail", message: MESSAGES.sentContact },
        { path: "documents.1.name", message: MESSAGES.documentNameRequired },
        { path: "documents.1.name", message: MESSAGES.sentDocumentName },
      ],
    });
    const empty = await alice.post("/api/requests", {});
    expect(empty.body.issues.map(({ path }: { path: string }) => path)).toEqual([
      "recipientName",
      "subject",
      "recipientEmail",
      "documents",
    ]);
  });

  test("a field of another kind hides no other's message, and has one of its own", async () => {
    const { body } = await alice.post("/api/requests", {
      recipientName: 5,
      subject: "",
      reminderFrequency: "hourly",
      expirationDate: "1800-01-01",
      documents: [7, { name: "A" }, { name: "a" }, { name: "" }, 8],
    });
    const paths: string[] = body.issues.map(({ path }: { path: string }) => path);
    expect([...new Set(paths)].sort()).toEqual([
      "documents.0",
      "documents.2.name",
      "documents.3.name",
      "documents.4",
      "expirationDate",
      "recipientEmail",
      "recipientName",
      "reminderFrequency",
      "subject",
    ]);
  });

  test("rejected input leaves no row behind", async () => {
    for (const table of ["contacts", "templates", "envelopes", "template_uses"])
      expect(await api.select(`select * from ${table}`)).toEqual([]);
    expect(await api.select("select * from workspaces")).toHaveLength(1);
  });
});

/** Their cases are in `members.test.ts`, as it takes a workspace with members, and in `placeholders.test.ts`. */
const ELSEWHERE: string[] = [MESSAGES.notAssignable, MESSAGES.filledTooLong];

test("every message of the catalogue has a case above", () => {
  const covered = new Set([...ELSEWHERE, ...CASES.map(([, , , , message]) => message)]);
  expect(Object.values(MESSAGES).filter((message) => !covered.has(message))).toEqual([]);
});
