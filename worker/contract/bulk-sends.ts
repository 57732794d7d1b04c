import * as z from "zod/mini";
import { documentResponse } from "./documents";
import {
  type EnvelopeInput,
  envelopeInputFields,
  phoneIssues,
  repeatedNameIssues,
  sentIssues,
  withoutFailed,
} from "./envelopes";
import type { Issue } from "./error-body";
import { count, day, entity, id, listQuery, RESPONSES, type SchemasOf, text, time } from "./fields";
import { isRecord } from "./is-record";
import { LIMITS, SERVER_LIMITS } from "./limits";
import { LANGUAGES, NOTIFICATION_PREFERENCES, REMINDER_FREQUENCIES } from "./options";

const OF_RECIPIENT = {
  recipientName: true,
  recipientEmail: true,
  recipientPhone: true,
  countryCode: true,
  contactId: true,
} as const;

/** The number of columns is checked first: each of a hundred thousand could have an issue. */
const columns = z.pipe(
  z.transform((values: unknown, { issues }) => {
    if (isRecord(values) && Object.keys(values).length > LIMITS.columnsPerRecipient)
      issues.push({ code: "custom", input: values });
    return values;
  }),
  z.record(z.string().check(z.maxLength(SERVER_LIMITS.columnName)), text(LIMITS.columnValue)),
);

export const recipientInput = z.extend(z.pick(envelopeInputFields, OF_RECIPIENT), {
  language: z.nullish(z.enum(LANGUAGES)),
  values: z.nullish(columns).check(z.describe("What placeholders stand for, by the columns of a list")),
});
export const sharedInput = z.omit(envelopeInputFields, { ...OF_RECIPIENT, isDraft: true });

export type SharedInput = z.output<typeof sharedInput>;
export type RecipientInput = z.output<typeof recipientInput>;
type EnvelopeFields = Parameters<typeof withoutFailed>[0];

/** The envelope of one recipient. */
export function envelopeOf(common: SharedInput, { values: _, ...recipient }: RecipientInput): EnvelopeInput {
  const { language, ...own } = recipient;
  return {
    ...common,
    ...own,
    ...(language && { language }),
    isDraft: false,
    recipientName: own.recipientName || null,
    subject: common.subject || null,
  };
}

/** The issues of all envelopes: of what they have in common each once, and of each recipient. */
export function bulkIssues(issuesOf: (index: number) => readonly Issue[], total: number): Issue[] {
  const common = new Map<string, Issue>();
  const own: Issue[] = [];
  for (let index = 0; index < total; index += 1)
    for (const { path, message } of issuesOf(index)) {
      if (path in OF_RECIPIENT) own.push({ path: `recipients.${index}.${path}`, message });
      else common.set(`${path} ${message}`, { path: `envelope.${path}`, message });
    }
  return [...common.values(), ...own];
}

const AS_GIVEN = { fields: (envelope: object) => envelope, path: (path: string) => path };

/**
 * Adds to a call with an envelope and its recipients the checks of all envelopes.
 * @param dated the envelope's fields with its dates, and where an issue with one of them is
 */
export const bulkChecks = <Call extends z.ZodMiniType>(
  call: Call,
  dated: { fields(envelope: object): object; path(path: string): string } = AS_GIVEN,
) =>
  call.check(
    z.superRefine(
      (value, context) => {
        const { envelope, recipients } = value as { envelope: unknown; recipients: unknown };
        if (!isRecord(envelope) || !Array.isArray(recipients)) return;
        const failures = Map.groupBy(
          context.issues.map(({ path = [] }) => path),
          ([part, index]) => (part === "recipients" ? index : part),
        );
        const shared = (failures.get("envelope") ?? []).map((path) => ({ path: path.slice(1) }));
        const fields = { ...envelope, ...(shared.length === 0 && dated.fields(envelope)), isDraft: false };
        // Once for all recipients: there are many documents, and may be thousands of failures.
        const common = withoutFailed(fields as unknown as EnvelopeFields, shared);
        const valid = Object.keys(OF_RECIPIENT).map((name) => ({ path: [name] }));
        const { input: whole, failed: own } = withoutFailed(common.input, valid);
        const commonIssues = [...repeatedNameIssues(whole), ...sentIssues(whole, false)].filter(
          ({ path }) => !own.has(path) && !common.failed.has(path),
        );
        const withOneDocument = { ...common.input, documents: common.input.documents.slice(0, 1) };
        const issuesOf = (index: number) => {
          if (!isRecord(recipients[index])) return [];
          const { values: _, language: _l, ...own } = recipients[index] as RecipientInput;
          const failedOwn = (failures.get(index) ?? []).map((path) => ({ path: path.slice(2) }));
          const { input, failed } = withoutFailed({ ...withOneDocument, ...own }, failedOwn);
          const issues = [...phoneIssues(input, false), ...sentIssues(input, false)];
          return issues.filter(({ path }) => !failed.has(path) && !common.failed.has(path));
        };
        const allIssues = bulkIssues(
          (index) => (index === 0 ? [...commonIssues, ...issuesOf(index)] : issuesOf(index)),
          recipients.length,
        );
        for (const { path, message } of allIssues)
          context.addIssue({ code: "custom", path: dated.path(path).split("."), message });
      },
      // As for one envelope: the response names everything that is wrong.
      { when: ({ value }) => isRecord(value) },
    ),
  );

