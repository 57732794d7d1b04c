import { runBatch, type Statement } from "../../db/client";
import { isAccountFull } from "../../db/queries/account-guards";
import { envelopeIdByToken } from "../../db/queries/envelopes";
import { isQuotaExceeded, requireWithinQuota } from "../../db/queries/quotas";
import {
  type DueDocument,
  insertRenewals,
  isRenewedMeanwhile,
  listDueDocuments,
  listRenewedTogether,
  type RenewedDocument,
  updateChecks,
} from "../../db/queries/renewals";
import { insertScheduleNews } from "../../db/queries/schedule-news";
import { findUserById, type User } from "../../db/queries/users";
import { insertDocumentDeliveries } from "../../db/queries/webhook-events";
import { addDays, longDay } from "../contract/days";
import { documentKey } from "../contract/document-names";
import type { EnvelopeInput } from "../contract/envelopes";
import { LIMITS } from "../contract/limits";
import type { NotSentReason, ScheduleMail } from "../contract/schedules";
import { dayIn } from "../contract/time-zones";
import type { Dependencies } from "../dependencies";
import { causes } from "../errors";
import { entryOf } from "../features/envelope-rules/documents";
import { isOfEarlierRecipient } from "../features/envelope-rules/envelope-dates";
import { nextMorning } from "../features/envelope-rules/reminder-times";
import { whenDue } from "../features/envelope-rules/sending-times";
import { expiryTime, nextCheck, renewalTime } from "../features/envelope-rules/validity";
import { envelopeFields } from "../features/envelopes/envelope-fields";
import { insertStatements } from "../features/envelopes/envelopes.service";
import { countMessages, type Sender } from "../features/envelopes/sending-limits";
import { recipientName } from "../features/notifications/formats";
import { mailTextOf } from "../features/notifications/mail-texts";
import { recipientsOf } from "../features/notifications/outbox";
import { DAY_MS, HOUR_MS } from "../lib/durations";
import { sleep } from "../lib/retry";
import { randomToken } from "../lib/tokens";
import { notSentReason } from "./scheduled-envelopes";

const PAGE = 2;
/** A run asks for nothing more after this time; the next one continues. */
const RUN_MS = 50_000;
/** Of a Worker's run, for other jobs; an envelope takes up to 15. */
const LEAVES_CALLS = 500;
/** Documents that are to be asked for within so many days are asked for together. */
const TOGETHER_DAYS = 14;
/** The recipient has so much time at least. */
const LEAST_DAYS = 7;
/** What a limit forbids is tried for so long. */
const TRIED_MS = DAY_MS;
/** A document that a newer one has replaced is looked at again after this time, in the morning. */
const REPLACED_MS = 6 * DAY_MS;
const MAX_NAMES = 200;

const NEVER = new AbortController().signal;

/** Asks again for documents before they expire, and tells webhooks that they have. */
export async function renewDocuments(deps: Dependencies): Promise<void> {
  const { db, clock, log, runLimits, takeTurn, stopping = NEVER } = deps;
  const endsAt = Date.now() + RUN_MS;
  const isOver = () =>
    stopping.aborted || Date.now() > endsAt || (runLimits && runLimits.callsLeft() <= LEAVES_CALLS);
  const now = clock.now();
  const done = new Set<number>();
  for (let page: DueDocument[] = []; ; ) {
    page = await listDueDocuments(db, now.toISOString(), { after: page.at(-1), limit: PAGE, takeTurn });
    const started = performance.now();
    const due = await lookAt(deps, page, now);
    // Of several recipients at once: what is written in one turn of the event loop shares an fsync.
    const byRecipient = Map.groupBy(
      due,
      ({ customerEmail, recipientPhone }) => customerEmail || recipientPhone,
    );
    await Promise.all(
      [...byRecipient.values()].map(async (documents) => {
        for (const document of documents) {
          const { documentId } = document;
          if (done.has(documentId)) continue;
          await askAgain(deps, document, { now, done }).catch((error: unknown) => {
            if (isRenewedMeanwhile(error)) return;
            log.error("document not asked for again", { documentId, error: causes(error) });
          });
        }
      }),
    );
    if (page.length < PAGE || isOver()) return;
    // The database is in this process: other requests get twice as much of its time.
    if (!runLimits) await sleep((performance.now() - started) * 2, stopping);
  }
}

