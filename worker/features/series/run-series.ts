import { runBatch, runBatchAndRead } from "../../../db/client";
import { requireSameOwner } from "../../../db/queries/account-guards";
import { isAttachmentMissing } from "../../../db/queries/attachments";
import {
  bulkSendStatements,
  failRecipients,
  finishBulkSend,
  isBulkSendRejected,
  LAST_BULK_SEND,
} from "../../../db/queries/bulk-sends";
import { type KeyClaim, recordKeyedResource } from "../../../db/queries/idempotency-keys";
import type { Member } from "../../../db/queries/members";
import { isQuotaExceeded, requireWithinQuota } from "../../../db/queries/quotas";
import {
  type FoundSeries,
  insertFailureNews,
  insertOccurrences,
  insertSeriesNews,
  isOccurrenceTaken,
  isSeries,
  type listDueSeries,
  listLastOfSeries,
  listSeriesRecipients,
  type NewOccurrence,
  pauseSeries,
  postponeSeries,
  type SeriesRow,
  selectBulkOf,
} from "../../../db/queries/series";
import { findUserById, type User } from "../../../db/queries/users";
import type { RecipientInput } from "../../contract/bulk-sends";
import { addressIssues } from "../../contract/envelopes";
import { ERRORS, type ErrorCode } from "../../contract/errors";
import { LIMITS } from "../../contract/limits";
import { toE164 } from "../../contract/phone";
import type { SeriesEnvelope } from "../../contract/series";
import { occurrenceDay } from "../../contract/series-days";
import { dayIn } from "../../contract/time-zones";
import type { Dependencies } from "../../dependencies";
import { AppError, appError, rejectedAs } from "../../errors";
import { DAY_MS, HOUR_MS } from "../../lib/durations";
import { whenDue } from "../envelope-rules/sending-times";
import { addressesOf, fillAll } from "../envelopes/bulk-sends.service";
import type { StoredRecipient } from "../envelopes/placeholders";
import { requireAssignee } from "../envelopes/requestor";
import { runBulkSend, startBulkSend } from "../envelopes/run-bulk-send";
import { countBulkMessages, type Sender } from "../envelopes/sending-limits";
import { isTextable, type Message } from "../notifications/message-limits";
import { recipientsOf } from "../notifications/outbox";
import { findUnsubscribed } from "../notifications/unsubscribe.service";
import { type Caller, nextFrom, requireSeries, sharedOn, timeOn, upcomingOf } from "./series.service";

/** How long an occurrence is tried that a limit does not allow. */
const TRIED_MS = DAY_MS;
/** What is written for more recipients has a turn of the event loop of its own, without that of other series. */
const IN_SHARED_TURN = 20;

export type DueSeries = Awaited<ReturnType<typeof listDueSeries>>[number];
type Occurrence = { number: number; day: string };

/** Queues what is due of a series as a bulk send, in the batch that records the occurrence. */
export async function workOff(deps: Dependencies, series: DueSeries): Promise<void> {
  const { db, clock } = deps;
  const { timeZone } = series;
  const now = clock.now();
  const { occurrence, passed } = latestDue(series, now);
  const planned = timeOn(occurrence.day, series, timeZone);
  const postponed = passed.length === 0 && series.dueAt !== null ? Date.parse(series.dueAt) : 0;
  // After a long downtime it is late as any other.
  const limitedFor = series.limitedSince ? now.getTime() - Date.parse(series.limitedSince) : Infinity;
  const due =
    limitedFor <= TRIED_MS + HOUR_MS
      ? ({ fate: "send" } as const)
      : whenDue(new Date(Math.max(postponed, planned.getTime())), now, timeZone);
  const missed = passed.map((one) => ({ ...one, state: "missed" as const }));
  if (due.fate === "send") return send(deps, series, occurrence, missed);
  const dueAt = due.fate === "wait" ? due.until.toISOString() : null;
  if (dueAt && missed.length === 0)
    return runBatch(db, [postponeSeries(db, series, { dueAt, limitedSince: null })]);
  if (dueAt === null) return record(deps, series, [...missed, { ...occurrence, state: "missed" }]);
  await record(deps, series, missed, { nextNumber: occurrence.number, nextOn: occurrence.day, dueAt });
}

