import { and, asc, eq, sql } from "drizzle-orm";
import type { Database } from "../client";
import { workspaces } from "../schema";
import { users } from "../schema/users";

export type Workspace = typeof workspaces.$inferSelect;
type NewWorkspace = Omit<typeof workspaces.$inferInsert, "id" | "userId">;

/** Oldest first: the first is the one that is used where none is named. */
export async function listWorkspaces(db: Database, userId: number): Promise<Workspace[]> {
  return db.query.workspaces.findMany({ where: eq(workspaces.userId, userId), orderBy: asc(workspaces.id) });
}

export async function findWorkspace(
  db: Database,
  userId: number,
  id: number,
): Promise<Workspace | undefined> {
  return db.query.workspaces.findFirst({ where: and(eq(workspaces.userId, userId), eq(workspaces.id, id)) });
}

export async function insertWorkspace(
  db: Database,
  userId: number,
  workspace: NewWorkspace,
): Promise<Workspace> {
  const [row] = await db
    .insert(workspaces)
    .values({ ...workspace, userId })
    .returning();
  if (!row) throw new Error("The workspace was not inserted");
  return row;
}

/** The first workspace of the account with this e-mail, in the batch that makes the account. */
export function insertFirstWorkspace(db: Database, email: string, workspace: NewWorkspace) {
  const owner = sql<number>`(select ${users.id} from ${users} where ${users.email} = ${email})`;
  return db.insert(workspaces).values({ ...workspace, userId: owner });
}
