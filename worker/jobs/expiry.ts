import { expireRequests } from "../../db/queries/schedule";
import type { Dependencies } from "../dependencies";

/** Marks envelopes whose last day is over. */
export async function expireEnvelopes({ db, clock }: Dependencies): Promise<void> {
  const now = clock.now().toISOString();
  await expireRequests(db, now.slice(0, 10), now);
}