/** The last occurrence whose time has come, and those before it that were not sent. */
function latestDue(series: DueSeries, now: Date): { occurrence: Occurrence; passed: Occurrence[] } {
  const passed: Occurrence[] = [];
  let occurrence = { number: series.nextNumber, day: series.nextOn ?? series.startOn };
  for (;;) {
    const day = occurrenceDay(series, occurrence.number + 1);
    if (day === null || timeOn(day, series, series.timeZone) > now) return { occurrence, passed };
    passed.push(occurrence);
    occurrence = { number: occurrence.number + 1, day };
  }
}

/** Records what was not sent. Another process may have done so. */
async function record(
  deps: Dependencies,
  series: DueSeries,
  occurrences: NewOccurrence[],
  next = nextAfter(
    series,
    occurrences.at(-1)?.number ?? series.nextNumber,
    deps.clock.now(),
    series.timeZone,
  ),
): Promise<void> {
  const { db, clock } = deps;
  const now = clock.now().toISOString();
  const last = occurrences.at(-1);
  await runBatch(db, [
    ...insertOccurrences(db, series, occurrences, { next, now, by: "schedule" }),
    ...(last ? [insertSeriesNews(db, isSeries(series.id), newsOf(last, now))] : []),
  ]).catch(unlessTaken);
}

/** What is told of an occurrence that was missed: owners may raise a limit. */
function newsOf({ code, day }: NewOccurrence, now: string): Parameters<typeof insertSeriesNews>[2] {
  const about = { details: day, now };
  if (!code) return { ...about, to: "assignee", reason: "missed" };
  if (!isLimit(code)) return { ...about, to: "assignee", reason: "other" };
  return { ...about, to: "owners", reason: code.startsWith("verify_email") ? "unverified" : "limit" };
}

function unlessTaken(error: unknown): void {
  if (!isOccurrenceTaken(error)) throw error;
}

/** Where a series goes on after an occurrence. */
function nextAfter(series: SeriesRow, number: number, now: Date, timeZone: string | null) {
  const next = nextFrom(series, number + 1, { now, timeZone });
  return { ...next, ...(series.paused !== null && { dueAt: null }) };
}

async function send(deps: Dependencies, series: DueSeries, occurrence: Occurrence, missed: NewOccurrence[]) {
  const { db, clock } = deps;
  const now = clock.now();
  const user = series.userId === null ? undefined : await findUserById(db, series.userId);
  if (!user || user.disabledAt !== null) return pauseLeft(deps, series);
  const sender: Sender = { userId: user.id, role: "member", address: series.address, user };
  try {
    const requestor = await requireAssignee(deps, sender, series.workspaceId, series.assigneeId ?? user.id);
    const sending = { sender, requestor, missed, by: "schedule" } as const;
    const bulkId = await sendOccurrence(deps, series, occurrence, sending);
    // Most have few recipients. The rest, and those of a Worker, are left to `continueBulkSends`.
    if (bulkId !== null && !deps.runLimits) await runBulkSend(deps, bulkId, { batches: 1 });
  } catch (error) {
    if (isBulkSendRejected(error)) return pauseLeft(deps, series);
    if (isOccurrenceTaken(error)) return;
    const code = codeOf(error);
    if (code === undefined) throw error;
    const since = series.limitedSince ?? now.toISOString();
    const isTriedAgain = isLimit(code) && now.getTime() - Date.parse(since) < TRIED_MS;
    if (!isTriedAgain) return record(deps, series, [...missed, { ...occurrence, state: "missed", code }]);
    const dueAt = new Date(now.getTime() + HOUR_MS).toISOString();
    // What was passed is recorded once this one is.
    await runBatch(db, [postponeSeries(db, series, { dueAt, limitedSince: since })]);
  }
}

/** Why nothing can be sent; undefined for what nobody expected. */
function codeOf(error: unknown): ErrorCode | undefined {
  if (isQuotaExceeded(error)) return "storage_full";
  if (isAttachmentMissing(error)) return "attachment_not_found";
  return error instanceof AppError ? error.code : undefined;
}

/** Whether the same may be sent later. */
const isLimit = (code: ErrorCode) =>
  ERRORS[code].status === 429 ||
  code === "storage_full" ||
  code === "verify_email" ||
  code === "verify_email_sms";

async function pauseLeft({ db, clock }: Dependencies, { id }: SeriesRow): Promise<void> {
  const now = clock.now().toISOString();
  await runBatch(db, [
    insertSeriesNews(db, isSeries(id), { reason: "paused", to: "owners", now }),
    pauseSeries(db, isSeries(id), { reason: "left", now }),
  ]);
}

