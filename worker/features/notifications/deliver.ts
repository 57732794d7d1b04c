import { findNotificationContext } from "../../../db/queries/notification-context";
import {
  type Notification,
  type Outcome,
  updateClaimedNotification,
} from "../../../db/queries/notifications";
import type { DeliveryFailure } from "../../contract/notifications";
import type { Dependencies } from "../../dependencies";
import { causes } from "../../errors";
import { withDeadline } from "../../lib/deadline";
import { withoutRecipients } from "../../lib/log-text";
import { retry } from "../../lib/retry";
import { DeliveryError } from "../../ports/mailer";
import { nextAttemptTime } from "./back-off";
import { composeMail, composeSms, markUnverified } from "./compose";
import { isForAccount, outdatedReason } from "./relevance";
import { countUnattended } from "./unattended";

const MAX_ATTEMPTS = 8;
const ERROR_LENGTH = 500;
/** For ports without their own timeout. Shorter than a claim, longer than the adapters' timeouts. */
export const SEND_TIMEOUT_MS = 65_000;
const RECORD_RETRY_DELAYS_MS = [1000, 5000];

/** `rejected` concerns this message, `outage` the connection; `postponed` was not attempted. */
export type Delivery = "sent" | "cancelled" | "postponed" | "rejected" | "outage";
type Result = {
  delivery: Delivery;
  error: string;
  failure: DeliveryFailure | null;
  permanent: boolean;
  unclear?: boolean;
  retryAfterSeconds?: number;
  /** Where it went. */
  recipient?: string;
};
/** A probe during an outage does not count as an attempt. */
type Claimed = { by: string; counts: boolean };

/** Sends one claimed notification and records the outcome. Does not throw if the message is rejected. */
export async function deliver(
  deps: Dependencies,
  notification: Notification,
  claim: Claimed,
): Promise<Delivery> {
  const { id, kind, channel, attempts } = notification;
  const result = await attempt(deps, notification);
  const outcome = outcomeOf(notification, result, claim, deps.clock.now());
  await recordOutcome(deps, id, claim.by, outcome);
  const error = withoutRecipients(result.error);
  const fields = { id, kind, channel, attempts, status: outcome.status, error };
  if (result.delivery === "sent") deps.log.info("notification sent", { id, kind, channel, attempts });
  else if (result.delivery === "postponed") deps.log.warn("notification postponed", fields);
  else deps.log.error("notification not sent", fields);
  return result.delivery;
}

async function attempt(deps: Dependencies, notification: Notification): Promise<Result> {
  const { config, db, clock } = deps;
  try {
    if (notification.attempts > MAX_ATTEMPTS)
      return {
        delivery: "rejected",
        permanent: true,
        error: notification.lastError ?? "The process stopped during every attempt",
        failure: notification.failure ?? "internal",
      };
    const found = await findNotificationContext(db, notification);
    const outdated = outdatedReason(notification, found, clock.now());
    if (outdated) return { delivery: "cancelled", permanent: true, error: outdated, failure: "outdated" };
    const turn = await countUnattended(deps, notification);
    if (!turn.allowed)
      return {
        delivery: "postponed",
        permanent: false,
        error: "The hourly limit for this recipient is reached",
        failure: "postponed",
        retryAfterSeconds: turn.retryAfterSeconds,
      };
    const recipient = (isForAccount(notification.kind) && found.user?.email) || notification.recipient;
    const addressed = { ...notification, recipient };
    const context = deps.mailer.localOnly ? found : markUnverified(notification, found);
    const sending =
      notification.channel === "email"
        ? deps.mailer.send(composeMail(config, addressed, context))
        : deps.smsSender.send(composeSms(config, addressed, context));
    await withDeadline(sending, SEND_TIMEOUT_MS, noAnswer);
    return { delivery: "sent", permanent: true, error: "", failure: null, recipient };
  } catch (error) {
    const { outage, ...options } = error instanceof DeliveryError ? error.options : { permanent: false };
    const text = causes(error).trim().slice(0, ERROR_LENGTH) || "Unknown failure";
    return { delivery: outage ? "outage" : "rejected", error: text, failure: failureOf(error), ...options };
  }
}

/** The public kind of a failure: a relay's error text may name private hosts. */
function failureOf(error: unknown): DeliveryFailure {
  if (!(error instanceof DeliveryError)) return "internal";
  const { permanent, outage, unset } = error.options;
  if (unset) return "not_configured";
  if (outage) return "unreachable";
  return permanent ? "refused" : "postponed";
}

function outcomeOf(notification: Notification, result: Result, { counts }: Claimed, now: Date): Outcome {
  const { attempts, payload: stored } = notification;
  // Once the mail is sent or has failed for good, its token is no longer needed.
  const payload = "token" in stored || result.delivery === "sent" ? {} : stored;
  const { failure } = result;
  if (result.delivery === "sent") {
    const { recipient = notification.recipient } = result;
    return { status: "sent", sentAt: now.toISOString(), lastError: null, failure, payload, recipient };
  }
  const failed = { lastError: result.error, failure };
  if (result.delivery === "cancelled") return { status: "cancelled", ...failed, payload };
  if (result.delivery === "postponed") {
    const nextAttemptAt = new Date(now.getTime() + (result.retryAfterSeconds ?? 0) * 1000).toISOString();
    return { status: "queued", attempts: attempts - 1, nextAttemptAt, ...failed };
  }
  if (result.delivery === "outage" && !counts) return { status: "queued", attempts: attempts - 1, ...failed };
  // A message that may have been delivered is retried only once, so there is at most one duplicate.
  const tooMany = attempts >= MAX_ATTEMPTS || (result.unclear && stored.maybeSent !== undefined);
  if (result.permanent || tooMany) return { status: "failed", ...failed, payload };
  const nextAttemptAt = nextAttemptTime(attempts, now, result.retryAfterSeconds).toISOString();
  return {
    status: "queued",
    ...failed,
    nextAttemptAt,
    ...(result.unclear && { payload: { ...stored, maybeSent: 1 } }),
  };
}

/** A sent message that is not marked as sent is sent again, so a busy database gets several attempts. */
async function recordOutcome(
  deps: Dependencies,
  id: number,
  claimedBy: string,
  outcome: Outcome,
): Promise<void> {
  const record = () =>
    updateClaimedNotification(deps.db, id, claimedBy, outcome, deps.clock.now().toISOString());
  await retry(record, (error, failures) => {
    deps.log.error("notification outcome not recorded", { id, status: outcome.status, error: causes(error) });
    return RECORD_RETRY_DELAYS_MS[failures - 1] ?? null;
  });
}

const noAnswer = () =>
  new DeliveryError(`No answer in ${SEND_TIMEOUT_MS / 1000} seconds`, { permanent: false });
