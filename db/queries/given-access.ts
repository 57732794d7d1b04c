import { type Database, runBatch, type Statement } from "../client";
import { deleteApiTokens } from "./api-tokens";
import { stopBulkSends } from "./bulk-sends";
import { stopManyBulkSends } from "./bulk-sends-in-parts";
import { pauseDestinationsOf } from "./destinations";
import { deleteInvitationsBy } from "./handovers";
import { stopManyScheduled, stopScheduledOf } from "./scheduled-envelopes";
import { pauseSeriesOf } from "./series";
import { pauseRenewalsOf } from "./suspect-renewals";
import { switchOffAllWebhooks } from "./webhooks";

/**
 * Runs a batch that ends the access which the account has given to others: API tokens and open invitations to workspaces are
 * revoked, and webhooks are switched off, because they would keep sending the account's envelopes to whoever added them. What
 * a bulk send has not sent stays unsent, and what was planned, or is copied elsewhere, waits until somebody has looked at it.
 * What may be much ends in parts before the batch, and renewals also after it, for what was planned meanwhile.
 * @param batch its statements, given those that end all of this
 */
export async function endGivenAccess(
  db: Database,
  userId: number,
  planned: { now: string; takeTurn: (() => Promise<unknown>) | undefined },
  batch: (ended: Statement[]) => Statement[],
): Promise<void> {
  const { now } = planned;
  await stopManyScheduled(db, userId, planned);
  await pauseRenewalsOf(db, userId, planned);
  await stopManyBulkSends(db, { userId }, planned);
  const ended = [
    ...deleteApiTokens(db, userId),
    ...deleteInvitationsBy(db, userId),
    ...switchOffAllWebhooks(db, userId, now),
    ...stopBulkSends(db, "bulk_send_stopped", now, { userId }),
    ...pauseSeriesOf(db, userId, now),
    ...pauseDestinationsOf(db, userId, now),
    ...stopScheduledOf(db, userId, now),
  ];
  await runBatch(db, batch(ended));
  await pauseRenewalsOf(db, userId, planned);
}