type Sending = {
  sender: Sender & { apiTokenId?: number | null };
  requestor: User;
  missed?: NewOccurrence[];
  by: Member | "schedule";
  claim?: KeyClaim | undefined;
};

/**
 * Stores the bulk send of an occurrence. @returns its id; null if there was nobody to send it to
 * @throws the errors of `countBulkMessages`, and those that `isOccurrenceTaken` names
 */
async function sendOccurrence(
  deps: Dependencies,
  series: SeriesRow,
  { number, day }: Occurrence,
  { sender, requestor, missed = [], by, claim }: Sending,
): Promise<number | null> {
  const { db, config } = deps;
  const { timeZone } = requestor;
  const { workspaceId } = series;
  const envelope = series.envelope as unknown as SeriesEnvelope;
  const { recipients, failed, messages, leftOut } = await recipientsNow(deps, series, {
    envelope,
    requestor,
  });
  const refund =
    messages.length > 0 ? await countBulkMessages(deps, sender, messages, { isLater: false }) : undefined;
  try {
    const now = deps.clock.now();
    const createdAt = now.toISOString();
    const shared = sharedOn(envelope, dayIn(timeZone, now));
    const { subject, bytes } = await fillAll(shared, recipients, { requestor, now, day });
    await deps.requireSpace?.(bytes);
    if (recipients.length > IN_SHARED_TURN) await deps.takeTurn?.();
    const bulk =
      recipients.length === 0
        ? []
        : [
            ...bulkSendStatements(db, sender, {
              ...{ workspaceId, subject, apiTokenId: sender.apiTokenId ?? null, recipients, createdAt },
              address: sender.address,
              ...{ envelope: { ...shared, workspaceId, assigneeId: requestor.id }, textBytes: bytes },
            }),
            ...[...failed].map(([error, positions]) => failRecipients(db, LAST_BULK_SEND, error, positions)),
            finishBulkSend(db, LAST_BULK_SEND, createdAt),
            requireWithinQuota(db, config.quotas, { workspaceId, userId: sender.userId }),
          ];
    const sent = {
      ...{ number, day, state: "sent" as const, total: recipients.length + leftOut, leftOut },
      ...(recipients.length > 0 && { bulkId: LAST_BULK_SEND }),
    };
    const next = nextAfter(series, number, now, timeZone);
    const [row] = await runBatchAndRead(
      db,
      [
        // A reset, or the token's revocation, that came meanwhile would not end what is stored after it.
        ...(by === "schedule" ? [] : [requireSameOwner(db, sender)]),
        ...bulk,
        ...insertOccurrences(db, series, [...missed, sent], { next, now: createdAt, by }),
        ...(failed.size > 0 ? [insertFailureNews(db, LAST_BULK_SEND, createdAt)] : []),
        ...missed.slice(-1).map((one) => insertSeriesNews(db, isSeries(series.id), newsOf(one, createdAt))),
        ...recordKeyedResource(db, claim, String(series.id)),
      ],
      selectBulkOf(db, series.id, number),
    );
    return row?.bulkId ?? null;
  } catch (error) {
    await refund?.();
    throw error;
  }
}

/** Whom an occurrence is sent to, and why some get nothing. */
async function recipientsNow(
  deps: Dependencies,
  series: SeriesRow,
  { envelope, requestor }: { envelope: SeriesEnvelope; requestor: User },
) {
  const rows = (await listSeriesRecipients(deps.db, series.id)).map(presentRecipient);
  const addresses = rows.map(({ recipientEmail }) => recipientEmail ?? null);
  const unsubscribed = await findUnsubscribed(deps, requestor, addresses);
  const isOpen = series.ifOpen === "skip" ? await lastOfSeries(deps, series.id) : () => false;
  const recipients: StoredRecipient[] = [];
  const failed = new Map<AppError, number[]>();
  const messages: Message[][] = [];
  let leftOut = 0;
  const gone = appError("contact_gone");
  const fail = (error: AppError) => failed.set(error, [...(failed.get(error) ?? []), recipients.length]);
  for (const recipient of rows) {
    const to = addressesOf(envelope, recipient);
    const { customerEmail, recipientPhone, notificationPreference } = to;
    const theirs = recipientsOf(to);
    const foreign = theirs.find((message) => !isTextable(deps.config, message));
    const isGone =
      (recipient.contactId != null && !recipient.contact) ||
      addressIssues({ recipientEmail: customerEmail || null, recipientPhone, notificationPreference })
        .length > 0;
    if (isGone) fail(gone);
    else if (isOpen(recipient)) {
      leftOut += 1;
      continue;
    } else if (theirs.every(({ channel, recipient }) => channel === "email" && unsubscribed.has(recipient)))
      continue;
    else if (foreign) fail(appError("sms_country", { params: { recipient: foreign.recipient } }));
    else messages.push(theirs);
    recipients.push(recipient);
  }
  return { recipients, failed, messages, leftOut };
}

