import { runBatch } from "../../db/client";
import { markLapsedEnvelopes, queueExpiringNotices } from "../../db/queries/schedule";
import type { Dependencies } from "../dependencies";

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long before its last day a recipient is told that a link is about to end. */
const NOTICE_DAYS = 2;

/** Marks envelopes whose last day is over, and queues the notice to their requestors in the same change. */
export async function expireEnvelopes({ db, clock }: Dependencies): Promise<void> {
  const now = clock.now();
  await runBatch(db, markLapsedEnvelopes(db, dayOf(now), now.toISOString()));
}

/** Queues the notice to recipients whose link ends within two days, unless they were only just asked. */
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
