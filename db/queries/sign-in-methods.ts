import type { Database, Statement } from "../client";
import { deleteApiTokens } from "./api-tokens";
import { deleteIdentities } from "./identities";
import { deleteSessions } from "./sessions";
import { deletePasswordResets } from "./users";
import { switchOffAllWebhooks } from "./webhooks";

/**
 * Statements that end the ways into an account beside its password: sessions, linked providers and reset links. With
 * `since`, providers that were linked before stay.
 */
export function deleteWaysIn(db: Database, userId: number, since?: string): Statement[] {
  return [deleteSessions(db, userId), deletePasswordResets(db, userId), deleteIdentities(db, userId, since)];
}

/**
 * Statements that end what programs were given: API tokens are revoked, and webhooks are switched off, which would
 * send the account's envelopes to whoever has added them.
 */
export function endProgramAccess(db: Database, userId: number): Statement[] {
  return [deleteApiTokens(db, userId), ...switchOffAllWebhooks(db, userId)];
}
