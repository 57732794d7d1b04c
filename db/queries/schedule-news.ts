import { and, eq, lt, lte, notExists, notInArray, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { ScheduleMail } from "../../worker/contract/schedules";
import type { Database, Statement } from "../client";
import { violates } from "../errors";
import { envelopes, notifications, scheduleNews, series, users, workspaceMembers } from "../schema";
import { notificationColumns } from "./notifications";
import { equals, valuesOf } from "./query-helpers";

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
  const unsent = valuesOf(
    envelopes.id,
    and(
      equals(envelopes, { userId: waiting.userId, status: "scheduled", sendClaimedUntil: null }),
      lte(envelopes.sendAt, now),
    ),
  );
  const due = valuesOf(series.workspaceId, lte(series.dueAt, now));
  return db
    .selectDistinct({ userId: users.id, timeZone: users.timeZone, mail: waiting.mail })
    .from(waiting)
    .crossJoin(users)
    .where(
      and(
        eq(users.id, waiting.userId),
        or(lt(waiting.createdAt, waitedSince), notInArray(waiting.workspaceId, due)),
        notExists(unsent),
      ),
    );
}

const LISTED = 100;

/** Statements that queue the account's mail of this day with all that is new, unless it has one, and delete what it tells. */
export function queueScheduleMail(
  db: Database,
  userId: number,
  { mail, day, now }: { mail: ScheduleMail; day: string; now: string },
): Statement[] {
  const key = [mail, userId, day].join(":");
  const own = and(eq(scheduleNews.userId, userId), eq(scheduleNews.mail, mail));
  const isInside = sql`exists (select 1 from ${workspaceMembers} where ${workspaceMembers.workspaceId} = ${scheduleNews.workspaceId} and ${workspaceMembers.userId} = ${userId})`;
  const all = (column: SQL) => sql`(select ${column} from ${scheduleNews} where ${own})`;
  const listed = sql`(select json_group_array(json(news)) from (select json_set(${scheduleNews.news}, '$.workspaceId', ${scheduleNews.workspaceId}) as news from ${scheduleNews} where ${own} order by ${scheduleNews.id} limit ${LISTED}))`;
  const row = db
    .select(
      notificationColumns({
        kind: mail,
        payload: {
          news: sql`json(${listed})`,
          count: all(sql`count(*)`),
          lastNews: all(sql`max(${scheduleNews.id})`),
        },
        dedupeKey: sql`${key}`,
        now,
      }),
    )
    .from(users)
    .where(and(eq(users.id, userId), sql`exists ${all(sql`1`)}`));
  const told = sql`(select ${notifications.payload} ->> '$.lastNews' from ${notifications} where ${notifications.dedupeKey} = ${key})`;
  return [
    db.delete(scheduleNews).where(and(own, sql`not ${isInside}`)),
    db.insert(notifications).select(row).onConflictDoNothing({ target: notifications.dedupeKey }),
    db.delete(scheduleNews).where(and(own, sql`${scheduleNews.id} <= ${told}`)),
  ];
}
