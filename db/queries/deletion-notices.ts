import { and, asc, eq, gt, gte, inArray, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { Database, Statement } from "../client";
import { envelopes, notifications, users, workspaceMembers, workspaces } from "../schema";
import { isMember, type Member, workspacesOf } from "./members";
import { notificationColumns } from "./notifications";
import { equals, listed, pick, type TakeTurn } from "./query-helpers";
import {
  ANNOUNCED_AT_ONCE,
  awaitsDelivery,
  daysBefore,
  deletionOf,
  hasContent,
  hasRetainedFiles,
  isAnnounced,
  isRetaining,
  listRetained,
  NO_DELETION_NOTICE,
  type Times,
} from "./retention";

/** Before 0.2, `deletionNoticedAt` was set when the notice was queued. Such a row was not announced yet. */
const isUnannounced = isNull(envelopes.deletionAnnouncedAt);

/** When the notice is due, in days after the completion. */
const daysToNotice = ({ noticeDays }: Times) => sql`(${workspaces.retentionDays} - ${noticeDays})`;

/** Completed envelopes of the workspace whose files are due within the notice period, without the owner knowing. */
const withoutNotice = (times: Times) =>
  and(
    hasRetainedFiles,
    eq(envelopes.workspaceId, workspaces.id),
    or(isUnannounced, isNull(envelopes.deletionNoticedAt)),
    sql`${envelopes.completedAt} <= ${daysBefore(times.now, daysToNotice(times))}`,
    hasContent,
  );

/** Of these envelopes, those of which that is still true. */
const stillWithoutNotice = (db: Database, ids: readonly number[], times: Times) =>
  db
    .select({ id: envelopes.id })
    .from(envelopes)
    .crossJoin(workspaces)
    .where(and(inArray(envelopes.id, listed(ids)), isRetaining, withoutNotice(times)));

/** Parts of all envelopes whose files are due within the notice period, each with whether the owner does not know: `isChosen`. */
export const listWithoutNotice = (db: Database, times: Times, takeTurn: TakeTurn) =>
  listRetained(db, {
    ...{ now: times.now, daysAgo: daysToNotice(times), takeTurn },
    chosen: and(or(isUnannounced, isNull(envelopes.deletionNoticedAt)), hasContent),
  });

/** Statement that marks those of these envelopes as announced that still are not. */
export const announce = (db: Database, ids: readonly number[], times: Times): Statement =>
  db
    .update(envelopes)
    .set({ deletionAnnouncedAt: times.now, deletionNoticedAt: null })
    .where(and(inArray(envelopes.id, stillWithoutNotice(db, ids, times)), isUnannounced));

/** Whether no notice of the workspace is queued, or was created then. Finds them by their keys. */
const noNotice = (created: SQL) =>
  sql`not exists (select 1 from ${notifications} where ${notifications.dedupeKey} > 'deletion:' || ${workspaces.id} || ':' and ${notifications.dedupeKey} < 'deletion:' || ${workspaces.id} || ';' and (${notifications.status} = 'queued' or ${notifications.createdAt} ${created}))`;

/**
 * The statement that queues a notice to each owner of the workspaces of these envelopes, one of each: if it was announced now
 * or there is none since, or the owner does not know although it was created before `repeatBefore`; null never repeats one.
 */
export function queueDeletionNotices(
  db: Database,
  ids: readonly number[],
  { repeatBefore, ...times }: Times & { repeatBefore: string | null },
): Statement {
  const { now } = times;
  const notices = db
    .select(
      notificationColumns({
        kind: "deletion",
        payload: { workspaceId: workspaces.id },
        dedupeKey: sql`'deletion:' || ${workspaces.id} || ':' || ${now} || ':' || ${users.id}`,
        now,
      }),
    )
    .from(envelopes)
    .crossJoin(workspaces)
    // Each owner: one of them may be gone before the files are.
    .crossJoin(workspaceMembers)
    .innerJoin(users, and(eq(users.id, workspaceMembers.userId), isNull(users.disabledAt)))
    .where(
      and(
        inArray(envelopes.id, listed(ids)),
        isRetaining,
        withoutNotice(times),
        equals(workspaceMembers, { workspaceId: workspaces.id, role: "owner" }),
        or(
          eq(envelopes.deletionAnnouncedAt, now),
          // Its run failed before the notice was queued.
          noNotice(sql`>= ${envelopes.deletionAnnouncedAt}`),
          repeatBefore === null
            ? undefined
            : and(lte(envelopes.deletionAnnouncedAt, repeatBefore), noNotice(sql`> ${repeatBefore}`)),
        ),
      ),
    );
  return db.insert(notifications).select(notices).onConflictDoNothing({ target: notifications.dedupeKey });
}

type Known = { workspaceId: number; announcedBy: string; now: string };

/** Whether the envelope was announced by then in a workspace of the member, and nobody knows of it. */
const isUnnoticed = (member: Member, { workspaceId, announcedBy }: Known) =>
  and(
    equals(envelopes, { workspaceId, deletionNoticedAt: null }),
    isMember(workspaceId, member),
    isAnnounced,
    lte(envelopes.deletionAnnouncedAt, announcedBy),
  );

/**
 * Records for the first envelopes, in parts, that the owner knows, before `recordDeletionNotice` does for the rest.
 * @returns the id after which the rest begins
 */
export async function recordSomeNotices(
  db: Database,
  member: Member,
  known: Known,
  takeTurn: TakeTurn,
): Promise<number> {
  let after = 0;
  for (; takeTurn; await takeTurn()) {
    const page = await db
      .select({ id: envelopes.id })
      .from(envelopes)
      .where(and(equals(envelopes, { workspaceId: known.workspaceId }), isAnnounced, gt(envelopes.id, after)))
      .orderBy(envelopes.id)
      .limit(ANNOUNCED_AT_ONCE);
    if (page.length < ANNOUNCED_AT_ONCE) break;
    const ids = page.map(({ id }) => id);
    await db
      .update(envelopes)
      .set({ deletionNoticedAt: known.now })
      .where(and(inArray(envelopes.id, listed(ids)), isUnnoticed(member, known)));
    after = ids.at(-1) ?? after;
  }
  return after;
}

/** The statement that records that the owner knows of the deletions of a workspace that were announced by then. */
export const recordDeletionNotice = (db: Database, member: Member, known: Known, after: number): Statement =>
  db
    .update(envelopes)
    .set({ deletionNoticedAt: known.now })
    .where(and(isUnnoticed(member, known), gt(envelopes.id, after)));

/** The statement that lets the notice period begin for those of them that were announced before this time and never noticed. */
export const recordUnseenNotices = (
  db: Database,
  ids: readonly number[],
  { announcedBefore, ...times }: Times & { announcedBefore: string },
): Statement =>
  db
    .update(envelopes)
    .set({ deletionNoticedAt: times.now })
    .where(
      and(
        inArray(envelopes.id, stillWithoutNotice(db, ids, times)),
        lte(envelopes.deletionAnnouncedAt, announcedBefore),
      ),
    );

/** Whether the envelope is announced for deletion in a workspace of the member. */
const isAnnouncedTo = (member: Member) =>
  and(inArray(envelopes.workspaceId, workspacesOf(member)), isAnnounced);

/**
 * Makes the retention of some files begin again, before `resetDeletionNotices` does for the rest.
 * @returns whether there may be more
 */
export async function resetSomeNotices(db: Database, member: Member): Promise<boolean> {
  const some = db
    .select({ id: envelopes.id })
    .from(envelopes)
    .where(isAnnouncedTo(member))
    .limit(ANNOUNCED_AT_ONCE);
  const reset = await db
    .update(envelopes)
    .set(NO_DELETION_NOTICE)
    .where(inArray(envelopes.id, some))
    .returning({ id: envelopes.id });
  return reset.length === ANNOUNCED_AT_ONCE;
}

/** The statement that makes the retention of files begin again with a new notice, in all workspaces of the member. */
export const resetDeletionNotices = (db: Database, member: Member): Statement =>
  db.update(envelopes).set(NO_DELETION_NOTICE).where(isAnnouncedTo(member));

type DeletionNotice = {
  workspaceId: number;
  envelopes: number;
  firstDeletionAt: string;
  announcedAt: string;
  waiting: number;
  unseen: boolean;
};

/** The caller's workspaces with files that were announced for deletion, for the interface. */
export async function listDeletionNotices(
  db: Database,
  member: Member,
  { now, noticeDays, takeTurn }: Times & { takeTurn: (() => Promise<void>) | undefined },
): Promise<DeletionNotice[]> {
  const noticed = sql`coalesce(${envelopes.deletionNoticedAt}, ${now})`;
  const { retentionDays } = workspaces;
  const size = takeTurn ? ANNOUNCED_AT_ONCE : 5000;
  const notices = new Map<number, DeletionNotice>();
  for (let last = { workspaceId: 0, id: 0 }; ; ) {
    await takeTurn?.();
    const page = await db
      .select({
        ...pick(envelopes, "workspaceId", "id"),
        deletionAt: deletionOf(sql`${retentionDays}`, noticed, noticeDays),
        announcedAt: sql<string>`${envelopes.deletionAnnouncedAt}`,
        waits: sql`${awaitsDelivery}`.mapWith(Boolean),
        unseen: sql`${envelopes.deletionNoticedAt} is null`.mapWith(Boolean),
      })
      .from(workspaces)
      .crossJoin(envelopes)
      .where(
        and(
          inArray(workspaces.id, workspacesOf(member)),
          gt(retentionDays, sql`0`),
          gte(workspaces.id, last.workspaceId),
          isAnnounced,
          eq(envelopes.workspaceId, workspaces.id),
          sql`${envelopes.id} > iif(${workspaces.id} = ${last.workspaceId}, ${last.id}, 0)`,
          sql`${envelopes.completedAt} <= ${daysBefore(now, sql`(${retentionDays} - ${noticeDays})`)}`,
        ),
      )
      .orderBy(asc(workspaces.id), asc(envelopes.id))
      .limit(size);
    for (const { workspaceId, deletionAt, announcedAt, waits, unseen } of page) {
      const none = { workspaceId, envelopes: 0, firstDeletionAt: deletionAt, announcedAt, waiting: 0 };
      const notice = notices.get(workspaceId) ?? { ...none, unseen };
      notices.set(workspaceId, notice);
      notice.envelopes += 1;
      if (deletionAt < notice.firstDeletionAt) notice.firstDeletionAt = deletionAt;
      if (announcedAt > notice.announcedAt) notice.announcedAt = announcedAt;
      notice.waiting += Number(waits);
      notice.unseen ||= unseen;
    }
    const end = page.at(-1);
    if (!end || page.length < size) return [...notices.values()];
    last = end;
  }
}

/** The envelopes that a notice created at this time lists and whose files still exist, the first due first. */
export function listAnnouncedDeletions(
  db: Database,
  member: Member,
  notice: { workspaceId: number; createdAt: string; now: string; limit: number },
) {
  return db
    .select({
      ...pick(envelopes, "subject", "title", "recipientName", "customerEmail", "recipientPhone"),
      ...pick(envelopes, "status", "completedAt", "filesDeletedAt"),
      deletionAnnouncedAt: envelopes.deletionAnnouncedAt,
      // The notice period of what nobody knows begins with this notice.
      deletionNoticedAt: sql<string>`coalesce(${envelopes.deletionNoticedAt}, ${notice.now})`,
      retentionDays: workspaces.retentionDays,
      workspaceName: workspaces.name,
      awaitsDelivery: sql<number>`${awaitsDelivery}`.mapWith(Boolean),
    })
    .from(envelopes)
    .innerJoin(workspaces, eq(workspaces.id, envelopes.workspaceId))
    .where(
      and(
        eq(envelopes.workspaceId, notice.workspaceId),
        isMember(notice.workspaceId, member),
        isAnnounced,
        lte(envelopes.deletionAnnouncedAt, notice.createdAt),
        or(isNull(envelopes.deletionNoticedAt), gte(envelopes.deletionNoticedAt, notice.createdAt)),
      ),
    )
    .orderBy(envelopes.completedAt)
    .limit(notice.limit);
}
