import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import type { Database, Statement } from "../client";
import { envelopeEvents, envelopes } from "../schema";
import type { EnvelopeActor, EnvelopeEventKind } from "../schema/envelope-events";

/** The account that does something, and the address it does it from. */
export type Caller = { userId: number; address: string };

type NewEvents = {
  /** Null for the recipient. */
  userId: number | null;
  address: string;
  kinds: readonly EnvelopeEventKind[];
  detail?: string | null;
  at: string;
};

/** Notes what a person did; the envelope is given as the query of a change, so that both are written or neither. */
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

/** Notes what happened to all envelopes of the condition, by nobody's account. */
export function insertEventsWhere(db: Database, where: SQL | undefined, event: SelectedEvents) {
  const { kind, actor, address, detail = sql`null`, at } = event;
  // Every column in its order, as an insert from a select asks for.
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

/** Notes that the recipient has opened the envelope, if it is pending and the first time. */
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

/** Notes that the owner downloaded the file with this name in the store. */
export function insertDownload(
  db: Database,
  userId: number,
  download: { envelopeId: number; documentName: string; address: string; at: string },
): Statement {
  const { envelopeId, documentName: detail, address, at } = download;
  const envelope = sql<number>`(select ${envelopes.id} from ${envelopes} where ${envelopes.id} = ${envelopeId} and ${envelopes.userId} = ${userId})`;
  return insertEvents(db, envelope, { userId, address, kinds: ["downloaded"], detail, at });
}

/** What happened to one of the caller's envelopes, oldest first; of very many, the latest. */
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
