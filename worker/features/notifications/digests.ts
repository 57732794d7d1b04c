import { runBatch } from "../../../db/client";
import { gatherSubmissions } from "../../../db/queries/digests";
import type { NotificationContext } from "../../../db/queries/notification-context";
import type { Notification } from "../../../db/queries/notifications";
import type { User } from "../../../db/queries/users";
import { addDays } from "../../contract/days";
import { dayIn } from "../../contract/time-zones";
import type { Dependencies } from "../../dependencies";
import { HOUR_MS } from "../../lib/durations";
import { hourOfDay } from "../../lib/zoned-days";

/** A notice is marked before it is gathered, so that those of the same moment become one digest. */
const MARKED_SECONDS = 1;

/**
 * Holds the notice of a submission for the digest that its account has chosen, or gathers all that wait once it is due.
 * @returns whether it is to be sent by itself, is in a digest now, or in how many seconds it is looked at again
 */
export async function passDigest(
  { db, clock }: Pick<Dependencies, "db" | "clock">,
  notification: Notification,
  found: NotificationContext,
): Promise<"alone" | "gathered" | { retryAfterSeconds: number }> {
  const { id, userId, claimedBy, createdAt, failure } = notification;
  const { user } = found;
  // Also what goes to an owner because the account is disabled.
  if (!user || user.id !== userId || !isHeldFor(user, notification, found)) return "alone";
  const now = clock.now();
  const due = user.submissionMails === "at_once" ? now : digestTime(user, new Date(createdAt));
  const wait = (due.getTime() - now.getTime()) / 1000;
  if (wait > 0 || failure !== "digest") return { retryAfterSeconds: Math.max(wait, MARKED_SECONDS) };
  await runBatch(db, gatherSubmissions(db, userId, { now: now.toISOString(), by: { id, claimedBy } }));
  return "gathered";
}

function isHeldFor(
  { submissionMails }: User,
  { kind, dedupeKey, failure }: Notification,
  { envelope, files }: NotificationContext,
): boolean {
  if (kind !== "submission") return false;
  // What waited when the choice changed is more than one digest tells of.
  if (submissionMails === "at_once") return failure === "digest";
  // It was sent again by hand, or its own attempts have begun.
  if (dedupeKey.startsWith("again:") || (failure !== null && failure !== "digest")) return false;
  const { dueDate, completedAt, timeZone } = envelope ?? {};
  const isDueToday = dueDate && completedAt && dueDate === dayIn(timeZone ?? null, new Date(completedAt));
  return !(isDueToday && files.some(({ superseded }) => superseded));
}

/** When the digest is due that tells of something of this time. */
export function digestTime(
  { submissionMails, digestHour, timeZone }: Pick<User, "submissionMails" | "digestHour" | "timeZone">,
  since: Date,
): Date {
  if (submissionMails !== "daily") return new Date(since.getTime() + HOUR_MS);
  const day = dayIn(timeZone, since);
  const today = hourOfDay(day, digestHour, timeZone);
  return today > since ? today : hourOfDay(addDays(day, 1), digestHour, timeZone);
}
