import { and, eq, isNotNull, isNull, notExists, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { type Database, runBatch } from "../client";
import { recordAdministrator } from "../queries/accounts";
import { insertFirstOwners } from "../queries/members";
import { contacts, envelopeEvents, envelopes, NEVER, templates } from "../schema";

/** Fills in what rows of an archive of an older version lack, as the migrations do for a database. */
export async function fillInOlderRows(db: Database): Promise<void> {
  await recordAdministrator(db);
  const inItsWorkspace = (table: typeof contacts | typeof templates, link: SQLiteColumn) =>
    db
      .select({ id: table.id })
      .from(table)
      .where(and(eq(table.id, link), eq(table.workspaceId, envelopes.workspaceId)));
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
    db
      .update(envelopes)
      .set({ contactId: null })
      .where(and(isNotNull(envelopes.contactId), notExists(inItsWorkspace(contacts, envelopes.contactId)))),
    db
      .update(envelopes)
      .set({ templateId: null })
      .where(
        and(isNotNull(envelopes.templateId), notExists(inItsWorkspace(templates, envelopes.templateId))),
      ),
  ]);
}
