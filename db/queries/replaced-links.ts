import { and, desc, eq, notInArray, sql } from "drizzle-orm";
import type { Language } from "../../worker/contract/options";
import type { Database, Statement } from "../client";
import { envelopes, replacedLinks, users } from "../schema";
import { isOpenWorkspace } from "./members";

/** How many earlier links of an envelope say that they were replaced. The others are unknown links. */
const PER_ENVELOPE = 20;

/** The statements that record an earlier link of an envelope, in the batch that gives it another one. */
export function insertReplacedLink(db: Database, envelopeId: number, tokenHash: string): Statement[] {
  const ofEnvelope = eq(replacedLinks.envelopeId, envelopeId);
  const latest = db
    .select({ id: replacedLinks.id })
    .from(replacedLinks)
    .where(ofEnvelope)
    .orderBy(desc(replacedLinks.id))
    .limit(PER_ENVELOPE);
  return [
    // It is there if another call has just replaced it: this one fails by what it was read as.
    db.insert(replacedLinks).values({ tokenHash, envelopeId }).onConflictDoNothing(),
    db.delete(replacedLinks).where(and(ofEnvelope, notInArray(replacedLinks.id, latest))),
  ];
}

/** The language in which a replaced link says so: that of the messages to its recipient. Undefined for any other link. */
export const findReplacedLink = (db: Database, tokenHash: string) =>
  db
    .select({ language: sql<Language>`coalesce(${envelopes.language}, ${users.languagePreference})` })
    .from(replacedLinks)
    .innerJoin(envelopes, eq(envelopes.id, replacedLinks.envelopeId))
    .innerJoin(users, eq(users.id, envelopes.userId))
    .where(and(eq(replacedLinks.tokenHash, tokenHash), isOpenWorkspace(envelopes.workspaceId)))
    .get();