/** Plans when these are looked at next, and tells webhooks which have expired. @returns those to be asked for now */
async function lookAt({ db }: Dependencies, page: readonly DueDocument[], now: Date): Promise<DueDocument[]> {
  const due: DueDocument[] = [];
  const checks: Parameters<typeof updateChecks>[1][number][] = [];
  const statements: Statement[] = [];
  for (const document of page) {
    const { documentId, validUntil, checkAt, timeZone, isReplaced, isAsked } = document;
    const expiry = expiryTime(validUntil, timeZone).toISOString();
    const hasExpired = document.isCurrent && checkAt <= expiry && expiry <= now.toISOString();
    if (hasExpired)
      statements.push(insertDocumentDeliveries(db, "document.expired", [{ documentId, checkAt }], expiry));
    const renewOn = isAsked ? null : document.renewOn;
    const when = renewOn === null || document.renewalPaused ? null : dueTime(document, now);
    const isDue = when === "now" && document.isCurrent && !document.isDisabled;
    if (isDue) due.push(document);
    if (isDue && !hasExpired) continue;
    const next = nextTime();
    const isLeft = isReplaced && next === null;
    checks.push({ documentId, checkAt, renewOn: isLeft ? null : renewOn, isLeft, next });
    function nextTime(): string | null {
      if (isDue) return now.toISOString();
      if (when === null) return nextCheckOf({ ...document, renewOn }, now);
      const end = nextCheckOf({ ...document, renewOn: null }, now);
      // The newer one may be returned or deleted until this one expires. There may be many: they are not read each day.
      const again = isReplaced ? new Date(now.getTime() + REPLACED_MS) : now;
      // A returned one may be received again, and a disabled account enabled, at any time.
      const later = isReplaced || when === "now" ? nextMorning(again, timeZone).toISOString() : when;
      const [next = later] = [end ?? later, later].sort();
      return isReplaced && end === null ? null : next;
    }
  }
  if (checks.length > 0) await runBatch(db, [...statements, updateChecks(db, checks)]);
  else if (statements.length > 0) await runBatch(db, statements);
  return due;
}

const nextCheckOf = (document: DueDocument, now: Date): string | null =>
  nextCheck(document.renewalPaused ? { ...document, renewOn: null } : document, now, document.timeZone);

/** Whether a document is asked for now, at which time it is, or null for a later day. */
function dueTime({ renewOn, timeZone }: DueDocument, now: Date): "now" | string | null {
  const planned = renewalTime(renewOn ?? "", timeZone);
  if (planned > now) return null;
  // However late it is, it is still asked for.
  const due = whenDue(new Date(Math.max(planned.getTime(), now.getTime() - DAY_MS)), now, timeZone);
  return due.fate === "wait" ? due.until.toISOString() : "now";
}

type Run = { now: Date; done: Set<number> };

/** Creates the envelope that asks again for a document and for others of the same recipient, or plans the next try. */
async function askAgain(deps: Dependencies, due: DueDocument, { now, done }: Run): Promise<void> {
  const { db } = deps;
  const until = addDays(due.renewOn ?? "", TOGETHER_DAYS);
  const limit = LIMITS.documentsPerEnvelope;
  const found = await listRenewedTogether(db, due, { until, limit, takeTurn: deps.takeTurn });
  const user = await findUserById(db, due.userId);
  const [first] = found;
  // Changed meanwhile: the next run looks again.
  if (!user || !first) return;
  for (const { document } of found) done.add(document.id);
  const sender: Sender = { userId: user.id, role: "member", address: "", user };
  try {
    await create(deps, sender, found, now);
  } catch (error) {
    const reason = refusalOf(error);
    if (!reason) throw error;
    await postpone(deps, due, found, { reason, now });
  }
}

/** Why it cannot be sent now, if that may change. */
function refusalOf(error: unknown): NotSentReason | undefined {
  if (isAccountFull(error) || isQuotaExceeded(error)) return "limit";
  return notSentReason(error);
}

async function create(
  deps: Dependencies,
  sender: Sender,
  found: readonly RenewedDocument[],
  now: Date,
): Promise<void> {
  const { db, config } = deps;
  const { user } = sender;
  const createdAt = now.toISOString();
  const input = await renewalOf(deps, found, user, now);
  const fields = envelopeFields(input, { now, timeZone: user.timeZone });
  const messages = recipientsOf(fields);
  await countMessages(deps, { ...sender, requestor: user }, messages, "invitation");
  const workspaceId = found[0]?.envelope.workspaceId ?? 0;
  const submissionToken = randomToken();
  const documents = found.map(({ document }) => document);
  await runBatch(db, [
    ...insertStatements(deps, sender, {
      ...{ input, fields, requestor: user, submissionToken, createdAt, actor: "service" },
      links: { workspaceId, contactId: input.contactId ?? null, templateId: null },
    }),
    ...insertRenewals(db, documents, { envelopeId: envelopeIdByToken(submissionToken), now: createdAt }),
    ...found.map((renewed) => insertNews(deps, renewed, { mail: "renewed", now })),
    insertDocumentDeliveries(
      db,
      "document.expiring",
      documents.map(({ id, checkAt }) => ({ documentId: id, checkAt })),
      createdAt,
    ),
    updateChecks(
      db,
      documents.map(({ id: documentId, validUntil, checkAt }) => ({
        ...{ documentId, checkAt: checkAt ?? "", renewOn: null },
        next: nextCheck({ validUntil: validUntil ?? "", renewOn: null }, now, user.timeZone),
      })),
    ),
    requireWithinQuota(db, config.quotas, { workspaceId, userId: user.id }),
  ]);
}