/** One envelope for many recipients. */
export const bulkSendInput = bulkChecks(
  z.object({
    envelope: sharedInput,
    recipients: z.array(recipientInput).check(z.minLength(1), z.maxLength(LIMITS.recipientsPerBulkSend)),
  }),
);
export type BulkSendInput = z.output<typeof bulkSendInput>;

/** `?workspaceId=`; without it, those of all workspaces. */
export const bulkSendsQuery = z.pick(listQuery, { workspaceId: true });

const failed = z.object({
  index: count,
  code: z.string(),
  message: z.string(),
  recipientName: z.string(),
});
const state = {
  id,
  total: count,
  created: count,
  failed: z.array(failed).check(z.describe("The recipients without an envelope, by their index in the call")),
};

export const acceptedBulkSendResponse = entity("AcceptedBulkSend", state);

export const bulkSendResponse = entity("BulkSend", {
  ...state,
  finished: z.boolean(),
  workspaceId: id,
  subject: z.string(),
  questions: count.check(z.describe("How many of the documents of its first request are questions")),
  opened: count.check(z.describe("How many of its requests were opened, or completed")),
  completed: count.check(z.describe("How many of its requests are completed")),
  toReview: count.check(z.describe("How many of its requests are completed and have something to review")),
  series: z
    .nullable(z.object({ id, name: z.string(), day }))
    .check(z.describe("The series of which it is an occurrence, and its day; null if it is none")),
  createdAt: time,
});

/** What can be tried again: the envelope that all share, and a recipient. What an earlier version lacks is null. */
export const unsentEnvelope = z.object({
  subject: z.nullable(z.string()),
  message: z.nullable(z.string()),
  documents: z.array(z.object(documentResponse)),
  language: z.nullable(z.enum(LANGUAGES)),
  notificationPreference: z.enum(NOTIFICATION_PREFERENCES),
  reminderFrequency: z.enum(REMINDER_FREQUENCIES),
  reminderDays: z.nullable(z.array(z.int())),
  expirationDate: z.nullable(day),
  dueDate: z.nullable(day),
  sendOn: z.nullable(day),
  sendHour: z.nullable(z.int()),
  prefill: z.boolean(),
  templateId: z.nullable(id),
  assigneeId: z.nullable(id),
} satisfies SchemasOf<Omit<SharedInput, "workspaceId">>);
export const unsentRecipient = z.object({
  index: count,
  recipientName: z.nullable(z.string()),
  recipientEmail: z.nullable(z.string()),
  recipientPhone: z.nullable(z.string()),
  countryCode: z.string(),
  contactId: z.nullable(id),
  language: z.nullable(z.enum(LANGUAGES)),
  values: z.record(z.string(), z.string()),
});
export type Unsent = z.output<typeof unsent>;
const unsent = z
  .extend(unsentEnvelope, { recipients: z.array(unsentRecipient) })
  .register(RESPONSES, { id: "UnsentRequest" });

/** One bulk send in full. */
export const bulkSendDetailsResponse = z
  .extend(bulkSendResponse, {
    unsent: z
      .nullable(unsent)
      .check(z.describe("Once finished: the request as it was sent, with the recipients that have none")),
  })
  .register(RESPONSES, { id: "BulkSendDetails" });
