import { eq, isNotNull, isNull, sql } from "drizzle-orm";
import { type Database, runBatch } from "../client";
import { recordAdministrator } from "../queries/accounts";
import { insertFirstOwners } from "../queries/members";
import { envelopeEvents, envelopes, NEVER, templates } from "../schema";

/** Fills in what rows of an archive of an older version lack, as the migrations do for a database. */
export async function fillInOlderRows(db: Database): Promise<void> {
  await recordAdministrator(db);
  await runBatch(db, [
    insertFirstOwners(db),
    db
      .update(envelopeEvents)
      .set({ actorId: sql`${envelopeEvents.userId}`, userId: null })
      .where(isNotNull(envelopeEvents.userId)),
    db
      .update(templates)
      .set({ updatedAt: sql`${templates.createdAt}` })
      .where(eq(templates.updatedAt, NEVER)),
    db
      .update(envelopes)
      .set({ createdBy: sql`${envelopes.userId}` })
      .where(isNull(envelopes.createdBy)),
  ]);
}
