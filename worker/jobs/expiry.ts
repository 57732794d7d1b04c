import { runBatch } from "../../db/client";
import { markLapsedEnvelopes, queueExpiringNotices } from "../../db/queries/schedule";
import type { Dependencies } from "../dependencies";
import { DAY_MS, HOUR_MS } from "../lib/durations";

/** From nine in the morning, two days before the last day ends. */
const NOTICE_MS = 2 * DAY_MS + 15 * HOUR_MS;

/** Expires overdue envelopes and queues the notices to their requestors in the same batch. */
export async function expireEnvelopes({ db, clock }: Dependencies): Promise<void> {
  await runBatch(db, markLapsedEnvelopes(db, clock.now().toISOString()));
}

/** Notifies recipients whose link expires within two days, unless the envelope was sent only recently. */
export async function announceExpiry({ db, clock }: Dependencies): Promise<void> {
  const now = clock.now().getTime();
  const moment = (time: number) => new Date(time).toISOString();
  await runBatch(
    db,
    queueExpiringNotices(db, {
      endingBy: moment(now + NOTICE_MS),
      sentBefore: moment(now - DAY_MS),
      now: moment(now),
    }),
  );
}
