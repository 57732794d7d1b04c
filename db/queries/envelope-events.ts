import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { Database, Statement } from "../client";
import { envelopeEvents, envelopes } from "../schema";
import type { EnvelopeActor, EnvelopeEventKind } from "../schema/envelope-events";

/** The account that acts, and the client address it acts from. */
export type Caller = { userId: number; address: string };

type NewEvents = {
  /** Null for the recipient. */
  userId: number | null;
  address: string;
  kinds: readonly EnvelopeEventKind[];
  detail?: string | null;
  at: string;
};

/**
 * Records a person's action. The envelope is given as a subquery, so that the event and the change are written
 * together or not at all.
 */
export function insertEvents(db: Database, envelope: number | SQL<number>, events: NewEvents): Statement {
  const { kinds, detail = null, ...rest } = events;
  const actor = events.userId === null ? ("recipient" as const) : ("requestor" as const);
  return db
    .insert(envelopeEvents)
    .values(kinds.map((kind) => ({ ...rest, kind, actor, detail, envelopeId: envelope })));
}

type SelectedEvents = {
  kind: EnvelopeEventKind;
  actor: EnvelopeActor;
  address: string | null;
  detail?: typeof envelopes.expirationDate | string;
  at: string;
};

/** Records an event without an account for all envelopes that match. */
export function insertEventsWhere(db: Database, where: SQL | undefined, event: SelectedEvents) {
  const { kind, actor, address, detail = sql`null`, at } = event;
  // All columns in table order, as `insert … select` requires.
  const rows = db
    .select({
      id: sql`null`.as("id"),
      envelopeId: envelopes.id,
      userId: sql`null`.as("user_id"),
      kind: sql`${kind}`.as("kind"),
      actor: sql`${actor}`.as("actor"),
      address: sql`${address}`.as("address"),
      detail: sql`${detail}`.as("detail"),
      at: sql`${at}`.as("at"),
    })
    .from(envelopes)
    .where(where);
  return db.insert(envelopeEvents).select(rows);
}

/** Records that the recipient opened the envelope, once and only while it is pending. */
export function insertOpening(
  db: Database,
  submissionToken: string,
  { address, at }: { address: string; at: string },
): Statement {
  const pending = and(eq(envelopes.submissionToken, submissionToken), eq(envelopes.status, "pending"));
  return insertEventsWhere(db, pending, {
    kind: "opened",
    actor: "recipient",
    address,
    at,
  }).onConflictDoNothing();
}

type Download = { envelopeId: number; documentName: string };

/** Records that the owner downloaded files of these documents. */
export function insertDownloads(
  db: Database,
  userId: number,
  { downloads, address, at }: { downloads: readonly Download[]; address: string; at: string },
): Statement {
  const downloadList = sql`json_each(${JSON.stringify(downloads)})`;
  const own = sql`${envelopes.id} = value ->> '$.envelopeId' and ${envelopes.userId} = ${userId}`;
  // All columns in table order, as `insert … select` requires.
  return db
    .insert(envelopeEvents)
    .select(
      sql`select null, ${envelopes.id}, ${userId}, 'downloaded', 'requestor', ${address}, value ->> '$.documentName', ${at} from ${downloadList} cross join ${envelopes} on ${own}`,
    );
}

/** The events of one of the caller's envelopes, oldest first. Above the limit, the latest ones. */
export async function listEvents(db: Database, userId: number, envelopeId: number, limit: number) {
  const rows = await db
    .select({
      kind: envelopeEvents.kind,
      actor: envelopeEvents.actor,
      address: envelopeEvents.address,
      detail: envelopeEvents.detail,
      at: envelopeEvents.at,
    })
    .from(envelopeEvents)
    .innerJoin(envelopes, eq(envelopes.id, envelopeEvents.envelopeId))
    .where(and(eq(envelopes.userId, userId), eq(envelopeEvents.envelopeId, envelopeId)))
    .orderBy(desc(envelopeEvents.id))
    .limit(limit);
  return rows.reverse();
}
