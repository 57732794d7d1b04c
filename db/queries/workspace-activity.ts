import { and, desc, eq, inArray, is, lt, lte, notInArray, or, SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import {
  ACTIVITY,
  ACTIVITY_TYPES,
  type ActivityDetail,
  type ActivityKind,
  type ActivityTarget,
  type ActivityType,
} from "../../worker/contract/activity";
import type { ActivityFilter } from "../../worker/contract/members";
import type { Role } from "../../worker/contract/options";
import type { Database, Statement } from "../client";
import { envelopes, users, workspaceActivity, workspaceMembers, workspaces } from "../schema";
import { isMember, type Member } from "./members";
import { pageOf, pick } from "./query-helpers";
import { recipientOf } from "./search";

const ofKinds = (...kinds: ActivityKind[]) => ACTIVITY_TYPES.filter((type) => kinds.includes(ACTIVITY[type]));

type Entry = {
  workspaceId: number | SQL<number>;
  type: ActivityType;
  target: SQL;
  detail?: ActivityDetail | SQL;
  now: string;
};

/** The statement that records what the caller did, if the condition holds. */
export function insertActivity(
  db: Database,
  caller: { userId: number | SQL<number> },
  { workspaceId, target, detail = {}, ...entry }: Entry,
  condition: SQL = sql`1`,
): Statement {
  const details = is(detail, SQL) ? detail : sql`${JSON.stringify(detail)}`;
  return insertRows(db, caller, entry, {
    workspaceId,
    target,
    detail: details,
    more: sql` and ${condition}`,
  });
}

/** The same for each row of `workspace_id`, `target` and `detail` that a query finds. */
export const insertActivities = (
  db: Database,
  caller: { userId: number },
  entry: Pick<Entry, "type" | "now">,
  rows: SQL,
): Statement =>
  insertRows(db, caller, entry, {
    ...{ workspaceId: sql`entry.workspace_id`, target: sql`entry.target`, detail: sql`entry.detail` },
    from: sql` cross join (${rows}) as entry`,
  });

const insertRows = (
  db: Database,
  { userId }: { userId: number | SQL<number> },
  { type, now }: Pick<Entry, "type" | "now">,
  {
    workspaceId,
    target,
    detail,
    from = sql``,
    more = sql``,
  }: Record<"target" | "detail", SQL> & {
    workspaceId: number | SQL;
    from?: SQL;
    more?: SQL;
  },
) =>
  db.insert(workspaceActivity).select(
    // All columns in table order, as `insert … select` requires.
    sql`select null, ${workspaceId}, ${type}, ${users.id}, ${NAME_OF_USER}, ${target}, ${now}, ${detail} from ${users}${from} where ${users.id} = ${userId}${more}`,
  );

/** First and last name; NULL without either. */
export const fullName = (table: string) =>
  sql.raw(`nullif(trim(ifnull(${table}.first_name, '') || ' ' || ifnull(${table}.last_name, '')), '')`);

const NAME_OF_USER = sql`ifnull(${fullName("users")}, ${users.email})`;

/** A changed role as the detail of an activity. */
export const changedRole = (from: SQL, to: Role) =>
  sql`json_object('changes', json_array(json_object('field', 'role', 'from', ${from}, 'to', ${to})))`;

/** A person as the target of an activity. */
export const personTarget = (userId: number | SQL<number>) =>
  sql<string>`(select json_object('id', person.id, 'name', ${fullName("person")}, 'email', person.email) from ${users} as person where person.id = ${userId})`;

/** As the condition of the index. */
const isGone = sql`gone.type in ('member.left', 'member.removed')`;
/** Whoever had an account's password may have left with it; as long ago as "This wasn't me" undoes other things. */
const LATELY = "-7 days";

/** The ids of the account's workspaces, and of those that it has lately left or was removed from; or the only one that is meant. */
export const workspacesLately = (userId: number, now: string, only?: number): SQL =>
  only !== undefined
    ? sql`(${only})`
    : sql`(select me.workspace_id from ${workspaceMembers} as me where me.user_id = ${userId}
    union all select gone.workspace_id from ${workspaceActivity} as gone
      where ${isGone} and gone.created_at >= strftime('%Y-%m-%dT%H:%M:%fZ', ${now}, ${LATELY}) and gone.target ->> '$.id' = ${userId})`;

/** An envelope as the target of an activity. */
export const idTarget = (id: number | SQL<number>) => sql`json_object('id', ${id})`;

/** Anything else as the target of an activity. */
export const activityTarget = (target: ActivityTarget) => sql`${JSON.stringify(target)}`;

/** The envelope with its recipient, or the person, that an entry is about, as it is called now. */
const subjectOf = sql<
  string | null
>`(select ${envelopes.subject} || ifnull(' · ' || ${recipientOf(envelopes)}, '') from ${envelopes} where ${envelopes.id} = ${workspaceActivity.target} ->> '$.id' and ${envelopes.workspaceId} = ${workspaceActivity.workspaceId} and ${inArray(workspaceActivity.type, ofKinds("requests", "files"))})`;
const personOf = sql<
  string | null
>`(select ${fullName("person")} from ${users} as person where person.id = ${workspaceActivity.target} ->> '$.id' and ${inArray(workspaceActivity.type, ofKinds("members"))})`;

/** The latest activity of a workspace; none if the caller is no owner. People are called as they are now. */
export async function listActivity(
  db: Database,
  member: Member,
  workspaceId: number,
  { limit, cursor, kind, person }: ActivityFilter & { limit: number; cursor?: number | undefined },
) {
  const account = alias(users, "account");
  return pageOf(
    db
      .select({
        ...pick(workspaceActivity, "id", "type", "target", "detail", "createdAt"),
        userId: account.id,
        name: sql<string>`ifnull(${fullName("account")}, ${workspaceActivity.actorName})`,
        targetName: sql<string | null>`ifnull(${subjectOf}, ${personOf})`,
      })
      .from(workspaceActivity)
      .leftJoin(account, eq(account.id, workspaceActivity.actorId))
      .where(
        and(
          eq(workspaceActivity.workspaceId, workspaceId),
          isMember(workspaceId, member),
          cursor === undefined ? undefined : lt(workspaceActivity.id, cursor),
          kind && inArray(workspaceActivity.type, ofKinds(kind)),
          person === undefined ? undefined : eq(workspaceActivity.actorId, person),
        ),
      )
      .orderBy(desc(workspaceActivity.id)),
    limit,
  );
}

/** Later rights depend on who joined, left and lost a role, so other entries do not displace these. */
const MEMBERSHIP: ActivityType[] = ["member.joined", "member.role_changed", "member.removed", "member.left"];

/** Workspaces that one statement looks at: of each, it counts up to `limit` entries. */
const LOOKED_AT = 500;
const DELETED_AT_ONCE = 2000;

/**
 * Deletes some of the activity of the next workspace that was recorded before then, or precedes the latest `limit` entries
 * about memberships, or about all else.
 * @param after the last workspace that is done
 * @returns the last one that is done by now; null if all are
 */
export async function deleteSomeOldActivity(
  db: Database,
  { after, before, limit }: { after: number; before: string; limit: number },
): Promise<number | null> {
  const entries = sql`from ${workspaceActivity} as entry where entry.workspace_id`;
  const [page] = await db.all<{ last: number | null; next: number | null }>(sql`
    select max(id) as last, min(iif((select entry.created_at ${entries} = page.id order by entry.id limit 1) < ${before}
      or exists (select 1 ${entries} = page.id limit 1 offset ${limit}), id, null)) as next
    from (select id from ${workspaces} where id > ${after} order by id limit ${LOOKED_AT}) as page`);
  const next = page?.next;
  if (!next) return page?.last ?? null;
  const ofKind = (kind: SQL) =>
    and(
      kind,
      lte(
        workspaceActivity.id,
        sql`(select id from ${workspaceActivity} where workspace_id = ${next} and ${kind} order by id desc limit 1 offset ${limit})`,
      ),
    );
  const old = and(
    eq(workspaceActivity.workspaceId, next),
    or(
      lt(workspaceActivity.createdAt, before),
      ofKind(inArray(workspaceActivity.type, MEMBERSHIP)),
      ofKind(notInArray(workspaceActivity.type, MEMBERSHIP)),
    ),
  );
  const some = db
    .select({ id: workspaceActivity.id })
    .from(workspaceActivity)
    .where(old)
    .limit(DELETED_AT_ONCE);
  const deleted = await db
    .delete(workspaceActivity)
    .where(inArray(workspaceActivity.id, some))
    .returning({ id: workspaceActivity.id });
  return deleted.length < DELETED_AT_ONCE ? next : next - 1;
}
