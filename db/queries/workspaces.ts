import { and, asc, eq, sql } from "drizzle-orm";
import { LIMITS } from "../../worker/contract/limits";
import type { Database, Statement } from "../client";
import { conflictOf, violates } from "../errors";
import { contacts, envelopes, templates, workspaces } from "../schema";
import { users } from "../schema/users";
import { ownerBelowLimit } from "./account-limits";
import { type KeyClaim, recordKeyedResource } from "./idempotency-keys";
import { prepared } from "./prepared";

export type Workspace = typeof workspaces.$inferSelect;
type NewWorkspace = Omit<typeof workspaces.$inferInsert, "id" | "userId">;

const ownWorkspaces = prepared((db) =>
  db.query.workspaces
    .findMany({ where: eq(workspaces.userId, sql.placeholder("userId")), orderBy: asc(workspaces.id) })
    .prepare(),
);

/** Oldest first: the first one is the default. */
export async function listWorkspaces(db: Database, userId: number): Promise<Workspace[]> {
  return ownWorkspaces(db).all({ userId });
}

export async function findWorkspace(
  db: Database,
  userId: number,
  id: number,
): Promise<Workspace | undefined> {
  return db.query.workspaces.findFirst({ where: and(eq(workspaces.userId, userId), eq(workspaces.id, id)) });
}

/** The id of the caller's workspace, or NULL if it no longer exists. */
export const ownWorkspace = (userId: number, id: number) =>
  sql<number>`(select ${workspaces.id} from ${workspaces} where ${workspaces.id} = ${id} and ${workspaces.userId} = ${userId})`;

/** Whether a row was not written because the workspace of `ownWorkspace` no longer exists. */
export const isWorkspaceMissing = (error: unknown) =>
  [contacts, templates, envelopes].some(({ workspaceId }) => violates(error, "not null", workspaceId));

/** Whether a workspace was not created because its account no longer exists. */
export const isWorkspaceWithoutAccount = (error: unknown) => conflictOf(error)?.kind === "foreign key";

export async function insertWorkspace(
  db: Database,
  userId: number,
  workspace: NewWorkspace,
  claim?: KeyClaim,
): Promise<Workspace> {
  const insert = db
    .insert(workspaces)
    .values({ ...workspace, userId: ownerBelowLimit(workspaces, userId, LIMITS.workspacesPerAccount) })
    .returning();
  const [[row]] = await db.batch([insert, ...recordKeyedResource(db, claim)]);
  if (!row) throw new Error("The workspace was not inserted");
  return row;
}

/** The id of the account with this e-mail address, for the batch that creates it. */
export const ownerByEmail = (email: string) =>
  sql<number>`(select ${users.id} from ${users} where ${users.email} = ${email})`;

export function insertFirstWorkspace(db: Database, email: string, workspace: NewWorkspace): Statement {
  return db.insert(workspaces).values({ ...workspace, userId: ownerByEmail(email) });
}

/** The statement that sets the workspace's rule for file names. */
export function updateFileNameRule(
  db: Database,
  userId: number,
  id: number,
  { fileNameRule, now }: { fileNameRule: string | null; now: string },
): Statement {
  return db
    .update(workspaces)
    .set({ fileNameRule, updatedAt: now })
    .where(and(eq(workspaces.userId, userId), eq(workspaces.id, id)));
}

/** Stores the workspace as the account's last selected one. @returns whether it is the account's */
export async function selectWorkspace(db: Database, userId: number, id: number): Promise<boolean> {
  const rows = await db
    .update(users)
    .set({ lastWorkspaceId: id })
    .where(and(eq(users.id, userId), sql`${ownWorkspace(userId, id)} is not null`))
    .returning({ id: users.id });
  return rows.length > 0;
}
