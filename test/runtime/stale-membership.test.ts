import { afterAll, beforeAll, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { runBatch } from "../../db/client";
import { closeWorkspace, deleteWorkspace } from "../../db/queries/deletions";
import type { Member } from "../../db/queries/members";
import { deleteMember, isMemberKept } from "../../db/queries/membership";
import { insertUser } from "../../db/queries/users";
import { insertWorkspace } from "../../db/queries/workspaces";
import { workspaceMembers, workspaces } from "../../db/schema";
import { openMigrated } from "../support/runtime/migrated";

const AT = "2026-03-14T09:26:53.000Z";
const SHARED = 1;
const owner = (userId: number): Member => ({ userId, role: "owner" });

let database: Awaited<ReturnType<typeof openMigrated>>;
beforeAll(async () => {
  database = await openMigrated();
});
afterAll(() => database.close());

test("an owner who was removed between the look-up and the batch cannot delete the workspace", async () => {
  const { db } = database;
  for (const [index, name] of ["ada", "ben"].entries()) {
    await runBatch(db, [insertUser(db, { email: `${name}@example.com`, password: "", createdAt: AT })]);
    await insertWorkspace(db, index + 1, { name, createdAt: AT, updatedAt: AT });
    await insertWorkspace(db, index + 1, { name: `Second of ${name}`, createdAt: AT, updatedAt: AT });
  }
  await db.insert(workspaceMembers).values({ workspaceId: SHARED, userId: 2, role: "owner", createdAt: AT });

  const batches = [deleteWorkspace, closeWorkspace].map((statements) => statements(db, owner(2), SHARED, AT));
  const removal = { assignTo: undefined, now: AT };
  await runBatch(db, deleteMember(db, owner(1), { workspaceId: SHARED, userId: 2 }, removal));
  for (const batch of batches) {
    const error: unknown = await runBatch(db, batch).catch((reason: unknown) => reason);
    expect(isMemberKept(error)).toBe(true);
  }
  expect(await db.select().from(workspaces).where(eq(workspaces.id, SHARED))).toMatchObject([
    { deletedAt: null },
  ]);
  const members = await db.select().from(workspaceMembers).where(eq(workspaceMembers.workspaceId, SHARED));
  expect(members.map(({ userId }) => userId)).toEqual([1]);
});
