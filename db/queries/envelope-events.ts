import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { Database, Statement } from "../client";
import { envelopeEvents, requests } from "../schema";

type NewEvents = {
  userId: number | null;
  kinds: readonly (typeof envelopeEvents.$inferInsert.kind)[];
  detail: string | null;
  at: string;
};

/** Notes what happened; the envelope is given as the query of a change, so that both are written or neither. */
export function insertEvents(db: Database, envelope: number | SQL<number>, events: NewEvents): Statement {
  const { kinds, ...rest } = events;
  return db.insert(envelopeEvents).values(kinds.map((kind) => ({ ...rest, kind, requestId: envelope })));
}

/** Notes that the recipient has opened the envelope, if it is pending and the first time. */
export function insertOpening(db: Database, submissionToken: string, at: string): Statement {
  const opened = db
    .select({
      id: sql`null`.as("id"),
      requestId: requests.id,
      userId: sql`null`.as("user_id"),
      kind: sql`'opened'`.as("kind"),
      detail: sql`null`.as("detail"),
      at: sql`${at}`.as("at"),
    })
    .from(requests)
    .where(and(eq(requests.submissionToken, submissionToken), eq(requests.status, "pending")));
  return db.insert(envelopeEvents).select(opened).onConflictDoNothing();
}

/** Notes that the owner downloaded the file with this name in the store. */
export function insertDownload(
  db: Database,
  userId: number,
  download: { requestId: number; documentName: string; at: string },
): Statement {
  const { requestId, documentName: detail, at } = download;
  const envelope = sql<number>`(select ${requests.id} from ${requests} where ${requests.id} = ${requestId} and ${requests.userId} = ${userId})`;
  return insertEvents(db, envelope, { userId, kinds: ["downloaded"], detail, at });
}

/** What happened to one of the caller's envelopes, oldest first; of very many, the latest. */
export async function listEvents(db: Database, userId: number, requestId: number, limit: number) {
  const rows = await db
    .select({ kind: envelopeEvents.kind, detail: envelopeEvents.detail, at: envelopeEvents.at })
    .from(envelopeEvents)
    .innerJoin(requests, eq(requests.id, envelopeEvents.requestId))
    .where(and(eq(requests.userId, userId), eq(envelopeEvents.requestId, requestId)))
    .orderBy(desc(envelopeEvents.id))
    .limit(limit);
  return rows.reverse();
}
