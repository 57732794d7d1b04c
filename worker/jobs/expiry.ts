import { runBatch } from "../../db/client";
import { markExpiredEnvelopes, queueExpiringNotices } from "../../db/queries/schedule";
import type { Dependencies } from "../dependencies";
import { DAY_MS, HOUR_MS } from "../lib/durations";

/** From nine in the morning, two days before the last day ends. */
const NOTICE_MS = 2 * DAY_MS + 15 * HOUR_MS;

/** Expires overdue envelopes and queues the notices to their requestors in the same batch. */
export async function expireEnvelopes({ db, clock }: Dependencies): Promise<void> {
  await runBatch(db, markExpiredEnvelopes(db, clock.now().toISOString()));
}

/** Notifies recipients whose link expires within two days, unless the envelope was sent only recently. */
export async function announceExpiry({ db, clock }: Dependencies): Promise<void> {
  const now = clock.now().getTime();
  const iso = (time: number) => new Date(time).toISOString();
  await runBatch(
    db,
    queueExpiringNotices(db, {
      endingBy: iso(now + NOTICE_MS),
      sentBefore: iso(now - DAY_MS),
      now: iso(now),
    }),
  );
}
