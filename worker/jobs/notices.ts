import { runBatch } from "../../db/client";
import { queueExpiringNotices } from "../../db/queries/schedule";
import { queueUndeliveredNotices } from "../../db/queries/undelivered";
import type { Dependencies } from "../dependencies";
import { DAY_MS, HOUR_MS } from "../lib/durations";

/** From nine in the morning, two days before the last day ends. */
const EXPIRY_NOTICE_MS = 2 * DAY_MS + 15 * HOUR_MS;
/** How long account mails remain stored: the last notice of an account says what its reader already knows. */
const STORED_MS = 7 * DAY_MS;

const iso = (time: number) => new Date(time).toISOString();

/** Notifies recipients whose link expires within two days, unless the envelope was sent only recently. */
export async function announceExpiry({ db, clock }: Dependencies): Promise<void> {
  const now = clock.now().getTime();
  const endingBy = iso(now + EXPIRY_NOTICE_MS);
  await runBatch(db, queueExpiringNotices(db, { endingBy, sentBefore: iso(now - DAY_MS), now: iso(now) }));
}

/** Notifies each account, once a day, of the messages to its recipients that failed before this day began in UTC. */
export async function reportUndelivered({ db, clock }: Dependencies): Promise<void> {
  const now = clock.now().getTime();
  const dayStart = Math.floor(now / DAY_MS) * DAY_MS;
  const period = { since: iso(dayStart - STORED_MS), until: iso(dayStart) };
  await runBatch(db, [queueUndeliveredNotices(db, { ...period, now: iso(now) })]);
}
