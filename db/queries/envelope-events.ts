import { and, desc, eq, max, not, type SQL, sql } from "drizzle-orm";
import type { EnvelopeActor, EnvelopeEventKind } from "../../worker/contract/envelope-events";
import { SERVER_LIMITS } from "../../worker/contract/limits";
import type { Database, Statement } from "../client";
import { violates } from "../errors";
import { envelopeEvents, envelopes, formerUsers, users } from "../schema";
import { isMember, type Member } from "./members";
import { fullName, insertActivities } from "./workspace-activity";

/** The account that acts, and the client address it acts from. */
export type Caller = Member & { address: string };

type NewEvents = {
  /** Null for the recipient and the service. */
  userId: number | null;
  address: string | null;
  /** By default the account or, without one, the recipient. */
  actor?: EnvelopeActor;
  kinds: readonly EnvelopeEventKind[];
  detail?: string | null;
  at: string;
};

/** The id of the latest event of all envelopes. */
export async function findLastEvent(db: Database): Promise<number> {
  const [row] = await db.select({ id: max(envelopeEvents.id) }).from(envelopeEvents);
  return row?.id ?? 0;
}

/** Whether an account's action was rejected because the envelope has too many events: whoever deletes it deletes them. */
export const isTimelineFull = (error: unknown) => violates(error, "not null", envelopeEvents.kind);

/** Whether the envelope has as many events as accounts may cause. */
export const hasManyEvents = (envelope: number | SQL<number>): SQL =>
  sql`(select 1 from ${envelopeEvents} as past where past.envelope_id = ${envelope} limit 1 offset ${SERVER_LIMITS.eventsPerEnvelope}) is not null`;

/**
 * Records a person's action. The envelope is given as a subquery, so that the event and the change are written
 * together or not at all. Fails, see `isTimelineFull`, if an account changes an envelope without an end; a link that
 * somebody must not know any more is replaced in any case.
 */
export function insertEvents(db: Database, envelope: number | SQL<number>, events: NewEvents): Statement {
  const { kinds, detail = null, userId: actorId, address, at } = events;
  const { actor = actorId === null ? "recipient" : "requestor" } = events;
  const isBounded = actorId !== null && !kinds.includes("created");
  return db.insert(envelopeEvents).values(
    kinds.map((kind) => ({
      ...{ address, at, actor, actorId, detail, envelopeId: envelope },
      kind:
        isBounded && kind !== "link_replaced"
          ? sql<EnvelopeEventKind>`iif(${hasManyEvents(envelope)}, null, ${kind})`
          : kind,
    })),
  );
}

/** Records whom an envelope went to until a change, which no response shows: see `listEarlierRecipients`. */
export const insertEarlierRecipient = (
  db: Database,
  envelope: SQL<number>,
  recipient: object,
  at: string,
): Statement =>
  db.insert(envelopeEvents).values({
    ...{ envelopeId: envelope, kind: "updated", actor: "service", address: null, at, actorId: null },
    detail: JSON.stringify(recipient),
  });

/** An entry of `insertEarlierRecipient`. */
export const isEarlierRecipient = sql`(${envelopeEvents.kind} = 'updated' and ${envelopeEvents.detail} is not null)`;

/** Whom an envelope went to when something was kept, uploaded or submitted that its recipient can see, and until when. */
export async function listEarlierRecipients<Recipient>(db: Database, member: Member, envelopeId: number) {
  const given = ["answers", "submissions", "uploads"].map(
    (table) =>
      sql`select it.created_at from ${sql.identifier(table)} as it where it.envelope_id = ${envelopeId}`,
  );
  const rows = await db.all<{ detail: string; at: string }>(
    sql`select past.detail, past.at from (
        select ${envelopeEvents.id} as id, ${envelopeEvents.detail} as detail, ${envelopeEvents.at} as at,
          max(ifnull(${envelopes.recipientSince}, ''), lag(${envelopeEvents.at}, 1, '') over (order by ${envelopeEvents.id})) as since
        from ${envelopeEvents} inner join ${envelopes} on ${envelopes.id} = ${envelopeEvents.envelopeId}
        where ${envelopeEvents.envelopeId} = ${envelopeId} and ${isEarlierRecipient} and ${isMember(envelopes.workspaceId, member)}
      ) as past
      where exists (select 1 from (${sql.join(given, sql` union all `)}) as given where given.created_at > past.since and given.created_at <= past.at)
      order by past.id`,
  );
  return rows.map(({ detail, at }) => ({ recipient: JSON.parse(detail) as Recipient, until: at }));
}

type SelectedEvents = {
  kind: EnvelopeEventKind;
  actor: EnvelopeActor;
  address: string | null;
  detail?: typeof envelopes.expirationDate | string;
  at: string;
  /** The account that acted, if one did. */
  by?: number;
};

/** Records an event for all envelopes that match. */
export function insertEventsWhere(db: Database, where: SQL | undefined, event: SelectedEvents) {
  const { kind, actor, address, detail = sql`null`, at, by = null } = event;
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
      actorId: sql`${by}`.as("actor_id"),
    })
    .from(envelopes)
    .where(where);
  return db.insert(envelopeEvents).select(rows);
}

/**
 * Records that the recipient opened the envelope, once and only while it is pending. Visitors who are members of its
 * workspace are not the recipient.
 */
