import { afterAll, beforeAll, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { runBatch } from "../../db/client";
import { closeWorkspace, deleteWorkspace } from "../../db/queries/deletions";
import type { Member } from "../../db/queries/members";
import { deleteMember, isMemberKept } from "../../db/queries/membership";
import { insertUser } from "../../db/queries/users";
import { insertWorkspace } from "../../db/queries/workspaces";
import { dueLinks, envelopeEvents, envelopes, users, workspaceMembers, workspaces } from "../../db/schema";
import { continueAccountDeletion } from "../../worker/features/workspaces/deletion-in-parts";
import { createClient } from "../support/api/client";
import { startBunRuntime } from "../support/runtime/bun-runtime";
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

test("what is assigned to a member who is removed, or made a viewer, is reassigned in parts", async () => {
  const runtime = await startBunRuntime({ rateLimits: "off" });
  const { deps } = runtime;
  const [ada, ben] = [createClient(runtime), createClient(runtime)];
  const idOf = async (client: typeof ada, name: string) =>
    (await client.post("/api/register", { email: `${name}@example.com`, password: "a long password" })).body
      .id;
  const [adaId, benId] = [await idOf(ada, "ada"), await idOf(ben, "ben")];
  const [{ id: workspaceId }] = (await ada.get("/api/workspaces")).body;
  const parts: number[] = [];
  const count = () => deps.db.$count(envelopes, eq(envelopes.userId, benId));
  deps.takeTurn = async () => {
    parts.push(await count());
  };
  // Of each of the links that the member was given by others, too.
  const replaced = async () =>
    (await deps.db.$count(dueLinks)) +
    (await deps.db.$count(envelopeEvents, eq(envelopeEvents.kind, "link_replaced")));
  for (const change of ["remove", "demote"]) {
    await deps.db
      .insert(workspaceMembers)
      .values({ workspaceId, userId: benId, role: "member", createdAt: AT })
      .onConflictDoNothing();
    await deps.db.run(
      sql`insert into envelopes (user_id, created_by, workspace_id, title, description, customer_email, submission_token, created_at, updated_at) select ${benId}, ${adaId}, ${workspaceId}, '', '', 'a@example.com', ${change} || key, '', '' from json_each(${JSON.stringify(Array(2500).fill(0))})`,
    );
    parts.length = 0;
    const path = `/api/workspaces/${workspaceId}/members/${benId}`;
    const { status } =
      change === "remove"
        ? await ada.delete(`${path}?replaceLinks=own`)
        : await ada.patch(path, { role: "viewer" });
    expect([status, [...new Set(parts)].slice(0, 3), await count()]).toEqual([
      change === "remove" ? 204 : 200,
      [2500, 2200, 1900],
      0,
    ]);
    if (change === "remove") expect(await replaced()).toBe(2500);
    await deps.db.delete(dueLinks);
  }
  expect(await deps.db.$count(envelopes, eq(envelopes.userId, adaId))).toBe(5000);
  await runtime.stop();
});

test("what is assigned to an account that is deleted is passed on in parts", async () => {
  const runtime = await startBunRuntime({ rateLimits: "off" });
  const { db } = runtime.deps;
  const [ada, ben] = [createClient(runtime), createClient(runtime)];
  const password = "a long password";
  const { id: adaId } = (await ada.post("/api/register", { email: "ada@example.com", password })).body;
  const { id: benId } = (await ben.post("/api/register", { email: "ben@example.com", password })).body;
  const [{ id: workspaceId }] = (await ada.get("/api/workspaces")).body;
  await db.insert(workspaceMembers).values({ workspaceId, userId: benId, role: "member", createdAt: AT });
  await db.run(
    sql`insert into envelopes (user_id, workspace_id, title, description, customer_email, submission_token, created_at, updated_at) select ${benId}, ${workspaceId}, '', '', 'a@example.com', key, '', '' from json_each(${JSON.stringify(Array(2500).fill(0))})`,
  );
  const rest = () => db.$count(envelopes, eq(envelopes.userId, benId));
  expect((await ben.delete("/api/user/account")).status).toBe(204);
  expect((await ben.get("/api/user")).status).toBe(401);
  const parts = [await rest()];
  for (; (await db.$count(users, eq(users.id, benId))) > 0; parts.push(await rest()))
    await continueAccountDeletion(runtime.deps, benId);
  expect(parts).toEqual([2500, 2200, 1900, 1600, 1300, 1000, 700, 400, 100, 0]);
  expect(await db.$count(envelopes, eq(envelopes.userId, adaId))).toBe(2500);
  await runtime.stop();
});

test("whoever is removed right after a change of a series reads what they have changed", async () => {
  const runtime = await startBunRuntime({ rateLimits: "off" });
  const { db } = runtime.deps;
  const [ada, ben] = [createClient(runtime), createClient(runtime)];
  const password = "a long password";
  await ada.post("/api/register", { email: "ada@example.com", password });
  const { id: userId } = (await ben.post("/api/register", { email: "ben@example.com", password })).body;
  await db.run(sql`update users set is_verified = 1, verified_by_owner = 1`);
  const [{ id: workspaceId }] = (await ada.get("/api/workspaces")).body;
  const batch = db.batch.bind(db);
  /** Ben's call, after whose first batch that changes something he is removed. */
  const changedByBen = async (call: () => Promise<{ status: number; body: { id: number } }>) => {
    await db.insert(workspaceMembers).values({ workspaceId, userId, role: "member", createdAt: AT });
    const written = async () =>
      JSON.stringify(await db.all(sql`select id, updated_at, next_number from series`));
    const before = await written();
    Object.assign(db, {
      batch: async (statements: never) => {
        const result = await batch(statements);
        if ((await written()) !== before)
          await db.delete(workspaceMembers).where(eq(workspaceMembers.userId, userId));
        return result;
      },
    });
    const { status, body } = await call();
    Object.assign(db, { batch });
    await runtime.finishBackgroundWork();
    return [status, body.id] as const;
  };
  const [first, second] = ["c", "d"].map((name) => ({
    recipientName: name,
    recipientEmail: `${name}@example.com`,
  }));
  const rule = { name: "Monthly", every: 1, unit: "month", startOn: "2126-03-31" };
  const envelope = { subject: "Papers", documents: [{ name: "Payslip" }] };
  const created = { ...rule, workspaceId, envelope, recipients: [first] };
  const [status, id = 0] = await changedByBen(() => ben.post("/api/series", created));
  expect(status).toBe(201);
  const path = `/api/series/${id}`;
  const changes = [
    () => ben.patch(path, { name: "Each month" }),
    () => ben.post(`${path}/recipients`, { recipients: [second] }),
    () => ben.post(`${path}/skip`, {}),
    () => ben.post(`${path}/run`, {}),
  ];
  for (const change of changes) {
    expect(await changedByBen(change)).toEqual([200, id]);
    expect((await ben.get(path)).status).toBe(404);
  }
  await runtime.stop();
});
