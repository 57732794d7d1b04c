import { expect, test } from "bun:test";
import type { Envelope } from "../../web/features/envelopes/envelopes.queries";
import {
  initialValues,
  templateOf,
  valuesOfCopy,
  withTemplate,
} from "../../web/features/envelopes/wizard/wizard-values";
import type { Template } from "../../web/features/templates/templates.queries";
import { fillPlaceholders } from "../../worker/contract/placeholders";
import { BLANK_TEMPLATE, FILLED_DOCUMENT, FILLED_TEMPLATE } from "../support/api/filled-fields";

const TODAY = "2026-03-14";

const ENVELOPE = {
  id: 1,
  isDraft: false,
  title: "Request for Rita",
  customerEmail: "rita@example.com",
  recipientPhone: "+493012345678",
  countryCode: "+49",
  subject: "For {name}",
  message: "Hello",
  documents: [{ ...FILLED_DOCUMENT, id: 3, description: "{" }],
  dueDate: "2026-03-20",
  expirationDate: "2026-03-30",
  reminderDays: [1],
  reminderFrequency: "weekly",
  notificationPreference: "both",
  updatedAt: "2026-03-01T00:00:00.000Z",
} as unknown as Envelope;

test("a copy has everything but the version and what was filled stays filled", () => {
  const copy = valuesOfCopy(ENVELOPE, TODAY);
  expect(copy).toMatchObject({
    recipientEmail: "rita@example.com",
    countryCode: "+49",
    storedPhone: null,
    updatedAt: null,
    dueDate: "2026-03-20",
    expirationDate: "2026-03-30",
    reminderDays: [1],
    reminderFrequency: "weekly",
    notificationPreference: "both",
  });
  expect(copy.phone).not.toBe("");
  expect(fillPlaceholders(copy.subject, new Map([["name", "Eve"]])).text).toBe("For {name}");
  expect(copy.documents[0]?.description).toBe("{{");
  expect(valuesOfCopy({ ...ENVELOPE, status: "draft" }, TODAY).subject).toBe("For {name}");
});

test("a copy leaves out dates that are past, with the reminders around them", () => {
  expect(valuesOfCopy(ENVELOPE, "2026-03-21")).toMatchObject({
    dueDate: "",
    reminderDays: [],
    expirationDate: "2026-03-30",
  });
  expect(valuesOfCopy(ENVELOPE, "2026-03-31").expirationDate).toBe("");
  expect(valuesOfCopy(ENVELOPE, "2026-03-20").dueDate).toBe("2026-03-20");
});

test("a template counts the days to the dates, and gives them back from another day", () => {
  const template = templateOf(valuesOfCopy(ENVELOPE, TODAY), TODAY);
  expect(template).toMatchObject({ dueInDays: 6, expiresInDays: 16, reminderDays: [1] });
  const values = initialValues(
    undefined,
    { ...BLANK_TEMPLATE, ...template } as Template,
    undefined,
    "2026-12-28",
  );
  expect(values).toMatchObject({
    ...{ subject: "For {{name}", message: "Hello", reminderFrequency: "weekly" },
    ...{ dueDate: "2027-01-03", expirationDate: "2027-01-13", notificationPreference: "both" },
  });
});

test("a date that is past or too far away is not taken over", () => {
  const far = { ...valuesOfCopy(ENVELOPE, TODAY), expirationDate: "2027-03-15" };
  expect(templateOf(far, TODAY).expiresInDays).toBeNull();
  expect(templateOf(far, "2026-03-21").dueInDays).toBeNull();
});

test("a template without any of it leaves the wizard as it was", () => {
  const blank = initialValues(undefined, { ...BLANK_TEMPLATE, id: 1 } as Template);
  const { documents: _, templateId: _id, ...values } = blank;
  const { documents: _none, templateId: _no, ...initial } = initialValues();
  expect(values).toEqual(initial);
  const filled = initialValues(undefined, { ...FILLED_TEMPLATE, id: 1 } as Template);
  expect(filled).toMatchObject({ subject: FILLED_TEMPLATE.subject, notificationPreference: "sms" });
});

test("a template fills in what it has, replaces what the former one filled in, and leaves what was typed", () => {
  const template = (changes: object) => ({ ...BLANK_TEMPLATE, ...changes }) as Template;
  const taxes = template({ id: 1, subject: "Taxes", message: "Dear {name}", dueInDays: 3, language: "de" });
  const visa = template({ id: 2, subject: "Visa", expiresInDays: 1 });
  const context = { workspace: undefined, former: undefined, day: TODAY };
  const typed = {
    ...initialValues(undefined, undefined, undefined, TODAY),
    message: "Typed",
    subject: "Old",
  };
  const first = { ...typed, ...withTemplate(typed, taxes, context) };
  expect(first).toMatchObject({
    templateId: 1,
    subject: "Taxes",
    message: "Dear {name}",
    dueDate: "2026-03-17",
  });
  expect(first.language).toBe("de");
  const second = { ...first, ...withTemplate(first, visa, { ...context, former: taxes }) };
  expect(second).toMatchObject({ templateId: 2, subject: "Visa", message: "", dueDate: "", language: "" });
  expect(second.expirationDate).toBe("2026-03-15");
  const changed = { ...first, message: "Mine", language: "fr" as const };
  expect(withTemplate(changed, visa, { ...context, former: taxes })).not.toContainKeys([
    "message",
    "language",
  ]);
});