/** A line of the assignee's mail of the day. */
function insertNews(
  { db }: Dependencies,
  { document, envelope }: RenewedDocument,
  { mail, reason, now }: { mail: ScheduleMail; reason?: NotSentReason; now: Date },
): Statement {
  const { id: envelopeId, userId, workspaceId } = envelope;
  return insertScheduleNews(db, {
    ...{ userId, workspaceId, envelopeId, mail, createdAt: now.toISOString() },
    news: {
      title: document.name,
      details: recipientName(envelope),
      path: `/?envelope=${envelopeId}`,
      ...(reason && { reason }),
    },
  });
}

/** The envelope: by the channel, in the language and with the reminders of the first document's. */
async function renewalOf(
  deps: Dependencies,
  found: readonly RenewedDocument[],
  user: User,
  now: Date,
): Promise<EnvelopeInput> {
  const { envelope } = found[0] as RenewedDocument;
  // Of one name, the newer.
  const byName = new Map<string, RenewedDocument>();
  for (const renewed of found) {
    const key = documentKey(renewed.document.name);
    const other = byName.get(key);
    if (!other || other.handedInAt < renewed.handedInAt) byName.set(key, renewed);
  }
  const renewed = [...byName.values()];
  const documents = renewed.map(({ document }) => document);
  const language = envelope.language ?? user.languagePreference;
  const t = mailTextOf(await deps.loadMailTexts(language), language);
  const names = documents.map(({ name }) => name).join(", ");
  const least = addDays(dayIn(user.timeZone, now), LEAST_DAYS);
  // Whoever the envelope has gone to since then has not sent it, and is not told the day.
  const theirs = renewed.flatMap(({ document, envelope, handedInAt }) =>
    isOfEarlierRecipient(envelope, handedInAt) ? [] : document,
  );
  const days = theirs.map(({ validUntil }) => validUntil ?? "").sort();
  const lines = theirs.map(({ name, validUntil }) =>
    t("renewal.document", { document: name, date: longDay(validUntil ?? "", language) }),
  );
  const { recipientPhone, countryCode, notificationPreference, reminderFrequency, reminderDays } = envelope;
  return {
    isDraft: false,
    recipientName: recipientName(envelope),
    recipientEmail: envelope.customerEmail || null,
    ...{ recipientPhone, countryCode, notificationPreference, reminderFrequency, reminderDays },
    ...{ language: envelope.language, contactId: envelope.contactId, workspaceId: envelope.workspaceId },
    subject: t("renewal.subject", {
      document: names.length > MAX_NAMES ? `${names.slice(0, MAX_NAMES - 1)}…` : names,
    }),
    message: lines.length > 0 ? [t("renewal.text"), "", ...lines].join("\n") : null,
    dueDate: days[0] !== undefined && days[0] > least ? days[0] : least,
    // What a condition names is in the other envelope.
    documents: documents.map((document) => ({ ...entryOf(document), showIf: null })),
    ...{ expirationDate: null, sendOn: null, sendHour: null, prefill: false },
    ...{ templateId: null, assigneeId: user.id },
  };
}

/** Tries again in an hour, and after a day leaves it to the assignee, who is told. */
async function postpone(
  deps: Dependencies,
  due: DueDocument,
  found: readonly RenewedDocument[],
  { reason, now }: { reason: NotSentReason; now: Date },
): Promise<void> {
  const { db } = deps;
  const { renewOn, timeZone } = due;
  const isOver = now.getTime() - renewalTime(renewOn ?? "", timeZone).getTime() > TRIED_MS;
  const tried = found.filter(({ document }) => document.renewOn === renewOn);
  await runBatch(db, [
    ...(isOver ? tried.map((renewed) => insertNews(deps, renewed, { mail: "not_sent", reason, now })) : []),
    updateChecks(
      db,
      tried.map(({ document: { id: documentId, validUntil, checkAt } }) => ({
        ...{ documentId, checkAt: checkAt ?? "", renewOn: isOver ? null : renewOn },
        next: isOver
          ? nextCheck({ validUntil: validUntil ?? "", renewOn: null }, now, timeZone)
          : new Date(now.getTime() + HOUR_MS).toISOString(),
      })),
    ),
  ]);
}
