import {
  and,
  asc,
  between,
  eq,
  exists,
  gt,
  gte,
  inArray,
  lt,
  max,
  ne,
  not,
  notInArray,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import type { LinksToReplace } from "../../worker/contract/members";
import type { Database, Statement } from "../client";
import {
  dueLinks,
  envelopeEvents,
  envelopes,
  notifications,
  users,
  workspaceActivity,
  workspaceMembers,
} from "../schema";
import { laterThan } from "./changed-meanwhile";
import { isWaiting } from "./envelope-list";
import type { FullEnvelope } from "./envelopes";
import { isMember, type Member } from "./members";
import { UNCLAIMED } from "./notifications";
import type { MemberKey } from "./people";
import { beginsWith, equals, pagesAfter, pick, valuesOf } from "./query-helpers";

/** What is not completed: of a workspace, or what a member has created or is assigned to. */
const linksOf = ({ workspaceId, userId }: MemberKey, which: LinksToReplace) =>
  and(
    eq(envelopes.workspaceId, workspaceId),
    ne(envelopes.status, "completed"),
    which === "all" ? undefined : or(eq(envelopes.userId, userId), eq(envelopes.createdBy, userId)),
  );

export const countOpenLinks = (
  db: Database,
  caller: Member,
  key: MemberKey,
  which: LinksToReplace,
  now: string,
): Promise<number> =>
  db.$count(
    envelopes,
    and(linksOf(key, which), isWaiting(envelopes, now), isMember(key.workspaceId, caller)),
  );

/** Envelopes of which one batch records the links. */
const RECORDED_AT_ONCE = 500;

/** The envelopes of a workspace that the caller owns, in pages of which one batch each records the links that are due. */
export const pagesOfLinks = (
  db: Database,
  caller: Member,
  workspaceId: number,
  takeTurn: () => Promise<void>,
) =>
  pagesAfter(RECORDED_AT_ONCE, async (after) => {
    await takeTurn();
    return db
      .select({ id: envelopes.id })
      .from(envelopes)
      .where(
        and(eq(envelopes.workspaceId, workspaceId), gt(envelopes.id, after), isMember(workspaceId, caller)),
      )
      .orderBy(asc(envelopes.id))
      .limit(RECORDED_AT_ONCE);
  });

/**
 * The statement by which the links that a member may know are replaced soon, also those that do not work yet or any more.
 * Must precede the end of their part in the workspace.
 * @param among of these envelopes alone, or of what has changed since all others were recorded, at this event
 */
export const insertDueLinks = (
  db: Database,
  caller: Member & { address: string },
  key: MemberKey,
  which: LinksToReplace,
  among?: Recorded,
): Statement =>
  db
    .insert(dueLinks)
    .select(
      db
        .select({
          envelopeId: envelopes.id,
          requestedBy: sql`${caller.userId}`.as("requested_by"),
          address: sql`${caller.address}`.as("address"),
        })
        .from(envelopes)
        .where(
          and(among ? linksAmong(key, which, among) : linksOf(key, which), isMember(key.workspaceId, caller)),
        ),
    )
    .onConflictDoNothing();

type Recorded = { first: number; last: number } | { sinceEvent: number };

function linksAmong(key: MemberKey, which: LinksToReplace, among: Recorded): SQL | undefined {
  if ("first" in among) return and(between(envelopes.id, among.first, among.last), linksOf(key, which));
  const replaced = valuesOf(
    envelopeEvents.envelopeId,
    and(gt(envelopeEvents.id, among.sinceEvent), eq(envelopeEvents.kind, "link_replaced")),
  );
  return and(
    sql`${envelopes.id} in (select envelope_id from ${envelopeEvents} where ${envelopeEvents.id} > ${among.sinceEvent}
      union select now.id from ${envelopes} as now where now.workspace_id = ${key.workspaceId} and now.user_id = ${key.userId})`,
    // They may have read a link that was replaced meanwhile, whoever the envelope is assigned to now.
    or(linksOf(key, which), and(linksOf(key, "all"), inArray(envelopes.id, replaced))),
  );
}

/**
 * Whether somebody may know the envelope's link who cannot read it any more: a member who was removed or demoted, has left or
 * was disabled since the envelope has this link, or is no member of the workspace that it moves to. Also if that is so long ago
 * that the activity does not tell.
 * @returns if not, also the condition that this is still so
 */
export async function findIfLinkIsKnownOutside(
  db: Database,
  envelope: Pick<FullEnvelope, "id" | "workspaceId" | "createdAt">,
  given: { activitySince: string; movesTo: number | undefined },
): Promise<{ isKnown: boolean; stillSo?: SQL }> {
  const known = isLinkKnownOutside(db, envelope, given);
  const [row] = await db.all<{ known: number }>(sql`select ${known} as known`);
  return row?.known ? { isKnown: true } : { isKnown: false, stillSo: not(known) };
}

function isLinkKnownOutside(
  db: Database,
  { id, workspaceId, createdAt }: Pick<FullEnvelope, "id" | "workspaceId" | "createdAt">,
  { activitySince, movesTo }: { activitySince: string; movesTo: number | undefined },
): SQL {
  const changes = db
    .select({ at: max(envelopeEvents.at) })
    .from(envelopeEvents)
    .where(
      and(eq(envelopeEvents.envelopeId, id), inArray(envelopeEvents.kind, ["created", "link_replaced"])),
    );
  const since = sql`ifnull(${changes}, ${createdAt})`;
  const mayEdit = (workspace: number) =>
    and(eq(workspaceMembers.workspaceId, workspace), ne(workspaceMembers.role, "viewer"));
  const membersOf = (where: SQL | undefined) => valuesOf(workspaceMembers.userId, where);
  const editors = membersOf(mayEdit(movesTo ?? workspaceId));
  const staysBehind = membersOf(and(mayEdit(workspaceId), notInArray(workspaceMembers.userId, editors)));
  const hasGone = valuesOf(
    workspaceActivity.id,
    and(
      eq(workspaceActivity.workspaceId, workspaceId),
      inArray(workspaceActivity.type, ["member.removed", "member.left", "member.role_changed"]),
      gte(workspaceActivity.createdAt, since),
      sql`${workspaceActivity.target} ->> '$.id' not in ${editors}`,
    ),
  );
  const isDisabled = valuesOf(users.id, and(inArray(users.id, editors), gte(users.disabledAt, since)));
  return sql`(${or(lt(since, activitySince), exists(hasGone), exists(isDisabled), exists(staysBehind))})`;
}

/** Of how many links any are chosen: a call that reads all of them would cost more the more are due. */
const CHOSEN_AMONG = 1000;

/** Any of the links that follow a random one, and of those before it: whichever fail, all others have their turn. */
function anyDueLinks(limit: number): SQL {
  const end = (which: "min" | "max") => sql`(select ${sql.raw(which)}(envelope_id) from ${dueLinks})`;
  const start = sql`(${end("min")} + (${end("max")} - ${end("min")}) * ${Math.random()})`;
  const next = (where: SQL) =>
    sql`select envelope_id from (select envelope_id from ${dueLinks} where ${where} order by envelope_id limit ${CHOSEN_AMONG})`;
  return sql`(select envelope_id from (${next(sql`envelope_id >= ${start}`)} union all ${next(sql`envelope_id < ${start}`)}) order by random() limit ${limit})`;
}

/** A page of the links that are to be replaced, of the envelopes with greater ids than `after`; without it, any of them. */
export function listDueLinks(db: Database, { after, limit }: { after: number | undefined; limit: number }) {
  return db
    .select({
      id: dueLinks.envelopeId,
      requestedBy: dueLinks.requestedBy,
      address: dueLinks.address,
      ...pick(envelopes, "submissionToken", "status", "expiresAt", "userId", "customerEmail"),
      ...pick(envelopes, "recipientPhone", "notificationPreference"),
    })
    .from(dueLinks)
    .innerJoin(envelopes, eq(envelopes.id, dueLinks.envelopeId))
    .where(
      after === undefined ? inArray(dueLinks.envelopeId, anyDueLinks(limit)) : gt(dueLinks.envelopeId, after),
    )
    .orderBy(asc(dueLinks.envelopeId))
    .limit(limit);
}

export type DueLink = Awaited<ReturnType<typeof listDueLinks>>[number];

/** The envelope's id while its link is due and as it was read, otherwise NULL, which fails the batch of an event. */
export const dueLinkId = ({ id, submissionToken, status }: DueLink): SQL<number> =>
  sql<number>`(select ${envelopes.id} from ${envelopes} join ${dueLinks} on ${dueLinks.envelopeId} = ${envelopes.id}
    where ${envelopes.id} = ${id} and ${envelopes.submissionToken} = ${submissionToken} and ${envelopes.status} = ${status})`;

export const deleteDueLink = (db: Database, { id }: DueLink): Statement =>
  db.delete(dueLinks).where(eq(dueLinks.envelopeId, id));

/** Deletes the messages with such a link that wait, whose keys begin like this: the next one replaces them. */
export const deleteWaitingLinks = (db: Database, { id }: DueLink, key: string): Statement =>
  db
    .delete(notifications)
    .where(
      and(equals(notifications, { envelopeId: id, ...UNCLAIMED }), beginsWith(notifications.dedupeKey, key)),
    );

export const setLink = (
  db: Database,
  { id, requestedBy }: DueLink,
  { submissionToken, now }: { submissionToken: string; now: string },
): Statement =>
  db
    .update(envelopes)
    .set({
      submissionToken,
      updatedAt: laterThan(envelopes.updatedAt, now),
      // Of a scheduled one, whoever has planned it last stays known: see `stopScheduledOf`.
      updatedBy: sql`iif(${envelopes.status} = 'scheduled', ${envelopes.updatedBy}, ${requestedBy})`,
    })
    .where(eq(envelopes.id, id));
