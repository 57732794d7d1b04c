import type { Database, Statement } from "../client";
import { deleteApiTokens } from "./api-tokens";
import { deleteIdentities } from "./identities";
import { deletePasskeys } from "./passkeys";
import { deleteSessions } from "./sessions";
import { deletePasswordResets } from "./users";
import { switchOffAllWebhooks } from "./webhooks";

/**
 * Statements that end every way to sign in other than the password: sessions, linked providers, passkeys and reset links. With
 * `since`, providers and passkeys that were added before remain.
 */
export function deleteSignInMethods(db: Database, userId: number, since?: string): Statement[] {
  return [
    deleteSessions(db, userId),
    deletePasswordResets(db, userId),
    deleteIdentities(db, userId, since),
    deletePasskeys(db, userId, since),
  ];
}

/**
 * Statements that end the access of programs: API tokens are revoked, and webhooks are switched off, because they would
 * keep sending the account's envelopes to whoever added them.
 */
export function endProgramAccess(db: Database, userId: number): Statement[] {
  return [...deleteApiTokens(db, userId), ...switchOffAllWebhooks(db, userId)];
}
