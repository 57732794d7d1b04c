import { and, desc, eq, lt, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { ActivityTarget, ActivityType } from "../../worker/contract/members";
import type { Database, Statement } from "../client";
import { users, workspaceActivity } from "../schema";
import { isMember, type Member } from "./members";
import { pageOf } from "./query-helpers";

/** The statement that records what the caller did, if the condition holds. */
export function insertActivity(
  db: Database,
  caller: { userId: number | SQL<number> },
  entry: { workspaceId: number | SQL<number>; type: ActivityType; target: SQL; now: string },
  condition: SQL = sql`1`,
): Statement {
  const { workspaceId, type, target, now } = entry;
  return db.insert(workspaceActivity).select(
    // All columns in table order, as `insert … select` requires.
    sql`select null, ${workspaceId}, ${type}, ${users.id}, ${NAME_OF_USER}, ${target}, ${now} from ${users} where ${users.id} = ${caller.userId} and ${condition}`,
  );
}

export const fullName = (table: string) =>
  sql.raw(`nullif(trim(ifnull(${table}.first_name, '') || ' ' || ifnull(${table}.last_name, '')), '')`);

export const NAME_OF_USER = sql`ifnull(${fullName("users")}, ${users.email})`;

/** A person as the target of an activity. */
export const personTarget = (userId: number | SQL<number>) =>
  sql<string>`(select json_object('id', person.id, 'name', ${fullName("person")}, 'email', person.email) from ${users} as person where person.id = ${userId})`;

/** Anything else as the target of an activity. */
export const activityTarget = (target: ActivityTarget) => sql`${JSON.stringify(target)}`;

/** The latest activity of a workspace; none if the caller is no owner. */
export async function listActivity(
  db: Database,
  member: Member,
  workspaceId: number,
  { limit, cursor }: { limit: number; cursor?: number | undefined },
) {
  const account = alias(users, "account");
  return pageOf(
    db
      .select({
        id: workspaceActivity.id,
        type: workspaceActivity.type,
        userId: account.id,
        name: workspaceActivity.actorName,
        target: workspaceActivity.target,
        createdAt: workspaceActivity.createdAt,
      })
      .from(workspaceActivity)
      .leftJoin(account, eq(account.id, workspaceActivity.actorId))
      .where(
        and(
          eq(workspaceActivity.workspaceId, workspaceId),
          isMember(workspaceId, member),
          cursor === undefined ? undefined : lt(workspaceActivity.id, cursor),
        ),
      )
      .orderBy(desc(workspaceActivity.id)),
    limit,
  );
}

/** The statement that deletes activity recorded before then, and all but the latest `limit` entries of each workspace. */
export function deleteOldActivity(
  db: Database,
  { before, limit }: { before: string; limit: number },
): Statement {
  const numbered = sql`select id, row_number() over (partition by workspace_id order by id desc) as nth from ${workspaceActivity}`;
  return db
    .delete(workspaceActivity)
    .where(
      or(
        lt(workspaceActivity.createdAt, before),
        sql`${workspaceActivity.id} in (select id from (${numbered}) where nth > ${limit})`,
      ),
    );
}
