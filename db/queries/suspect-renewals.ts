import { and, asc, eq, inArray, isNotNull, sql } from "drizzle-orm";
import type { NotSentReason } from "../../worker/contract/schedules";
import { type Database, runBatch, type Statement } from "../client";
import { envelopeDocuments, envelopes, scheduleNews, workspaces } from "../schema";
import { listed } from "./query-helpers";
import { workspacesLately } from "./workspace-activity";

/** Documents with a day that are looked at in one turn: a workspace may have a hundred thousand of others. */
const SEEN_AT_ONCE = 2000;

/**
 * Pauses the renewals of envelopes that an account has created, or changed last, and tells the assignees: who did so may not
 * have been its owner. Before the batch that ends the account's access, and again after it, for what was planned meanwhile.
 * @param workspaceId the only one that is meant
 */
export async function pauseRenewalsOf(
  db: Database,
  userId: number,
  {
    now,
    takeTurn,
    workspaceId: only,
  }: { now: string; takeTurn: (() => Promise<unknown>) | undefined; workspaceId?: number },
): Promise<void> {
  const { id, validUntil, workspaceId, renewOn, renewalPaused } = envelopeDocuments;
  const isTheirs = sql<0 | 1 | null>`${renewOn} is not null and ${renewalPaused} is not 1
    and ${userId} in (${envelopes.createdBy}, ${envelopes.updatedBy})`;
  const known = await db
    .select({ id: workspaces.id })
    .from(workspaces)
    .where(sql`${workspaces.id} in ${workspacesLately(userId, now, only)}`);
  for (const workspace of known)
    for (let last = sql`'', 0`; ; ) {
      await takeTurn?.();
      const page = await db
        .select({ id, validUntil, isTheirs })
        .from(envelopeDocuments)
        .innerJoin(envelopes, eq(envelopes.id, envelopeDocuments.envelopeId))
        .where(and(eq(workspaceId, workspace.id), sql`(${validUntil}, ${id}) > (${last})`))
        .orderBy(asc(validUntil), asc(id))
        .limit(SEEN_AT_ONCE);
      const ids = page.flatMap((row) => (row.isTheirs ? row.id : []));
      if (ids.length > 0) await runBatch(db, pauseSuspect(db, ids, now));
      const end = page.at(-1);
      if (!end || page.length < SEEN_AT_ONCE) break;
      last = sql`${end.validUntil}, ${end.id}`;
    }
}

function pauseSuspect(db: Database, ids: readonly number[], now: string): Statement[] {
  const { id, name, envelopeId, renewOn } = envelopeDocuments;
  const reason: NotSentReason = "password";
  return [
    db.insert(scheduleNews).select(
      // All columns in table order, as `insert … select` requires.
      sql`select null, ${envelopes.userId}, ${envelopes.workspaceId}, ${envelopes.id}, 'not_sent', json_patch('{}', json_object('title', ${name}, 'details', ${envelopes.recipientName}, 'path', '/schedules?schedules=expiring', 'reason', ${reason})), ${now}
        from ${envelopeDocuments} join ${envelopes} on ${envelopes.id} = ${envelopeId} where ${inArray(id, listed(ids))}`,
    ),
    db
      .update(envelopeDocuments)
      .set({ renewalPaused: true })
      .where(and(inArray(id, listed(ids)), isNotNull(renewOn))),
  ];
}
