import { claimNotifications } from "../../db/queries/notifications";
import type { Dependencies } from "../dependencies";
import { deliver } from "../features/notifications/deliver";

const CLAIM_MS = 2 * 60 * 1000;
const BATCH = 20;

/** Sends everything that is due. Any number of processes may do so at once: each row is claimed first. */
export async function drainOutbox(deps: Dependencies): Promise<void> {
  const claimedBy = crypto.randomUUID();
  for (;;) {
    const now = deps.clock.now();
    const claimed = await claimNotifications(deps.db, {
      claimedBy,
      now: now.toISOString(),
      claimedUntil: new Date(now.getTime() + CLAIM_MS).toISOString(),
      limit: BATCH,
    });
    if (claimed.length === 0) return;
    await Promise.all(claimed.map((notification) => deliver(deps, notification, claimedBy)));
  }
}
