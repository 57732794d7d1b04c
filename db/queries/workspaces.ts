import { and, asc, eq, sql } from "drizzle-orm";
import type { Database, Statement } from "../client";
import { workspaces } from "../schema";
import { users } from "../schema/users";
import { prepared } from "./prepared";

export type Workspace = typeof workspaces.$inferSelect;
type NewWorkspace = Omit<typeof workspaces.$inferInsert, "id" | "userId">;

const ownWorkspaces = prepared((db) =>
  db.query.workspaces
    .findMany({ where: eq(workspaces.userId, sql.placeholder("userId")), orderBy: asc(workspaces.id) })
    .prepare(),
);

/** Oldest first: the first is the one that is used where none is named. */
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

/** The id of the account with this e-mail, for the batch that makes the account. */
export const ownerByEmail = (email: string) =>
  sql<number>`(select ${users.id} from ${users} where ${users.email} = ${email})`;

export function insertFirstWorkspace(db: Database, email: string, workspace: NewWorkspace): Statement {
  return db.insert(workspaces).values({ ...workspace, userId: ownerByEmail(email) });
}
