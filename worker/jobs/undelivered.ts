import { runBatch } from "../../db/client";
import { queueUndeliveredNotices } from "../../db/queries/undelivered";
import type { Dependencies } from "../dependencies";
import { DAY_MS } from "../lib/durations";

/** How long account mails remain stored: the last notice of an account says what its reader already knows. */
const DAYS = 7;

/** Notifies each account, once a day, of the messages to its recipients that failed before this day began in UTC. */
export async function reportUndelivered({ db, clock }: Dependencies): Promise<void> {
  const now = clock.now();
  const dayStart = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const iso = (time: number) => new Date(time).toISOString();
  await runBatch(db, [
    queueUndeliveredNotices(db, {
      since: iso(dayStart - DAYS * DAY_MS),
      until: iso(dayStart),
      now: now.toISOString(),
    }),
  ]);
}
