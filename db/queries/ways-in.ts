import type { Database, Statement } from "../client";
import { deleteIdentities } from "./identities";
import { deleteSessions } from "./sessions";
import { deletePasswordResets } from "./users";

/**
 * Statements that end the ways into an account beside its password: sessions, linked providers and reset links. With
 * `since`, providers that were linked before stay.
 */
export function deleteWaysIn(db: Database, userId: number, since?: string): Statement[] {
  return [deleteSessions(db, userId), deletePasswordResets(db, userId), deleteIdentities(db, userId, since)];
}
