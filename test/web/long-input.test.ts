import { afterEach, expect, spyOn, test } from "bun:test";
import { join } from "node:path";
import { file, Glob } from "bun";
import { safeParse } from "valibot";
import { forgotSchema, loginSchema, registerSchema, resetSchema } from "../../web/features/auth/auth.schema";
import { contactSchema } from "../../web/features/contacts/contact.schema";
import { wizardSchema } from "../../web/features/envelopes/wizard/wizard.schema";
import { onboardingSchema } from "../../web/features/onboarding/onboarding.schema";
import { passwordSchema, profileSchema } from "../../web/features/settings/settings.schema";
import { templateSchema } from "../../web/features/templates/template.schema";
import {
  accountsQuery,
  auditFilterQuery,
  auditQuery,
  invitationInput,
  outboxQuery,
  pagingQuery,
  quotaInput,
  workspaceQuotaInput,
} from "../../worker/contract/administration";
import { answersInput } from "../../worker/contract/answers";
import { apiTokenInput } from "../../worker/contract/api-tokens";
import * as auth from "../../worker/contract/auth";
import { confirmTotpInput, secondFactorInput } from "../../worker/contract/auth";
import { bulkSendInput, bulkSendsQuery, recipientInput, sharedInput } from "../../worker/contract/bulk-sends";
import {
  contactChanges,
  contactInput,
  contactsExportQuery,
  contactsInput,
  contactsQuery,
  tagsInput,
  tagsQuery,
} from "../../worker/contract/contacts";
import {
  backfillInput,
  backfillQuery,
  connectInput,
  destinationChanges,
  destinationInput,
  destinationsQuery,
  fileDeliveriesQuery,
  foldersQuery,
} from "../../worker/contract/destinations";
import { DOCUMENT_FIELDS } from "../../worker/contract/documents";
import {
  answersQuery,
  archiveQuery,
  assigneeInput,
  envelopeChanges,
  envelopeInput,
  envelopeListQuery,
  previewQuery,
  reminderQuery,
  remindInput,
  seenInput,
} from "../../worker/contract/envelopes";
import { listQuery } from "../../worker/contract/fields";
import { foundListQuery, namedListQuery } from "../../worker/contract/lists";
import {
  activityFilterQuery,
  activityQuery,
  invitationChanges,
  memberInvitationInput,
  membersQuery,
  removalQuery,
  roleInput,
} from "../../worker/contract/members";
import { newPasskeyInput, renamePasskeyInput } from "../../worker/contract/passkeys";
import { reviewInput } from "../../worker/contract/review";
import {
  occurrenceInput,
  seriesChanges,
  seriesInput,
  seriesQuery,
  seriesRecipientsInput,
} from "../../worker/contract/series";
import { linkMessageInput, submitInput } from "../../worker/contract/submissions";
import { supportInput } from "../../worker/contract/support";
import { templateChanges, templateInput } from "../../worker/contract/templates";
import { onboardingInput, profileInput, signInsQuery } from "../../worker/contract/users";
import { expiringQuery, resumeInput, validityChanges } from "../../worker/contract/validity";
import { deliveriesQuery, webhookChanges, webhookInput } from "../../worker/contract/webhooks";
import {
  deletionNoticeInput,
  retentionQuery,
  workspaceChanges,
  workspaceInput,
} from "../../worker/contract/workspaces";

/** How zod looks for characters of two code units before it counts a length: in one pass. */
const SURROGATE = "[\\uD800-\\uDBFF]";

/** The longest text that a field accepts, which limits the input of a pattern. */
const LONGEST = 10_000;
const MEGABYTE = 1024 * 1024;

const fields = (names: string, more: object = {}) => ({
  ...Object.fromEntries(names.split(" ").map((name) => [name, ""])),
  ...more,
});
const DOCUMENTS = [
  fields(DOCUMENT_FIELDS.join(" "), {
    required: true,
    multiple: true,
    allowedFileTypes: [""],
  }),
];
const ACCOUNT = fields("email password token newPassword confirmPassword currentPassword");
const PERSON = fields("email firstName lastName companyName username phoneNumber");
const CONTACT = fields(Object.keys(contactChanges.shape).join(" "), { tags: [""] });
const TEMPLATE = fields(Object.keys(templateChanges.shape).join(" "), {
  fields: DOCUMENTS,
  workspaceId: null,
});
const PREFERENCES = fields("themePreference languagePreference usageType documentType timeZone");
const ENVELOPE = fields(
  "recipientName recipientEmail recipientPhone countryCode phone subject message expirationDate reminderFrequency notificationPreference storedPhone",
  { documents: DOCUMENTS, contactId: null, templateId: null },
);

const DESTINATION = fields("name folderRule", {
  settings: fields("endpoint bucket region prefix url path"),
  credentials: fields("accessKeyId secretAccessKey user password"),
});

