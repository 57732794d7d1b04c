import { gte, not, type SQL, sql } from "drizzle-orm";
import type { Database, Statement } from "../client";
import { identities, passkeys } from "../schema";
import { deleteApiTokens } from "./api-tokens";
import { stopBulkSends } from "./bulk-sends";
import { pauseDestinationsOf } from "./destinations";
import { deleteInvitationsBy } from "./handovers";
import { deleteIdentities } from "./identities";
import { deletePasskeys } from "./passkeys";
import { stopScheduledOf } from "./scheduled-envelopes";
import { hasTotp } from "./second-factors";
import { pauseSeriesOf } from "./series";
import { deleteSessions } from "./sessions";
import { deletePasswordResets, deleteSignInLinks } from "./users";
import { switchOffAllWebhooks } from "./webhooks";

/** Which passkeys and linked providers remain when the other ways to sign in end. */
export type Remaining =
  /** None: the address was not proved, so the account may get another owner. */
  | { which: "none" }
  /** Those that were added before then. */
  | { which: "earlier"; since: string }
  /**
   * Those that serve as a second factor, because access to the mailbox must not be enough to get rid of it: passkeys beside
   * an authenticator app, and both if the operator demands a second factor.
   */
  | { which: "factors"; demanded: boolean };

/** Statements that end every way to sign in other than the password: sessions, reset links, linked providers, passkeys. */
export function deleteSignInMethods(db: Database, userId: number, remaining: Remaining): Statement[] {
  return [
    deleteSessions(db, userId),
    deletePasswordResets(db, userId),
    deleteSignInLinks(db, userId),
    deleteIdentities(db, userId, ending(remaining, identities.createdAt, sql`false`)),
    deletePasskeys(db, userId, ending(remaining, passkeys.createdAt, hasTotp(userId))),
  ];
}

/** The condition under which a passkey or provider ends; undefined if each does. */
function ending(
  remaining: Remaining,
  createdAt: typeof passkeys.createdAt | typeof identities.createdAt,
  isFactor: SQL,
): SQL | undefined {
  if (remaining.which === "none") return undefined;
  if (remaining.which === "earlier") return gte(createdAt, remaining.since);
  return remaining.demanded ? sql`false` : not(isFactor);
}

/**
 * Statements that end the access which the account has given to others: API tokens and open invitations to workspaces are
 * revoked, and webhooks are switched off, because they would keep sending the account's envelopes to whoever added them. What
 * a bulk send has not sent stays unsent, and what was planned, or is copied elsewhere, waits until somebody has looked at it.
 */
export function endGivenAccess(db: Database, userId: number, now: string): Statement[] {
  return [
    ...deleteApiTokens(db, userId),
    ...deleteInvitationsBy(db, userId),
    ...switchOffAllWebhooks(db, userId),
    ...stopBulkSends(db, "bulk_send_stopped", now, { userId }),
    ...pauseSeriesOf(db, userId, now),
    ...pauseDestinationsOf(db, userId, now),
    ...stopScheduledOf(db, userId, now),
  ];
}
