import { expect, test } from "bun:test";
import { describeApi } from "../support/api/client";

describeApi("workspaces", (api) => {
  test("a workspace is created and listed after the first one, and other fields have no effect", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    const input = { name: " Clients ", description: " ", id: 1, userId: bob.id, createdAt: "2000-01-01" };
    const { status, body } = await alice.post("/api/workspaces", input);
    expect([status, body]).toMatchObject([
      201,
      { name: " Clients ", description: null, userId: alice.id, role: "owner", memberCount: 1 },
    ]);
    expect([body.id, body.createdAt]).not.toEqual([1, "2000-01-01"]);
    const blank = await alice.post("/api/workspaces", { name: "  " });
    expect([blank.status, blank.body.issues[0].message]).toEqual([400, "Name is required"]);
    const { body: list } = await alice.get("/api/workspaces");
    expect(list.map(({ id }: { id: number }) => id)).toEqual([alice.workspaceId, body.id]);
    expect((await bob.get("/api/workspaces")).body).toHaveLength(1);
  });

  test("who signs up owns their first workspace, and who creates another owns that", async () => {
    const alice = await api.signUp();
    const { body: second } = await alice.post("/api/workspaces", { name: "Second" });
    expect(
      await api.select(
        `select workspace_id, role from workspace_members where user_id = ${alice.id} order by workspace_id`,
      ),
    ).toEqual([
      { workspace_id: alice.workspaceId, role: "owner" },
      { workspace_id: second.id, role: "owner" },
    ]);
  });

  test("a workspace without default file types has the usual ones", async () => {
    const alice = await api.signUp();
    const path = `/api/workspaces/${alice.workspaceId}`;
    const set = async (defaultFileTypes: string[] | null) =>
      (await alice.patch(path, { defaultFileTypes })).body.defaultFileTypes;
    expect(await set(["jpg", "pdf"])).toEqual(["jpg", "pdf"]);
    expect((await alice.patch(path, { name: "Photos" })).body.defaultFileTypes).toEqual(["jpg", "pdf"]);
    expect(await set([])).toBeNull();
    await set(["jpg"]);
    expect(await set(null)).toBeNull();
  });

  test("new rows go to the given workspace, else to the first, and lists can be filtered by workspace", async () => {
    const alice = await api.signUp();
    const { body: second } = await alice.post("/api/workspaces", { name: "Second" });
    const things = [
      ["/api/contacts", { firstName: "Ada" }],
      ["/api/templates", { name: "Taxes", fields: [{ name: "Payslip" }] }],
      ["/api/requests", { isDraft: true }],
    ] as const;
    for (const [path, input] of things) {
      const first = await alice.post(path, input);
      const other = await alice.post(path, { ...input, workspaceId: second.id });
      const explicit = await alice.post(path, { ...input, workspaceId: null });
      expect([first, other, explicit].map(({ body }) => body.workspaceId)).toEqual([
        alice.workspaceId,
        second.id,
        alice.workspaceId,
      ]);
      const ids = async (query: string) =>
        (await alice.get(`${path}${query}`)).body.map(({ id }: { id: number }) => id);
      expect(await ids(`?workspaceId=${second.id}`)).toEqual([other.body.id]);
      expect(await ids(`?workspaceId=${alice.workspaceId}`)).toEqual([explicit.body.id, first.body.id]);
      expect(await ids("")).toEqual([explicit.body.id, other.body.id, first.body.id]);
      expect(await ids("?limit=1")).toEqual([explicit.body.id]);
      expect(await ids(`?limit=1&cursor=${explicit.body.id}`)).toEqual([other.body.id]);
    }
  });

  test("each change of a workspace has a later time, within a millisecond too", async () => {
    const alice = await api.signUp();
    const path = `/api/workspaces/${alice.workspaceId}`;
    const times: string[] = [];
    for (const change of [{ description: "A" }, { description: "B" }, { retentionDays: 30 }])
      times.push((await alice.patch(path, change)).body.updatedAt);
    expect([new Set(times).size, times]).toEqual([3, times.toSorted()]);
  });

  test("another account's workspace and an unknown one are not found by any path", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    const { body: empty } = await bob.post("/api/workspaces", { name: "Empty" });
    await bob.post("/api/contacts", { firstName: "Ada" });
    const { body: draft } = await alice.post("/api/requests", { isDraft: true });
    for (const workspaceId of [bob.workspaceId, empty.id, 999_999]) {
      const responses = [
        await alice.post("/api/contacts", { firstName: "Ada", workspaceId }),
        await alice.post("/api/templates", { name: "Taxes", fields: [{ name: "Payslip" }], workspaceId }),
        await alice.post("/api/requests", { isDraft: true, workspaceId }),
        await alice.put(`/api/requests/${draft.id}`, { ...draft, workspaceId }),
        await alice.get(`/api/contacts?workspaceId=${workspaceId}`),
        await alice.get(`/api/templates?workspaceId=${workspaceId}`),
        await alice.get(`/api/requests?workspaceId=${workspaceId}`),
      ];
      for (const { status, body } of responses)
        expect([status, body]).toEqual([
          404,
          { message: "Workspace not found", code: "workspace_not_found" },
        ]);
    }
  });

  test("the account stores the workspace that was selected last, only its own", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    const last = async () => (await alice.get("/api/user")).body.lastWorkspaceId;
    expect(await last()).toBeNull();
    const { body: second } = await alice.post("/api/workspaces", { name: "Second" });
    const select = (id: number | string) => alice.send("POST", `/api/workspaces/${id}/select`);
    expect((await select(second.id)).status).toBe(204);
    expect(await last()).toBe(second.id);
    for (const foreign of [bob.workspaceId, 999_999, 0, "x"])
      expect((await select(foreign)).body.code).toMatch(/not_found/);
    expect(await last()).toBe(second.id);
    expect((await select(alice.workspaceId)).status).toBe(204);
    expect(await last()).toBe(alice.workspaceId);
    expect((await bob.get("/api/user")).body.lastWorkspaceId).toBeNull();
  });

  test.each([
    "workspaceId=0",
    "workspaceId=-1",
    "workspaceId=x",
    "workspaceId=1.5",
    "workspaceId=1e99",
    "workspaceId=",
    "limit=0",
    "limit=1001",
    "cursor=x",
    "workspaceId=1&workspaceId=2",
  ])("a list with ?%s is rejected", async (query) => {
    const alice = await api.signUp();
    for (const path of ["/api/contacts", "/api/templates", "/api/requests"])
      expect((await alice.get(`${path}?${query}`)).body.code).toBe("validation");
  });
});