type Row = [name: string, parse: (input: unknown) => unknown, sample: object];
const server = (name: string, schema: { safeParse(input: unknown): unknown }, sample: object): Row => [
  name,
  (input) => schema.safeParse(input),
  sample,
];
const browser = (name: string, schema: Parameters<typeof safeParse>[0], sample: object): Row => [
  name,
  (input) => safeParse(schema, input),
  sample,
];

const SCHEMAS: Row[] = [
  ...Object.entries(auth).map(([name, schema]) => server(name, schema, ACCOUNT)),
  server("answersInput", answersInput, { answers: { 1: "" } }),
  server("answersQuery", answersQuery, fields("ids")),
  server("confirmTotpInput", confirmTotpInput, fields("code")),
  server("secondFactorInput", secondFactorInput, fields("challenge code")),
  server("profileInput", profileInput, { ...PERSON, ...PREFERENCES }),
  server("onboardingInput", onboardingInput, PREFERENCES),
  server("contactInput", contactInput, CONTACT),
  server("contactChanges", contactChanges, CONTACT),
  server("contactsInput", contactsInput, { contacts: [CONTACT], match: "none", workspaceId: null }),
  server("contactsExportQuery", contactsExportQuery, fields("workspaceId tag ids")),
  server("contactsQuery", contactsQuery, fields("workspaceId tag filter sort limit cursor")),
  server("tagsQuery", tagsQuery, fields("workspaceId")),
  server("tagsInput", tagsInput, { ids: [], add: [""], remove: [""], workspaceId: null }),
  server("envelopeInput", envelopeInput, ENVELOPE),
  server("envelopeChanges", envelopeChanges, ENVELOPE),
  server("bulkSendInput", bulkSendInput, {
    envelope: ENVELOPE,
    recipients: [{ ...ENVELOPE, values: { column: "value" } }],
  }),
  server("recipientInput", recipientInput, { ...ENVELOPE, values: { column: "value" } }),
  server("sharedInput", sharedInput, ENVELOPE),
  server("seriesInput", seriesInput, {
    ...fields("name unit startOn weekend endOn ifOpen"),
    ...{ envelope: ENVELOPE, recipients: [ENVELOPE] },
  }),
  server("seriesChanges", seriesChanges, {
    ...fields("name unit startOn weekend endOn ifOpen updatedAt"),
    envelope: ENVELOPE,
  }),
  server("seriesRecipientsInput", seriesRecipientsInput, { recipients: [ENVELOPE] }),
  server("occurrenceInput", occurrenceInput, fields("on")),
  server("seriesQuery", seriesQuery, fields("workspaceId contactId")),
  server("bulkSendsQuery", bulkSendsQuery, fields("workspaceId")),
  server(
    "envelopeListQuery",
    envelopeListQuery,
    fields(
      "workspaceId limit cursor counts contactId bulkId seriesId search assignee tab sort filter opened view",
    ),
  ),
  server("foundListQuery", foundListQuery, fields("workspaceId limit cursor counts")),
  server("namedListQuery", namedListQuery, fields("workspaceId limit cursor counts sort filter")),

  server("assigneeInput", assigneeInput, fields("assigneeId updatedAt")),
  server("seenInput", seenInput, fields("completedAt")),
  server("remindInput", remindInput, fields("note")),
  server("reminderQuery", reminderQuery, fields("note documentIds")),
  server("previewQuery", previewQuery, fields("kind")),
  server("archiveQuery", archiveQuery, fields("ids contactId")),
  server("templateInput", templateInput, TEMPLATE),
  server("templateChanges", templateChanges, TEMPLATE),
  server("validityChanges", validityChanges, fields("validUntil updatedAt")),
  server("expiringQuery", expiringQuery, fields("workspaceId contactId until paused limit cursor")),
  server("resumeInput", resumeInput, fields("workspaceId")),
  server("membersQuery", membersQuery, fields("counts")),
  server("workspaceInput", workspaceInput, fields(Object.keys(workspaceInput.shape).join(" "))),
  server(
    "workspaceChanges",
    workspaceChanges,
    fields(Object.keys(workspaceChanges.shape).join(" "), { defaultFileTypes: [""] }),
  ),
  server("memberInvitationInput", memberInvitationInput, fields("email role")),
  server("roleInput", roleInput, fields("role")),
  server("invitationChanges", invitationChanges, fields("role")),
  server("removalQuery", removalQuery, fields("assignTo")),
  server("signInsQuery", signInsQuery, fields("limit cursor")),
  server("activityQuery", activityQuery, fields("limit cursor kind person")),
  server("activityFilterQuery", activityFilterQuery, fields("kind person")),
  server("deletionNoticeInput", deletionNoticeInput, fields("announcedAt")),
  server("retentionQuery", retentionQuery, fields("days")),
  server("apiTokenInput", apiTokenInput, fields("name scope expiresAt")),
  server("linkMessageInput", linkMessageInput, fields("text")),
  server("submitInput", submitInput, fields("note", { skipped: [fields("reason")] })),
  server("reviewInput", reviewInput, fields("expirationDate", { return: [fields("reason")] })),
  server("accountsQuery", accountsQuery, fields("search limit cursor")),
  server("auditQuery", auditQuery, fields("action person from to cursor limit")),
  server("outboxQuery", outboxQuery, fields("status cursor limit")),
  server("auditFilterQuery", auditFilterQuery, fields("action person from to")),
  server("newPasskeyInput", newPasskeyInput, {
    ...fields("name"),
    response: fields("id rawId type", {
      response: fields("clientDataJSON attestationObject", { transports: [""] }),
    }),
  }),
  server("renamePasskeyInput", renamePasskeyInput, fields("name")),
  server("quotaInput", quotaInput, fields("bytes")),
  server("workspaceQuotaInput", workspaceQuotaInput, fields("bytes")),
  server("pagingQuery", pagingQuery, fields("limit cursor")),
  server("invitationInput", invitationInput, fields("email")),
  server("webhookInput", webhookInput, fields("url description")),
  server("webhookChanges", webhookChanges, fields("url description")),
  ...(["s3", "webdav", "folder"] as const).map(
    (kind): Row => [
      "destinationInput",
      (input) => destinationInput.safeParse({ ...Object(input), kind }),
      DESTINATION,
    ],
  ),
  server("destinationChanges", destinationChanges, fields("name folderRule when state")),
  server("destinationsQuery", destinationsQuery, fields("workspaceId")),
  server("connectInput", connectInput, fields("kind")),
  server("foldersQuery", foldersQuery, fields("parent address cursor")),
  server("backfillInput", backfillInput, fields("from")),
  server("backfillQuery", backfillQuery, fields("from")),
  server("fileDeliveriesQuery", fileDeliveriesQuery, fields("state limit cursor")),
  server("deliveriesQuery", deliveriesQuery, fields("limit cursor")),
  server("supportInput", supportInput, fields("message")),
  server("listQuery", listQuery, fields("workspaceId limit cursor")),
  browser("loginSchema", loginSchema, ACCOUNT),
  browser("registerSchema", registerSchema, ACCOUNT),
  browser("forgotSchema", forgotSchema, ACCOUNT),
  browser("resetSchema", resetSchema, ACCOUNT),
  browser("profileSchema", profileSchema, PERSON),
  browser("passwordSchema", passwordSchema, ACCOUNT),
  browser("contactSchema", contactSchema, { ...CONTACT, tags: "" }),
  browser("onboardingSchema", onboardingSchema, { ...PERSON, ...PREFERENCES }),
  browser("wizardSchema", wizardSchema(null), ENVELOPE),
  browser("templateSchema", templateSchema, TEMPLATE),
];

