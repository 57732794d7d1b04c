import { and, eq, exists, gt, inArray, lt, lte, notExists, notInArray, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { ScheduleMail } from "../../worker/contract/schedules";
import { type Database, runBatch, type Statement } from "../client";
import { violates } from "../errors";
import { envelopes, notifications, scheduleNews, series, users, workspaceMembers } from "../schema";
import { notificationColumns } from "./notifications";
import { equals, listed, pagesAfter, type TakeTurn, valuesOf } from "./query-helpers";

type NewScheduleNews = Omit<typeof scheduleNews.$inferInsert, "id" | "userId"> & {
  /** Guarded, if what it tells must still be so: see `isReaderMissing`. */
  userId: number | SQL<number>;
};

/** The statement that adds a line to the account's next mail about its schedules, for the batch of what it tells. */
export const insertScheduleNews = (db: Database, news: NewScheduleNews): Statement =>
  db.insert(scheduleNews).values(news);

export const isReaderMissing = (error: unknown) => violates(error, "not null", scheduleNews.userId);

/**
 * Who has news for a mail, with their time zone: no account that has scheduled envelopes to look at first, and no workspace
 * whose series are due, unless the news are of before `waitedSince`.
 */
export function listScheduleReaders(
  db: Database,
  { now, waitedSince }: { now: string; waitedSince: string },
) {
  const waiting = alias(scheduleNews, "waiting");
  // An index has them: an account may have a hundred thousand news.
  const due = db
    .selectDistinct({ id: sql<number>`${waiting.userId}`.as("reader_id"), mail: waiting.mail })
    .from(waiting)
    .as("due");
  const told = valuesOf(
    scheduleNews.id,
    and(
      eq(scheduleNews.userId, due.id),
      eq(scheduleNews.mail, due.mail),
      or(
        lt(scheduleNews.createdAt, waitedSince),
        notInArray(scheduleNews.workspaceId, valuesOf(series.workspaceId, lte(series.dueAt, now))),
      ),
    ),
  );
  const unsent = valuesOf(
    envelopes.id,
    and(
      equals(envelopes, { userId: due.id, status: "scheduled", sendClaimedUntil: null }),
      lte(envelopes.sendAt, now),
    ),
  );
  return db
    .select({ userId: users.id, timeZone: users.timeZone, mail: due.mail })
    .from(due)
    .crossJoin(users)
    .where(and(eq(users.id, due.id), exists(told), notExists(unsent)));
}

const LISTED = 100;
/** News that one statement looks at or deletes: others wait for it. Where each statement is a call, more. */
const PART = { inTurn: 1000, atOnce: 5000 };

/**
 * Queues the account's mail of this day with all that is new, unless it has one, and deletes what it tells: in parts where
 * others wait. A process that is killed before all is deleted leaves the rest to the next run.
 */
export async function queueScheduleMail(
  db: Database,
  userId: number,
  { mail, day, now, takeTurn }: { mail: ScheduleMail; day: string; now: string; takeTurn?: TakeTurn },
): Promise<void> {
  const { id, workspaceId } = scheduleNews;
  const key = [mail, userId, day].join(":");
  const own = and(eq(scheduleNews.userId, userId), eq(scheduleNews.mail, mail));
  // None once it is sent.
  const last = sql`(select ${notifications.payload} ->> '$.lastNews' from ${notifications} where ${notifications.dedupeKey} = ${key})`;
  const limit = takeTurn ? PART.inTurn : PART.atOnce;
  const some = db
    .select({ id })
    .from(scheduleNews)
    .where(and(own, sql`${id} <= ${last}`))
    .limit(limit);
  const deleteSome = () => db.delete(scheduleNews).where(inArray(id, some)).returning({ id });
  const queued = await db
    .select({ id: notifications.id })
    .from(notifications)
    .where(eq(notifications.dedupeKey, key));
  if (queued.length === 0) {
    const isOutside = notInArray(
      workspaceId,
      valuesOf(workspaceMembers.workspaceId, eq(workspaceMembers.userId, userId)),
    );
    let seen = 0;
    const readPart = async (after: number) => {
      await takeTurn?.();
      return db
        .select({ id })
        .from(scheduleNews)
        .where(and(own, gt(id, after)))
        .orderBy(id)
        .limit(PART.inTurn);
    };
    if (takeTurn)
      for await (const part of pagesAfter(PART.inTurn, readPart)) {
        await db.delete(scheduleNews).where(and(inArray(id, listed(part.map((news) => news.id))), isOutside));
        seen = part.at(-1)?.id ?? seen;
      }
    const all = (column: SQL) => sql`(select ${column} from ${scheduleNews} where ${own})`;
    const lines = sql`(select json_group_array(json(news)) from (select json_set(${scheduleNews.news}, '$.workspaceId', ${workspaceId}) as news from ${scheduleNews} where ${own} order by ${id} limit ${LISTED}))`;
    const row = db
      .select(
        notificationColumns({
          kind: mail,
          payload: {
            news: sql`json(${lines})`,
            count: all(sql`count(*)`),
            lastNews: all(sql`max(${id})`),
          },
          dedupeKey: sql`${key}`,
          now,
        }),
      )
      .from(users)
      .where(and(eq(users.id, userId), sql`exists ${all(sql`1`)}`));
    await runBatch(db, [
      db.delete(scheduleNews).where(and(own, gt(id, seen), isOutside)),
      db.insert(notifications).select(row).onConflictDoNothing({ target: notifications.dedupeKey }),
      // In the same batch, so that no mail tells again what this one does; of more than a part, the rest is not in its list.
      deleteSome(),
    ]);
  }
  for (let deleted = limit; deleted === limit; ) {
    await takeTurn?.();
    deleted = (await deleteSome()).length;
  }
}
