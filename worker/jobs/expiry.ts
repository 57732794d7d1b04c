import { runBatch } from "../../db/client";
import { markLapsedEnvelopes, queueExpiringNotices } from "../../db/queries/schedule";
import type { Dependencies } from "../dependencies";
import { DAY_MS } from "../lib/durations";

/** How many days before expiration a recipient is notified. */
const NOTICE_DAYS = 2;

/** Expires overdue envelopes and queues the notices to their requestors in the same batch. */
export async function expireEnvelopes({ db, clock }: Dependencies): Promise<void> {
  const now = clock.now();
  await runBatch(db, markLapsedEnvelopes(db, dayOf(now), now.toISOString()));
}

/** Notifies recipients whose link expires within two days, unless the envelope was sent only recently. */
export async function announceExpiry({ db, clock }: Dependencies): Promise<void> {
  const now = clock.now();
  await runBatch(
    db,
    queueExpiringNotices(db, {
      today: dayOf(now),
      lastDay: dayOf(new Date(now.getTime() + NOTICE_DAYS * DAY_MS)),
      sentBefore: new Date(now.getTime() - DAY_MS).toISOString(),
      now: now.toISOString(),
    }),
  );
}

const dayOf = (moment: Date) => moment.toISOString().slice(0, 10);