/** A copy of the sample in which every text is replaced by this one. */
function filledWith(sample: unknown, text: string): unknown {
  if (typeof sample === "string") return text;
  if (Array.isArray(sample)) return sample.map((entry) => filledWith(entry, text));
  if (sample === null || typeof sample !== "object") return sample;
  return Object.fromEntries(Object.entries(sample).map(([key, value]) => [key, filledWith(value, text)]));
}

const repeated = (text: string) => text.repeat(MEGABYTE / text.length);
const TEXTS = ["a", "a.", "1", "+1", "2026-11-22T00:00:00.", " x"].map(repeated);

afterEach(() => {
  for (const spy of [spyOn(RegExp.prototype, "test"), spyOn(RegExp.prototype, "exec")]) spy.mockRestore();
});

test.each(SCHEMAS)("%s runs no pattern on a megabyte of text", (_, parse, sample) => {
  const spies = [spyOn(RegExp.prototype, "test"), spyOn(RegExp.prototype, "exec")];
  for (const text of TEXTS) parse(filledWith(sample, text));
  const long = spies.flatMap(({ mock }) =>
    mock.calls.flatMap(([text], index) =>
      String(text).length > LONGEST ? [(mock.contexts[index] as RegExp).source] : [],
    ),
  );
  expect(long.filter((source) => source !== SURROGATE)).toEqual([]);
});

test("every input schema of the contract is among them", async () => {
  const folder = join(import.meta.dir, "../../worker/contract");
  const names: string[] = [];
  for await (const path of new Glob("*.ts").scan(folder)) {
    const text = await file(join(folder, path)).text();
    for (const [, name] of text.matchAll(/export const (\w+(?:Input|Changes|Query)) =/g))
      names.push(name ?? "");
  }
  expect(names.filter((name) => !SCHEMAS.some(([known]) => known === name))).toEqual([]);
});
