import { and, asc, eq, getTableColumns, inArray, or, type SQL, sql } from "drizzle-orm";
import { SERVER_LIMITS } from "../../worker/contract/limits";
import type { Role } from "../../worker/contract/options";
import type { Database, Statement } from "../client";
import { violates } from "../errors";
import {
  contacts,
  envelopeDocuments,
  envelopes,
  series,
  templates,
  workspaceMembers,
  workspaces,
} from "../schema";
import { users } from "../schema/users";
import { isBelowLimit } from "./account-guards";
import { laterThan } from "./changed-meanwhile";
import { failedDeliveries, stoppedDestinations } from "./delivery-problems";
import { onlyWhile } from "./guard";
import { type KeyClaim, recordKeyedResource } from "./idempotency-keys";
import { asColumn, jsonRowUnlessNull } from "./json-row";
import { insertFirstOwners, isMember, type Member, workspacesOf } from "./members";
import { hasRows } from "./query-helpers";

type LogoSize = { width: number; height: number };

/** A workspace, the caller's role in it, and the number of its members. */
export type Workspace = Pick<typeof workspaces.$inferSelect, keyof typeof stored> & {
  logo: LogoSize | null;
  role: Role;
  memberCount: number;
  hasSchedules: boolean;
  hasFailedDeliveries: boolean;
  hasStoppedDestination: boolean;
};
const {
  deletedAt: _deletedAt,
  setAsideAt: _setAsideAt,
  storageQuota: _storageQuota,
  logoUrl: _url,
  logoMimeType: _type,
  logoSize: _size,
  logoWidth,
  logoHeight,
  ...stored
} = getTableColumns(workspaces);
const columns = {
  ...stored,
  // A logo has a size.
  logo: asColumn(
    jsonRowUnlessNull(workspaces.logoUrl, { width: logoWidth, height: logoHeight }),
  ) as SQL<LogoSize | null>,
};
type NewWorkspace = Omit<typeof workspaces.$inferInsert, "id" | "userId">;

/** The workspaces in which the caller has the role, the oldest membership first: the first one is the default. */
export const listWorkspaces = (db: Database, member: Member) =>
  selectWorkspaces(db, member).orderBy(...OLDEST_FIRST);

/** The id of the default workspace of those in which the caller has the role; undefined if there is none. */
export async function findDefaultWorkspace(db: Database, member: Member): Promise<number | undefined> {
  const { userId, workspaceId } = workspaceMembers;
  const [first] = await db
    .select({ workspaceId })
    .from(workspaceMembers)
    .where(and(eq(userId, member.userId), inArray(workspaceId, workspacesOf(member))))
    .orderBy(...OLDEST_FIRST)
    .limit(1);
  return first?.workspaceId;
}

const OLDEST_FIRST = [asc(workspaceMembers.createdAt), sql`${workspaceMembers}.rowid`] as const;

export const findWorkspace = (db: Database, member: Member, id: number) =>
  selectOwnWorkspace(db, member, id).get();

/** The query of `findWorkspace`, for the batch that changes the workspace. */
export const selectOwnWorkspace = (db: Database, member: Member, id: number) =>
  selectWorkspaces(db, member, eq(workspaces.id, id));

const has = (table: SQL, condition = sql``) =>
  sql`exists (select 1 from ${table} as inside where inside.workspace_id = ${workspaces.id}${condition})`;
/** Whether there is anything on the page of schedules, each found by an index. */
const hasSchedules =
  sql<boolean>`(${has(sql`${envelopes}`, sql` and inside.status = 'scheduled'`)} or ${has(sql`${series}`)} or ${has(sql`${envelopeDocuments}`)})`.mapWith(
    Boolean,
  );

const selectWorkspaces = (db: Database, member: Member, which?: SQL) =>
  db
    .select({
      ...columns,
      role: workspaceMembers.role,
      hasSchedules,
      memberCount: sql<number>`(select count(*) from ${workspaceMembers} as other where other.workspace_id = ${workspaces.id})`,
      hasFailedDeliveries: sql`exists (${failedDeliveries(workspaces.id)})`.mapWith(Boolean),
      hasStoppedDestination: sql`exists (${stoppedDestinations(workspaces.id)})`.mapWith(Boolean),
    })
    .from(workspaceMembers)
    .innerJoin(workspaces, eq(workspaces.id, workspaceMembers.workspaceId))
    .where(
      and(eq(workspaceMembers.userId, member.userId), inArray(workspaces.id, workspacesOf(member)), which),
    );

const own = (member: Member, id: number) => and(eq(workspaces.id, id), isMember(workspaces.id, member));

/** The id of a workspace in which the caller has the role, or NULL if there is none. */
export const ownWorkspace = (member: Member, id: number) =>
  sql<number>`(select ${id} where ${isMember(id, member)})`;

/** Whether a row was not written because the workspace of `ownWorkspace` no longer exists. */
export const isWorkspaceMissing = (error: unknown) =>
  [contacts, templates, envelopes].some(({ workspaceId }) => violates(error, "not null", workspaceId));

export async function insertWorkspace(
  db: Database,
  userId: number,
  workspace: NewWorkspace,
  claim?: KeyClaim,
): Promise<Workspace> {
  const insert = db
    .insert(workspaces)
    .values({
      ...workspace,
      userId: onlyWhile(isBelowLimit(workspaces, userId, SERVER_LIMITS.workspacesPerAccount), userId),
    })
    .returning(stored);
  const [[row]] = await db.batch([insert, ...recordKeyedResource(db, claim), insertFirstOwners(db, userId)]);
  if (!row) throw new Error("The workspace was not inserted");
  return {
    ...row,
    logo: null,
    role: "owner",
    memberCount: 1,
    hasSchedules: false,
    hasFailedDeliveries: false,
    hasStoppedDestination: false,
  };
}

/** The statements that create the workspace of an account that the batch creates. */
export function insertFirstWorkspace(
  db: Database,
  userId: SQL<number>,
  workspace: NewWorkspace,
): Statement[] {
  return [db.insert(workspaces).values({ ...workspace, userId }), insertFirstOwners(db, userId)];
}

/** Whether the caller's workspace has another value than one of these. */
export function isWorkspaceChange(member: Member, id: number, changes: Partial<NewWorkspace>): SQL {
  const all = getTableColumns(workspaces);
  const different = Object.entries(changes).map(([name, value]) => {
    const column = all[name as keyof typeof changes];
    return sql`${column} is not ${sql.param(value, column)}`;
  });
  return sql`exists (select 1 from ${workspaces} where ${own(member, id)} and (${or(sql`0`, ...different)}))`;
}

/** The statement that changes the workspace; `updateRetention` changes its retention. */
export function updateWorkspace(
  db: Database,
  member: Member,
  id: number,
  changes: Partial<Omit<NewWorkspace, "retentionDays" | "updatedAt">>,
  now: string,
): Statement {
  const updatedAt = laterThan(workspaces.updatedAt, now);
  return db
    .update(workspaces)
    .set({ ...changes, updatedAt })
    .where(own(member, id));
}

/** Stores the workspace as the account's last selected one. @returns whether it is the caller's */
export const selectWorkspace = (db: Database, member: Member, id: number) =>
  hasRows(
    db
      .update(users)
      .set({ lastWorkspaceId: id })
      .where(and(eq(users.id, member.userId), isMember(id, member)))
      .returning({ id: users.id }),
  );