export function insertOpening(
  db: Database,
  submissionToken: string,
  { visitor, address, at }: { visitor: Member | undefined; address: string; at: string },
): Statement {
  const pending = and(
    eq(envelopes.submissionToken, submissionToken),
    eq(envelopes.status, "pending"),
    visitor && not(isMember(envelopes.workspaceId, visitor)),
  );
  return insertEventsWhere(db, pending, {
    kind: "opened",
    actor: "recipient",
    address,
    at,
  }).onConflictDoNothing();
}

/** Repeated copies of a link, or downloads of a document, by somebody within this time are one event. */
const SAME_EVENT_MS = 60 * 60 * 1000;
const sameEventSince = (at: string) => new Date(Date.parse(at) - SAME_EVENT_MS).toISOString();

/** Records that somebody of the workspace copied the envelope's link. */
export function insertLinkCopy(
  db: Database,
  member: Member,
  { envelopeId, address, at }: { envelopeId: number; address: string; at: string },
): Statement {
  // A replaced link is another one, so copying it is recorded again.
  const latest = sql`(select kind from ${envelopeEvents} where envelope_id = ${envelopeId} and (kind = 'link_replaced'
    or (kind = 'link_copied' and actor_id = ${member.userId} and at > ${sameEventSince(at)})) order by id desc limit 1)`;
  const own = and(eq(envelopes.id, envelopeId), isMember(envelopes.workspaceId, member));
  return insertEventsWhere(db, and(own, sql`${latest} is not 'link_copied'`), {
    ...{ kind: "link_copied", actor: "requestor", by: member.userId, address, at },
  });
}

type Download = { envelopeId: number; documentName: string };

/**
 * Records that somebody of the workspace downloaded files of these documents: each document in the envelope's timeline, each
 * envelope in the workspace's activity.
 */
export function insertDownloads(
  db: Database,
  member: Member,
  { downloads, address, at }: { downloads: readonly Download[]; address: string; at: string },
): Statement[] {
  const downloadList = sql`json_each(${JSON.stringify(downloads)})`;
  const recorded = sql`select ${envelopeEvents.envelopeId}, ${envelopeEvents.detail} from ${envelopeEvents}
    where ${envelopeEvents.envelopeId} in (select value ->> '$.envelopeId' from ${downloadList})
      and ${envelopeEvents.kind} = 'downloaded' and ${envelopeEvents.detail} is not null and ${envelopeEvents.actorId} = ${member.userId} and ${envelopeEvents.at} > ${sameEventSince(at)}`;
  const own = sql`${envelopes.id} = value ->> '$.envelopeId' and ${isMember(envelopes.workspaceId, member)}`;
  const ids = [...new Set(downloads.map(({ envelopeId }) => envelopeId))];
  const unrecorded = sql`select ${envelopes.workspaceId}, json_object('id', ${envelopes.id}) as target, '{}' as detail from json_each(${JSON.stringify(ids)}) cross join ${envelopes} on ${envelopes.id} = json_each.value and ${isMember(envelopes.workspaceId, member)} where ${envelopes.id} not in (select envelope_id from (${recorded}))`;
  return [
    insertActivities(db, member, { type: "files.downloaded", now: at }, unrecorded),
    // All columns in table order, as `insert … select` requires.
    db
      .insert(envelopeEvents)
      .select(
        sql`select null, ${envelopes.id}, null, 'downloaded', 'requestor', ${address}, value ->> '$.documentName', ${at}, ${member.userId} from ${downloadList} cross join ${envelopes} on ${own} where (${envelopes.id}, value ->> '$.documentName') not in (${recorded})`,
      ),
  ];
}

const wasMovedSince = sql`exists (select 1 from envelope_events as later where later.envelope_id = ${envelopeEvents.envelopeId} and later.id > ${envelopeEvents.id} and later.kind = 'moved')`;

/** Only owners see from which address their colleagues acted, and only in their workspace: not those of another, after a move. */
export const shownAddress = (member: Member) =>
  sql<
    string | null
  >`iif(${envelopeEvents.actor} = 'requestor' and (not ${isMember(envelopes.workspaceId, { ...member, role: "owner" })} or (${envelopeEvents.actorId} is not ${member.userId} and ${wasMovedSince})), null, ${envelopeEvents.address})`;

/** The events of one of the caller's envelopes, oldest first. Above the limit, the latest ones. */
export async function listEvents(db: Database, member: Member, envelopeId: number, limit: number) {
  const rows = await db
    .select({
      kind: envelopeEvents.kind,
      actor: envelopeEvents.actor,
      address: shownAddress(member),
      // Where files lie at a destination is not told of a workspace that the envelope has left.
      detail: sql<
        string | null
      >`iif(${envelopeEvents.kind} = 'delivered' and ${wasMovedSince}, null, ${envelopeEvents.detail})`,
      at: envelopeEvents.at,
      name: sql<
        string | null
      >`coalesce(${fullName("users")}, ${users.email}, ${fullName("former_users")}, ${formerUsers.email})`,
    })
    .from(envelopeEvents)
    .innerJoin(envelopes, eq(envelopes.id, envelopeEvents.envelopeId))
    .leftJoin(users, eq(users.id, envelopeEvents.actorId))
    .leftJoin(formerUsers, eq(formerUsers.id, envelopeEvents.actorId))
    .where(
      and(
        eq(envelopeEvents.envelopeId, envelopeId),
        isMember(envelopes.workspaceId, member),
        not(isEarlierRecipient),
      ),
    )
    .orderBy(desc(envelopeEvents.id))
    .limit(limit);
  return rows.reverse();
}