/** A recipient as the contact is now. */
function presentRecipient(row: Awaited<ReturnType<typeof listSeriesRecipients>>[number]): StoredRecipient {
  const { contactId, contact } = row;
  const recipient = row.recipient as RecipientInput;
  if (contactId === null || !contact) return { ...recipient, contact: null };
  const { firstName, lastName, company, email, phone, language } = contact;
  return {
    ...recipient,
    recipientName: [firstName, lastName].filter(Boolean).join(" ").slice(0, LIMITS.name),
    ...{ recipientEmail: email, recipientPhone: phone, language: language ?? recipient.language ?? null },
    contact: { firstName, lastName, company },
  };
}

/** Whether a recipient has not completed the last envelope that they got of the series. */
async function lastOfSeries({ db, takeTurn }: Dependencies, seriesId: number) {
  const last = new Map<string | number, { id: number; status: string }>();
  for await (const rows of listLastOfSeries(db, seriesId, takeTurn))
    for (const { contactId, email, phone, id, status } of rows) {
      const key = keyOf(contactId, email, phone);
      if (id > (last.get(key)?.id ?? 0)) last.set(key, { id, status });
    }
  return ({ contactId, recipientEmail, recipientPhone, countryCode }: StoredRecipient) => {
    const phone = recipientPhone ? (toE164(recipientPhone, countryCode) ?? recipientPhone) : null;
    const status = last.get(keyOf(contactId ?? null, (recipientEmail ?? "").toLowerCase(), phone))?.status;
    return status !== undefined && status !== "completed";
  };
}

const keyOf = (contactId: number | null, email: string, phone: string | null) =>
  contactId === null ? email || phone || "" : contactId;

/** The occurrence that a call means. @throws AppError `no_occurrence_left`, `already_done` */
function requireNext(series: FoundSeries, on: string | null | undefined, now: Date): Occurrence {
  const { nextNumber: number, nextOn: day } = upcomingOf(series, now);
  if (day === null) throw appError("no_occurrence_left");
  if (on != null && on !== day) throw appError("already_done");
  return { number, day };
}

/**
 * Sends the next occurrence now, in its place.
 * @throws AppError `series_not_found`, `role_required`, `no_occurrence_left`, `already_done`, `account_changed`, and those of
 *   `countBulkMessages`
 */
export async function runSeries(
  deps: Dependencies,
  sender: Caller,
  id: number,
  on: string | null | undefined,
  claim: KeyClaim | undefined,
): Promise<void> {
  const series = await requireSeries(deps, sender, id);
  const occurrence = requireNext(series, on, deps.clock.now());
  const assigneeId = series.assigneeId ?? series.userId ?? sender.userId;
  const requestor = await requireAssignee(deps, sender, series.workspaceId, assigneeId);
  const bulkId = await sendOccurrence(deps, series, occurrence, {
    ...{ sender, requestor, by: sender, claim },
  }).catch(async (error: unknown) => {
    // The caller may do so no more.
    if (isBulkSendRejected(error)) await requireSeries(deps, sender, id);
    throw isOccurrenceTaken(error) ? appError("already_done") : error;
  });
  if (bulkId !== null) startBulkSend(deps, sender.userId, bulkId);
}

/** Leaves the next occurrence out. @throws AppError `series_not_found`, `role_required`, `no_occurrence_left`, `already_done` */
export async function skipOccurrence(
  deps: Dependencies,
  member: Member,
  id: number,
  on: string | null | undefined,
): Promise<void> {
  const now = deps.clock.now();
  const series = await requireSeries(deps, member, id);
  const skipped = { ...requireNext(series, on, now), state: "skipped" as const };
  const next = nextAfter(series, skipped.number, now, series.timeZone);
  await runBatch(
    deps.db,
    insertOccurrences(deps.db, series, [skipped], { next, now: now.toISOString(), by: member }),
  ).catch(rejectedAs(isOccurrenceTaken, "already_done"));
}
