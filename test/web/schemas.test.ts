import { describe, expect, test } from "bun:test";
import { safeParse } from "valibot";
import { loginSchema, registerSchema } from "../../web/features/auth/auth.schema";
import { locateIssue } from "../../web/features/envelopes/wizard/steps";
import { type WizardValues, wizardSchema } from "../../web/features/envelopes/wizard/wizard.schema";
import { initialValues, toPayload } from "../../web/features/envelopes/wizard/wizard-values";
import { emptyDocument } from "../../web/lib/document-entries";
import { today } from "../../web/lib/time-zone";
import { loginInput, registerInput } from "../../worker/contract/auth";
import { envelopeInput } from "../../worker/contract/envelopes";

/** The browser checks with valibot, the server with zod: they must agree on every row of these tables. */

const ADDRESSES = [
  "ada@example.com",
  "  Ada@Example.COM ",
  "a.b+c@sub.example.co",
  "",
  "ada",
  "ada@localhost",
  "ada@example.com, eve@example.com",
  '"ada"@example.com',
  "ada..b@example.com",
  "info@müller-söhne.de",
  "müller@example.com",
  "Ada <ada@example.com>",
  "mailto:ada@example.com",
  "\u200bada@exa\u00admple.com\ufeff",
  `${"a".repeat(260)}@example.com`,
];
const PASSWORDS = ["secret", "short", "", "x".repeat(200), "x".repeat(201), "      "];

describe("sign-in and registration", () => {
  test.each(ADDRESSES.map((email) => [email.slice(0, 40), email]))("address %p", (_short, email) => {
    for (const password of PASSWORDS) {
      const row = { email, password };
      expect(safeParse(loginSchema, row).success).toBe(loginInput.safeParse(row).success);
      expect(safeParse(registerSchema, row).success).toBe(registerInput.safeParse(row).success);
    }
  });
});

const valid: WizardValues = {
  ...initialValues(),
  recipientName: "Ada",
  recipientEmail: "ada@example.com",
  subject: "Papers",
  documents: [
    { ...emptyDocument(), name: "Passport", required: true, allowedFileTypes: ["pdf"], multiple: true },
  ],
};
const document = (name: string) => ({ ...emptyDocument(), name, allowedFileTypes: [] });

describe("the wizard", () => {
  const rows: [string, Partial<WizardValues>][] = [
    ["as it should be", {}],
    ["no name", { recipientName: "  " }],
    ["an invisible name", { recipientName: "\u200b\u3164" }],
    ["long name", { recipientName: "x".repeat(201) }],
    ...ADDRESSES.filter((email) => email !== "").map((recipientEmail): [string, Partial<WizardValues>] => [
      `address ${recipientEmail.slice(0, 30)}`,
      { recipientEmail },
    ]),
    ["phone", { phone: "5551234567" }],
    ["no subject", { subject: "" }],
    ["long subject", { subject: "x".repeat(501) }],
    ["long message", { message: "x".repeat(10_001) }],
    ["nameless document", { documents: [document("")] }],
    ["twice the same name", { documents: [document("Passport"), document(" passport ")] }],
    [
      "composed and decomposed names",
      { documents: [document("R\u00e9sum\u00e9"), document("Re\u0301sume\u0301")] },
    ],
    ["two documents", { documents: [document("Passport"), document("Visa")] }],
    ["too many documents", { documents: Array.from({ length: 101 }, (_, index) => document(`D${index}`)) }],
    ["a number's bound", { documents: [{ ...document("Rent"), kind: "number", min: "1000.5" }] }],
    [
      "a number's bound in words",
      { documents: [{ ...document("Rent"), kind: "number", min: "a", max: "b" }] },
    ],
    [
      "a date's bound",
      { documents: [{ ...document("Birth"), kind: "date", min: "1900-01-01", max: "today" }] },
    ],
    ["a date's bound as no day", { documents: [{ ...document("Birth"), kind: "date", max: "1.1.2000" }] }],
    ["before 1900", { expirationDate: "1899-12-31" }],
    ["no such day", { expirationDate: "2999-02-31" }],
    ["today", { expirationDate: today(null) }],
    ["later", { expirationDate: "2999-01-01" }],
  ];
  test.each(rows)("%s", (_name, change) => {
    const values = { ...valid, ...change };
    const browser = safeParse(wizardSchema(null), values).success;
    expect(browser).toBe(envelopeInput.safeParse({ ...toPayload(values, 1), isDraft: false }).success);
  });

  test("a day in the past is rejected before it is sent", () => {
    const result = safeParse(wizardSchema(null), { ...valid, expirationDate: "2020-01-01" });
    expect(result.issues?.map(({ message }) => message)).toEqual(["dateInPast"]);
  });

  test("today is the day in the account's time zone", () => {
    const yesterday = new Date(Date.now() - 86_400_000);
    const accepts = (timeZone: string, expirationDate: string) =>
      safeParse(wizardSchema(timeZone), { ...valid, expirationDate }).success;
    for (const timeZone of ["Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
      expect(accepts(timeZone, today(timeZone))).toBe(true);
      expect(accepts(timeZone, today(timeZone, yesterday))).toBe(false);
    }
    // 25 hours apart: there is never the same day in both.
    expect(accepts("Pacific/Kiritimati", today("Pacific/Pago_Pago"))).toBe(false);
  });

  test("notification by SMS needs a number, new or stored", () => {
    const sms = { ...valid, notificationPreference: "sms" as const };
    expect(safeParse(wizardSchema(null), sms).issues?.[0]?.message).toBe("phoneNeeded");
    expect(safeParse(wizardSchema(null), { ...sms, phone: "5551234567" }).success).toBe(true);
    expect(safeParse(wizardSchema(null), { ...sms, storedPhone: "+15551234567" }).success).toBe(true);
  });

  test("the server's issues are assigned to their fields and steps", () => {
    expect(locateIssue("recipientPhone")).toEqual({ field: "phone", step: 0 });
    expect(locateIssue("documents.2.name")).toEqual({ field: "documents.2.name", step: 2 });
    expect(locateIssue("expirationDate")?.step).toBe(3);
    expect(locateIssue("workspaceId")).toBeUndefined();
  });
});
