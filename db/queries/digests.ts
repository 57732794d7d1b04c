import { and, asc, eq, exists, inArray, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Database, Statement } from "../client";
import { envelopes, notifications, submissions, users } from "../schema";
import { isMember, isOpenWorkspace, type Member } from "./members";
import { ACCOUNT } from "./notification-claims";
import { type Notification, notificationColumns } from "./notifications";
import { equals, listed, pick } from "./query-helpers";

const own = alias(notifications, "own");

/** The notices of submissions that wait for the account's next digest. */
const isHeld = (userId: number) =>
  and(
    // As the index `notifications_waiting` has them: an account may have many that were sent.
    sql`${notifications.status} = 'queued'`,
    equals(notifications, { channel: "email", kind: "submission", failure: "digest" }),
    sql`${ACCOUNT} = ${userId}`,
  );

/**
 * Statements that queue a digest of what waits for it, if anything does, and end these notices.
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
  const held = and(isHeld(userId), isOwn);
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

/** The submitted envelopes among these that the account may see now, each with its files and what is to review. */
export function listSubmitted(db: Database, member: Member, ids: readonly number[]) {
  return db
    .select({
      ...pick(envelopes, "id", "subject", "title", "recipientName", "customerEmail", "recipientPhone"),
      ...pick(envelopes, "note", "toReview"),
      files: sql<number>`(select count(*) from ${sql`${submissions} where ${submissions.envelopeId} = ${envelopes.id} and not ${submissions.superseded}`})`,
    })
    .from(envelopes)
    .where(
      and(
        inArray(envelopes.id, listed(ids)),
        isMember(envelopes.workspaceId, member),
        isOpenWorkspace(envelopes.workspaceId),
        sql`${envelopes.completedAt} is not null`,
      ),
    )
    .orderBy(asc(envelopes.completedAt), asc(envelopes.id));
}
