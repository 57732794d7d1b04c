import { and, eq, gt, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Role } from "../../worker/contract/options";
import type { Database, Statement } from "../client";
import {
  apiTokens,
  contacts,
  destinations,
  envelopes,
  series,
  templates,
  users,
  webhooks,
  workspaceMembers,
  workspaces,
} from "../schema";
import { prepared } from "./query-helpers";

/**
 * Who calls, and the least role that the call asks for. Every query about the contents of workspaces takes it first and
 * joins it in its own statement, so that whoever is removed has no access from the next statement on.
 */
export type Member = {
  userId: number;
  role: Role;
  /** The only workspace that an API token may use. */
  workspaceId?: number;
};

/** A table whose rows belong to a workspace. */
export type ScopedTable = SQLiteTable & { id: SQLiteColumn; workspaceId: SQLiteColumn };

const TABLES = {
  contact: contacts,
  template: templates,
  envelope: envelopes,
  webhook: webhooks,
  series,
  destination: destinations,
} satisfies Record<string, ScopedTable>;

/** A workspace, or a row that belongs to one. */
export type ScopedRow = { kind: keyof typeof TABLES | "workspace"; id: number };

/** The condition on `role` in `workspace_members`. */
export const HAS_ROLE: Record<Role, SQL> = {
  owner: sql.raw(" and me.role = 'owner'"),
  member: sql.raw(" and me.role <> 'viewer'"),
  viewer: sql.raw(""),
};

/** The caller's memberships with the role, as rows `me`: the part of a query after SELECT. */
const memberships = ({ userId, role, workspaceId }: Member) => {
  const only = workspaceId === undefined ? sql`` : sql` and me.workspace_id = ${workspaceId}`;
  return sql`from ${workspaceMembers} as me where me.user_id = ${userId}${HAS_ROLE[role]}${only}`;
};

/** Whether the caller has the role in the row's workspace. */
export const isMember = (workspaceId: SQLiteColumn | SQL | number, member: Member): SQL =>
  sql`exists (select 1 ${memberships(member)} and me.workspace_id = ${workspaceId})`;

/** The ids of the workspaces in which the caller has the role. */
export const workspacesOf = (member: Member): SQL => sql`(select me.workspace_id ${memberships(member)})`;

export async function listMemberships(db: Database, member: Member): Promise<number[]> {
  const rows = await db.all<{ id: number }>(sql`select me.workspace_id as id ${memberships(member)}`);
  return rows.map(({ id }) => id);
}

/** The id of a member or owner of the workspace, to whom its envelopes can be assigned; NULL if they are none. */
export const assigneeIn = (workspaceId: SQLiteColumn | SQL | number, userId: SQLiteColumn | SQL | number) =>
  sql<number>`(select to_.user_id from ${workspaceMembers} as to_ where to_.workspace_id = ${workspaceId} and to_.user_id = ${userId} and to_.role <> 'viewer')`;

/** Whether the workspace has an owner whose account is enabled. */
export const hasEnabledOwner = (workspaceId: SQLiteColumn): SQL =>
  sql`exists (select 1 from ${workspaceMembers} as me join ${users} as person on person.id = me.user_id where me.workspace_id = ${workspaceId} and me.role = 'owner' and person.disabled_at is null)`;

/** Whether the account of the joined assignee is disabled, and no owner of the workspace is enabled. */
export const isAssigneeDisabled = (workspaceId: SQLiteColumn) =>
  sql<boolean>`(${users.disabledAt} is not null and not ${hasEnabledOwner(workspaceId)})`.mapWith(Boolean);

/** Whether the workspace is not being deleted: its rows may still be there, although nobody has access to them. */
export const isOpenWorkspace = (workspaceId: SQLiteColumn | SQL): SQL =>
  sql`exists (select 1 from ${workspaces} as here where here.id = ${workspaceId} and here.deleted_at is null)`;

/** The caller's role in the workspace of a row, whatever the call asks for; undefined if it is not theirs. */
export async function findRole(
  db: Database,
  { userId, workspaceId }: Member,
  { kind, id }: ScopedRow,
): Promise<Role | undefined> {
  const table = kind === "workspace" ? undefined : TABLES[kind];
  const ofRow = table ? sql`(select ${table.workspaceId} from ${table} where ${table.id} = ${id})` : id;
  const anyRole: Member = { userId, role: "viewer", ...(workspaceId !== undefined && { workspaceId }) };
  const [found] = await db.all<{ role: Role }>(
    sql`select me.role as role ${memberships(anyRole)} and me.workspace_id = ${ofRow}`,
  );
  return found?.role;
}

const editedWorkspaces = prepared((db) =>
  db
    .select({ workspaceId: workspaceMembers.workspaceId })
    .from(workspaceMembers)
    .where(and(eq(workspaceMembers.userId, sql.placeholder("userId")), ne(workspaceMembers.role, "viewer")))
    .prepare(),
);

/** The workspaces whose contents the account may change. */
export async function listEditedWorkspaces(db: Database, userId: number): Promise<number[]> {
  const rows = await editedWorkspaces(db).all({ userId });
  return rows.map(({ workspaceId }) => workspaceId);
}

/**
 * The statement that ends an account's API tokens that are limited to this workspace, unless it is a member: they ended with
 * its earlier membership. Precedes the one that makes it a member.
 */
export const expireEarlierTokens = (
  db: Database,
  userId: number | SQL<number>,
  workspaceId: number,
  now: string,
): Statement =>
  db
    .update(apiTokens)
    .set({ expiresAt: now })
    .where(
      and(
        ...[eq(apiTokens.userId, userId), eq(apiTokens.workspaceId, workspaceId)],
        or(isNull(apiTokens.expiresAt), gt(apiTokens.expiresAt, now)),
        sql`not exists (select 1 from ${workspaceMembers} as me where me.workspace_id = ${workspaceId} and me.user_id = ${userId})`,
      ),
    );

/** The statement that makes these accounts the owners of the workspaces that the batch has created for them. */
export function insertFirstOwners(db: Database, accounts: number | SQL): Statement {
  const created = sql`${workspaces.userId} in (${accounts}) and ${workspaces.deletedAt} is null and not exists (select 1 from ${workspaceMembers} where ${workspaceMembers.workspaceId} = ${workspaces.id})`;
  return db
    .insert(workspaceMembers)
    .select(
      sql`select ${workspaces.id}, ${workspaces.userId}, 'owner', ${workspaces.createdAt} from ${workspaces} where ${created}`,
    );
}
