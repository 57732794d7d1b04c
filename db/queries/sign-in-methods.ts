import { gte, not, type SQL, sql } from "drizzle-orm";
import type { Database, Statement } from "../client";
import { identities, passkeys } from "../schema";
import { deleteIdentities } from "./identities";
import { deletePasskeys } from "./passkeys";
import { hasTotp } from "./second-factors";
import { deleteSessions } from "./sessions";
import { deletePasswordResets, deleteSignInLinks } from "./users";

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
