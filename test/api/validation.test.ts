import { beforeAll, expect, test } from "bun:test";
import { MESSAGES } from "../../worker/contract/messages";
import { describeApi, type SignedUp } from "../support/api/client";
import { ENVELOPE } from "../support/api/envelopes";

/** What is invalid in a body, the field, and the specification's message for it. */
type Case = readonly [change: object, field: string, message: string];

const PASSWORDS = { currentPassword: "a long password", newPassword: "longer still" };
const CONTACT = { firstName: "Rita", email: "rita@example.com" };
const BAD_PHONE = "Invalid phone number format. Must include country code";
const NO_CONTACT = "Either email or phone number is required for non-draft Doculopes";

/** By their call, the cases and the valid body that they change. */
const CALLS: Record<string, { valid?: object; cases: readonly Case[] }> = {
  "POST /api/register": {
    valid: { email: "a@example.com", password: "secret" },
    cases: [
      [{ email: "nobody" }, "email", "Invalid email address"],
      [{ email: undefined }, "email", "Invalid email address"],
      [{ email: "josé@example.com" }, "email", MESSAGES.foreignMailbox],
      [{ password: undefined }, "password", "Password is required"],
      [{ password: "12345" }, "password", "Password must be at least 6 characters"],
    ],
  },
  "POST /api/login": {
    valid: { email: "a@example.com", password: "x" },
    cases: [
      [{ email: "a@b" }, "email", "Invalid email address"],
      [{ password: "" }, "password", "Password is required"],
    ],
  },
  "POST /api/password/forgot": {
    cases: [
      [{ email: "josé@example.com" }, "email", MESSAGES.foreignMailbox],
      [{ email: "a b@example.com" }, "email", "Invalid email address"],
    ],
  },
  "POST /api/password/reset": {
    cases: [[{ token: "t", newPassword: "12345" }, "newPassword", "Password must be at least 6 characters"]],
  },
  "POST /api/user/change-password": {
    valid: { ...PASSWORDS, confirmPassword: PASSWORDS.newPassword },
    cases: [
      [{ currentPassword: "" }, "currentPassword", "Current password is required"],
      [{ currentPassword: undefined }, "currentPassword", "Current password is required"],
      [{ newPassword: "12345" }, "newPassword", "Password must be at least 6 characters"],
      [{ confirmPassword: "other" }, "confirmPassword", "Passwords don't match"],
      [{ confirmPassword: undefined }, "confirmPassword", "Passwords don't match"],
    ],
  },
  "PATCH /api/user/profile": {
    cases: [
      ...["12-34", "0123456", "+1234567890123456", "+1"].map(
        (phoneNumber): Case => [{ phoneNumber }, "phoneNumber", "Invalid phone number format"],
      ),
      [{ email: "a@" }, "email", "Invalid email address"],
      [{ email: "" }, "email", "Invalid email address"],
      [{ timeZone: "Europe/Atlantis" }, "timeZone", "Unknown time zone"],
      [{ themePreference: "pink" }, "themePreference", "themePreference must be one of system, light, dark"],
      [
        { languagePreference: "xx" },
        "languagePreference",
        "languagePreference must be one of en, fr, es, zh, de, pt, ja",
      ],
    ],
  },
  "POST /api/webhooks": {
    valid: { url: "https://hooks.example.com/", events: ["request.sent"] },
    cases: [
      [{ url: " " }, "url", "Address is required"],
      [{ url: "nowhere" }, "url", MESSAGES.invalidWebhookUrl],
      [{ events: [] }, "events", "At least one event is required"],
    ],
  },
  "POST /api/user/complete-onboarding": {
    cases: [
      [{ usageType: "x" }, "usageType", "usageType must be one of personal, business, enterprise"],
      [
        { documentType: "x" },
        "documentType",
        "documentType must be one of contracts, forms, tax_documents, other",
      ],
    ],
  },
  "POST /api/workspaces": { cases: [[{ name: " " }, "name", "Name is required"]] },
  "PATCH /api/workspaces/1": {
    cases: [
      [{ fileNameRule: "{name}" }, "fileNameRule", "The rule contains an unknown placeholder"],
      [{ defaultFileTypes: ["pdf", "p d f"] }, "defaultFileTypes.1", "Invalid file type"],
      [{ brandColor: "red" }, "brandColor", "Enter a colour as #rrggbb"],
    ],
  },
  "POST /api/destinations": {
    cases: [[{ kind: "folder", folderRule: "{client}" }, "folderRule", MESSAGES.invalidFolderRule]],
  },
  "POST /api/contacts": {
    cases: [
      [{ folder: "../other" }, "folder", MESSAGES.invalidFolder],
      [{ folder: "C:/Clients" }, "folder", MESSAGES.invalidFolder],
      [{}, "firstName", "First name is required"],
      [{ firstName: " " }, "firstName", "First name is required"],
      [{ firstName: null }, "firstName", "First name is required"],
      [{ firstName: 7 }, "firstName", "firstName must be text"],
      [{ firstName: "A", email: "a@b" }, "email", "Invalid email"],
      [{ firstName: "A", tags: ["x".repeat(51)] }, "tags.0", MESSAGES.tooManyTags],
    ],
  },
  "POST /api/contacts/bulk": {
    valid: { match: "email" },
    cases: [[{ contacts: [CONTACT, CONTACT] }, "contacts.1.email", "This email address is listed twice"]],
  },
  "POST /api/templates": {
    valid: { name: "Taxes", fields: [{ name: "Payslip" }] },
    cases: [
      [{ name: "" }, "name", "Name is required"],
      [{ fields: [{ name: "" }] }, "fields.0.name", "Field name is required"],
      [{ fields: [{ name: "A" }, { description: "x" }] }, "fields.1.name", "Field name is required"],
      [{ fields: [] }, "fields", "At least one document is required"],
      [{ fields: undefined }, "fields", "fields is required"],
      [{ fields: [{ name: "A" }, { name: " a " }] }, "fields.1.name", "Document names must be unique"],
      [
        { fields: [{ name: "A", allowedFileTypes: ["tar.gz"] }] },
        "fields.0.allowedFileTypes.0",
        "Invalid file type",
      ],
      [{ dueInDays: 366 }, "dueInDays", "Enter a whole number from 0 to 365"],
    ],
  },
  "POST /api/requests": {
    valid: ENVELOPE,
    cases: [
      [
        { documents: [{ name: "A", kind: "choice", options: ["One", "one"] }] },
        "documents.0.options",
        "Enter at least two options that differ",
      ],
      [
        { documents: [{ name: "A", kind: "choice", options: ["One", "x".repeat(201)] }] },
        "documents.0.options.1",
        "An option is one line of at most 200 characters",
      ],
      [
        { documents: [{ name: "A", showIf: { name: "A", is: ["yes"] } }] },
        "documents.0.showIf",
        "The condition must name an earlier question with choices",
      ],
      [{ documents: [{ name: "A", kind: "date", min: "soon" }] }, "documents.0.min", MESSAGES.invalidBound],
      [
        { documents: [{ name: "A", kind: "number", min: "2", max: "1" }] },
        "documents.0.min",
        MESSAGES.boundsCrossed,
      ],
      [{ prefill: true }, "prefill", MESSAGES.prefillNeedsContact],
      [{ recipientName: "" }, "recipientName", "Recipient name is required"],
      [{ recipientName: null }, "recipientName", "Recipient name is required for non-draft Doculopes"],
      [{ recipientEmail: "rita" }, "recipientEmail", "Invalid email"],
      [{ isDraft: true, recipientEmail: "rita" }, "recipientEmail", "Invalid email"],
      [{ recipientPhone: "(555) 123" }, "recipientPhone", BAD_PHONE],
      [{ isDraft: true, recipientPhone: "+0123" }, "recipientPhone", BAD_PHONE],
      ...[
        ["+1", "555 123 456"],
        ["+1", "555 123 4567 8"],
        ["+1", "(555) 123-4567 ext. 89"],
        ["+44", "+1 555 123 456"],
        ["+49", "call 01512 3456789"],
        ["+9999", "5551234567"],
        ["+33", "06 12 34 56"],
        ["+44", "55512345678901"],
      ].map(
        ([countryCode, recipientPhone]): Case => [
          { countryCode, recipientPhone },
          "recipientPhone",
          BAD_PHONE,
        ],
      ),
      [{ countryCode: "+12345", recipientPhone: "55" }, "countryCode", "Invalid country code format"],
      [{ countryCode: "44" }, "countryCode", "Invalid country code format"],
      [
        { reminderFrequency: "hourly" },
        "reminderFrequency",
        "reminderFrequency must be one of none, daily, weekly, monthly",
      ],
      [
        { notificationPreference: "fax" },
        "notificationPreference",
        "notificationPreference must be one of email, sms, both",
      ],
      [{ subject: "" }, "subject", "Subject is required"],
      [{ subject: " " }, "subject", "Subject is required for non-draft Doculopes"],
      [{ recipientEmail: null }, "recipientEmail", NO_CONTACT],
      [{ recipientEmail: "", recipientPhone: "" }, "recipientEmail", NO_CONTACT],
      [
        { recipientEmail: null, recipientPhone: "+15551234567" },
        "recipientEmail",
        "An email address is required to notify by email",
      ],
      [{ notificationPreference: "sms" }, "recipientPhone", "A phone number is required to notify by SMS"],
      [{ notificationPreference: "both" }, "recipientPhone", "A phone number is required to notify by SMS"],
      [{ documents: [] }, "documents", "At least one document is required for non-draft Doculopes"],
      [{ documents: [{ name: "" }] }, "documents.0.name", "Document name is required"],
      [
        { documents: [{ name: "A" }, {}] },
        "documents.1.name",
        "Document name is required for non-draft Doculopes",
      ],
      ...[
        ["A", "a"],
        ["Re\u0301sume\u0301", "R\u00e9sum\u00e9"],
      ].map(
        (names): Case => [
          { documents: names.map((name) => ({ name })) },
          "documents.1.name",
          "Document names must be unique",
        ],
      ),
      [
        { isDraft: true, documents: [{ name: "É" }, { name: "é" }] },
        "documents.1.name",
        "Document names must be unique",
      ],
      [
        { documents: [{ name: "A", allowedFileTypes: ["p d f"] }] },
        "documents.0.allowedFileTypes.0",
        "Invalid file type",
      ],
      ...["soon", "2027-02-31", "2027-02-31T00:00:00Z"].map(
        (expirationDate): Case => [{ expirationDate }, "expirationDate", "Invalid date"],
      ),
      [{ expirationDate: "1899-12-31" }, "expirationDate", "The date cannot be before 1900"],
      [{ expirationDate: "2026-03-13" }, "expirationDate", "The date cannot be in the past"],
      [{ contactId: "5" }, "contactId", "contactId must be a number"],
      [{ workspaceId: 1.5 }, "workspaceId", "workspaceId must be a whole number"],
      [{ isDraft: "yes" }, "isDraft", "isDraft must be true or false"],
      [
        { dueDate: "2030-05-02", expirationDate: "2030-05-01" },
        "dueDate",
        "The date cannot be after the last day of the link",
      ],
      [{ reminderDays: [1] }, "reminderDays", "Reminders around the due date need a due date"],
      [{ dueDate: "2030-05-01", reminderDays: [1, 1] }, "reminderDays", "Each day can only be listed once"],
    ],
  },
  "POST /api/requests/1/review": {
    cases: [
      [{}, "", "Choose at least one document"],
      [{ accept: [1, 1] }, "accept.1", "Each document can only be listed once"],
      [{ return: [{ documentId: 1, reason: " " }] }, "return.0.reason", "A reason is required"],
    ],
  },
  "POST /api/support/messages": { cases: [[{ message: "" }, "message", "Message is required"]] },
};
const CASES = Object.entries(CALLS).flatMap(([call, { valid, cases }]) =>
  cases.map(([change, field, message]) => [call, change, field, message, { ...valid, ...change }] as const),
);

