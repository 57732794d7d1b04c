import { runBatch } from "../../db/client";
import { isReaderMissing, listScheduleReaders, queueScheduleMail } from "../../db/queries/schedule-news";
import {
  listDueEnvelopes,
  type Plan,
  planDueEnvelopes,
  stopScheduled,
} from "../../db/queries/scheduled-envelopes";
import { findUserById } from "../../db/queries/users";
import { ERRORS, type ErrorCode } from "../contract/errors";
import type { NotSentReason } from "../contract/schedules";
import { dayIn } from "../contract/time-zones";
import type { Dependencies } from "../dependencies";
import { AppError, causes } from "../errors";
import { whenDue } from "../features/envelope-rules/sending-times";
import { sendScheduled } from "../features/envelopes/envelopes.service";
import type { Sender } from "../features/envelopes/sending-limits";
import { HOUR_MS, MINUTE_MS } from "../lib/durations";
import { sleep } from "../lib/retry";
import { hourOfDay } from "../lib/zoned-days";

const PAGE = 50;
/** A process that is killed meanwhile leaves an envelope to the others after this time. */
const CLAIM_MS = 5 * MINUTE_MS;
/** A run sends nothing more after this time; the next one continues. */
const RUN_MS = 50_000;
/** Of a Worker's run, for other jobs; an envelope takes up to 15. */
const LEAVES_CALLS = 500;

const NEVER = new AbortController().signal;

type Due = Awaited<ReturnType<typeof listDueEnvelopes>>[number];

/** Sends the scheduled envelopes whose time has come; what cannot be sent becomes a draft, and its assignee is told. */
export async function sendScheduledEnvelopes(deps: Dependencies): Promise<void> {
  const { db, clock, runLimits, stopping = NEVER } = deps;
  const endsAt = Date.now() + RUN_MS;
  // The database is in this process: other requests get as much of its time.
  const sharing = async <Result>(work: Promise<Result>): Promise<Result> => {
    const started = performance.now();
    const result = await work;
    if (!runLimits) await sleep(performance.now() - started, stopping);
    return result;
  };
  for (let after = 0; ; ) {
    const now = clock.now();
    const page = await sharing(listDueEnvelopes(db, now.toISOString(), { limit: PAGE, after }));
    if (page.length === 0) return;
    after = page.at(-1)?.userId ?? after;
    const plans = page.map((due) => planFor(due, now));
    const claimed = await sharing(planDueEnvelopes(db, plans, now.toISOString()));
    for (const { id, claimedUntil, isMissed } of plans)
      if (claimedUntil && claimed.has(id))
        await sharing(send(deps, page.find((due) => due.id === id) as Due, isMissed));
    if (stopping.aborted || Date.now() > endsAt || (runLimits && runLimits.callsLeft() <= LEAVES_CALLS))
      return;
  }
}

function planFor(
  { id, sendOn, sendHour, sendAt: due, timeZone }: Due,
  now: Date,
): Plan & { isMissed: boolean } {
  const hour = hourOfDay(sendOn ?? "", sendHour ?? 0, timeZone);
  // It may have waited for nine o'clock.
  const planned = new Date(Math.max(hour.getTime(), Date.parse(due ?? "")));
  const next = whenDue(planned, now, timeZone);
  const claimedUntil = new Date(now.getTime() + CLAIM_MS).toISOString();
  return next.fate === "wait"
    ? { id, due, sendAt: next.until.toISOString(), claimedUntil: null, isMissed: false }
    : { id, due, sendAt: planned.toISOString(), claimedUntil, isMissed: next.fate === "missed" };
}

async function send(deps: Dependencies, due: Due, isMissed: boolean): Promise<void> {
  const { id, userId, isDisabled } = due;
  try {
    const user = await findUserById(deps.db, userId);
    // Deleted meanwhile: somebody else is the assignee now.
    if (!user) return;
    const sender: Sender = { userId, role: "member", address: "", user };
    const reason = isMissed ? "missed" : isDisabled ? "other" : await trySending(deps, sender, id);
    if (!reason) return;
    await runBatch(deps.db, stopScheduled(deps.db, due, { reason, now: deps.clock.now().toISOString() }));
    deps.log.info("envelope not sent", { envelopeId: id, reason });
  } catch (error) {
    if (isReaderMissing(error) || isChange(error)) return;
    deps.log.error("envelope not sent", { envelopeId: id, error: causes(error) });
  }
}

/** @returns why it cannot be sent, if it cannot */
async function trySending(
  deps: Dependencies,
  sender: Sender,
  id: number,
): Promise<NotSentReason | undefined> {
  try {
    await sendScheduled(deps, sender, id, "service");
    return undefined;
  } catch (error) {
    const reason = isChange(error) ? undefined : notSentReason(error);
    if (!reason) throw error;
    return reason;
  }
}

/** Why something cannot be sent, if that is not a failure of the server. */
export function notSentReason(error: unknown): NotSentReason | undefined {
  if (!(error instanceof AppError) || ERRORS[error.code].status >= 500) return undefined;
  return REASONS[error.code] ?? (ERRORS[error.code].status === 429 ? "limit" : "other");
}

const REASONS: Partial<Record<ErrorCode, NotSentReason>> = {
  recipient_unsubscribed: "unsubscribed",
  verify_email: "unverified",
  verify_email_sms: "unverified",
};

/** Whether somebody has changed, sent or deleted it meanwhile, or its assignee has left the workspace. */
const isChange = (error: unknown) => error instanceof AppError && CHANGES.has(error.code);
const CHANGES = new Set<ErrorCode>([
  ...(["not_scheduled", "envelope_changed", "changed_meanwhile", "envelope_not_found"] as const),
  ...(["role_required", "viewer_role"] as const),
]);

/** Queues the mails about schedules: to each account one of a kind on a day in its time zone, when all of a run is known. */
export async function queueScheduleMails({ db, clock, takeTurn }: Dependencies): Promise<void> {
  const now = clock.now();
  const waitedSince = new Date(now.getTime() - HOUR_MS).toISOString();
  const readers = await listScheduleReaders(db, { now: now.toISOString(), waitedSince });
  for (const { userId, timeZone, mail } of readers)
    await queueScheduleMail(db, userId, {
      ...{ mail, day: dayIn(timeZone, now), now: now.toISOString() },
      takeTurn,
    });
}
