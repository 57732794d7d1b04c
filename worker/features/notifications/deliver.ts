import { type Notification, settleNotification } from "../../../db/queries/notifications";
import type { Dependencies } from "../../dependencies";
import { causes } from "../../errors";
import { DeliveryError } from "../../ports/mailer";
import { composeMail, composeSms } from "./compose";

const MAX_ATTEMPTS = 8;
const FIRST_DELAY_MS = 30_000;
const ERROR_LENGTH = 500;

/** Sends one claimed notification and records what came of it. Never throws for a message that was not taken. */
export async function deliver(
  deps: Dependencies,
  notification: Notification,
  claimedBy: string,
): Promise<void> {
  const { db, clock, log } = deps;
  const { id, kind, channel, attempts } = notification;
  try {
    if (channel === "email") await deps.mailer.send(await composeMail(deps, notification));
    else await deps.smsSender.send(await composeSms(deps, notification));
    const sentAt = clock.now().toISOString();
    await settleNotification(db, id, claimedBy, { status: "sent", sentAt, lastError: null, payload: {} });
    log.info("notification sent", { id, kind, channel, attempts });
  } catch (error) {
    const permanent = error instanceof DeliveryError && error.options.permanent;
    const failed = permanent || attempts >= MAX_ATTEMPTS;
    const lastError = causes(error).trim().slice(0, ERROR_LENGTH);
    const nextAttemptAt = new Date(clock.now().getTime() + delayBefore(attempts, error)).toISOString();
    await settleNotification(db, id, claimedBy, {
      status: failed ? "failed" : "queued",
      lastError,
      nextAttemptAt,
    });
    log.error("notification not sent", { id, kind, channel, attempts, failed, error: lastError });
  }
}

/** Doubles with each try, give or take a quarter, so that many failures do not come back all at once. */
function delayBefore(attempts: number, error: unknown): number {
  const asked = error instanceof DeliveryError ? (error.options.retryAfterSeconds ?? 0) * 1000 : 0;
  const jitter = 0.75 + Math.random() / 2;
  return Math.max(asked, FIRST_DELAY_MS * 2 ** (attempts - 1) * jitter);
}