describeApi("validation", (api) => {
  let alice: SignedUp;
  beforeAll(async () => {
    alice = await api.signUp();
  });

  test.each(CASES)("%s with %j is rejected at %s: %s", async (call, _change, field, message, body) => {
    const [method = "", path = ""] = call.split(" ");
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
const ELSEWHERE: string[] = [
  MESSAGES.notAssignable,
  MESSAGES.filledTooLong,
  // Of series, in test/api/series.test.ts.
  ...([
    MESSAGES.notInSeries,
    MESSAGES.endBeforeStart,
    MESSAGES.endOrTimes,
    MESSAGES.noOccurrenceLeft,
    MESSAGES.hourOver,
  ] as const),
  // Of a day of sending, in test/api/scheduled.test.ts, and of validity, in test/api/validity.test.ts.
  ...([
    MESSAGES.beforeSending,
    MESSAGES.sendTooLate,
    MESSAGES.renewDaysAlone,
    MESSAGES.invalidRenewDays,
    MESSAGES.validUntilRequired,
  ] as const),
  // Of answers, in test/contract/questions.test.ts.
  ...([
    MESSAGES.answerRequired,
    MESSAGES.invalidAnswer,
    MESSAGES.answerTooLong,
    MESSAGES.answerOneLine,
    MESSAGES.invalidNumber,
    MESSAGES.tooManyDecimals,
    MESSAGES.answerTooSmall,
    MESSAGES.answerTooLarge,
    MESSAGES.invalidIban,
    MESSAGES.optionNotOffered,
  ] as const),
];

test("every message of the catalogue has a case above", () => {
  const covered = new Set([...ELSEWHERE, ...CASES.map(([, , , message]) => message)]);
  expect(Object.values(MESSAGES).filter((message) => !covered.has(message))).toEqual([]);
});
