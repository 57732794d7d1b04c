import { and, asc, count, eq, exists, inArray, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database, Statement } from "../client";
import { envelopes, notifications, submissions, users } from "../schema";
import { isMember, isOpenWorkspace, type Member } from "./members";
import { ACCOUNT } from "./notification-claims";
import { type Notification, notificationColumns } from "./notifications";
import { equals, listed, pick } from "./query-helpers";

const own = alias(notifications, "own");

/** Of how many submissions a digest tells; the next one of the rest. Gathering them holds other calls up. */
const GATHERED = 2000;

/** The notices of submissions that wait for the account's next digest, the first ones of many. */
const heldFirst = (userId: number) =>
  sql`(select id from ${notifications} where ${and(
    // As the index `notifications_waiting` has them: an account may have many that were sent.
    sql`${notifications.status} = 'queued'`,
    equals(notifications, { channel: "email", kind: "submission", failure: "digest" }),
    sql`${ACCOUNT} = ${userId}`,
  )} order by ${notifications.nextAttemptAt}, ${notifications.id} limit ${GATHERED})`;

/**
 * Statements that queue a digest of what waits for it, if anything does, and end these notices, `GATHERED` at most.
 * @param by a claimed one: if another sender has claimed it or sent the digest meanwhile, nothing changes
 */
export function gatherSubmissions(
  db: Database,
  userId: number,
  { now, by }: { now: string; by?: Pick<Notification, "id" | "claimedBy"> },
): Statement[] {
  const isOwn =
    by &&
    exists(
      db
        .select({ id: own.id })
        .from(own)
        .where(and(eq(own.id, by.id), eq(own.claimedBy, by.claimedBy ?? ""), eq(own.status, "queued"))),
    );
  const held = and(sql`${notifications.id} in ${heldFirst(userId)}`, isOwn);
  const all = (column: SQL) => sql`(select ${column} from ${notifications} where ${held})`;
  const digest = db
    .select(
      notificationColumns({
        kind: "digest",
        payload: {
          envelopeIds: sql`json(${all(sql`json_group_array(${notifications.envelopeId})`)})`,
        },
        dedupeKey: sql`'digest:' || ${users.id} || ':' || ${all(sql`max(${notifications.id})`)}`,
        now,
      }),
    )
    .from(users)
    .where(and(eq(users.id, userId), sql`exists ${all(sql`1`)}`));
  return [
    db.insert(notifications).select(digest).onConflictDoNothing({ target: notifications.dedupeKey }),
    db.update(notifications).set({ status: "cancelled", claimedBy: null, claimedUntil: null }).where(held),
  ];
}

/**
 * The submitted envelopes among these that the account may see now: how many, what is to review, and the first ones each
 * with its files.
 */
export async function findSubmitted(
  db: Database,
  member: Member,
  { ids, limit }: { ids: readonly number[]; limit: number },
) {
  const [first, [all]] = await db.batch([
    listSubmitted(db, member, ids).limit(limit),
    countSubmitted(db, member, ids),
  ]);
  return { first, count: all?.count ?? 0, toReview: all?.toReview ?? 0 };
}

const listSubmitted = (db: Database, member: Member, ids: readonly number[]) =>
  db
    .select({
      ...pick(envelopes, "id", "subject", "title", "recipientName", "customerEmail", "recipientPhone"),
      ...pick(envelopes, "note", "toReview"),
      files: sql<number>`(select count(*) from ${sql`${submissions} where ${submissions.envelopeId} = ${envelopes.id} and not ${submissions.superseded}`})`,
    })
    .from(envelopes)
    .where(isSubmitted(member, ids))
    .orderBy(asc(envelopes.completedAt), asc(envelopes.id));

const countSubmitted = (db: Database, member: Member, ids: readonly number[]) =>
  db
    .select({ count: count(), toReview: sql<number>`coalesce(sum(${envelopes.toReview}), 0)` })
    .from(envelopes)
    .where(isSubmitted(member, ids));

const isSubmitted = (member: Member, ids: readonly number[]) =>
  and(
    inArray(envelopes.id, listed(ids)),
    isMember(envelopes.workspaceId, member),
    isOpenWorkspace(envelopes.workspaceId),
    sql`${envelopes.completedAt} is not null`,
  );
