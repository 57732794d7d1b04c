import { expect, test } from "bun:test";
import { type Api, describeApi, type SignedUp } from "../support/api/client";
import { sendEnvelope } from "../support/api/envelopes";
import { mailedTokens } from "../support/api/mailed-links";
import { joinAs } from "../support/api/team";
import { TEST_START } from "../support/runtime/runtime";

const after = (days: number) => new Date(Date.parse(TEST_START) + days * 86_400_000).toISOString();
const codeOf = ({ status, body }: { status: number; body: { code?: string } | null }) => [status, body?.code];
const INVALID = [400, "invalid_token"];

/** Ada, the oldest owner of a workspace, and other owners of it. */
async function ownersOf(api: Api): Promise<[ada: SignedUp, ben: SignedUp, carol: SignedUp, path: string]> {
  await api.setClock(TEST_START);
  const ada = await api.signUp();
  const [ben, carol] = [await joinAs(api, ada, "owner"), await joinAs(api, ada, "owner")];
  return [ada, ben, carol, `/api/workspaces/${ada.workspaceId}`];
}

const linksTo = (api: Api, { email }: SignedUp) => mailedTokens(api, "restore-owner", email);
const restore = (api: Api, token = "") => api.anonymous().post("/api/workspaces/restore-owner", { token });

async function resetPassword(api: Api, { email }: SignedUp): Promise<void> {
  await api.anonymous().post("/api/password/forgot", { email });
  const token = (await mailedTokens(api, "reset", email)).at(-1);
  const reset = await api.anonymous().post("/api/password/reset", { token, newPassword: "another password" });
  expect(reset.status).toBe(204);
}

async function subjectsTo(api: Api, { email }: SignedUp): Promise<string[]> {
  await api.finishBackgroundWork();
  return (await api.mails()).filter(({ to }) => to === email).map(({ subject }) => subject);
}

async function rolesIn(api: Api, { workspaceId }: SignedUp) {
  const rows = await api.select(
    `select user_id, role from workspace_members where workspace_id = ${workspaceId} order by user_id`,
  );
  return Object.fromEntries(rows.map(({ user_id, role }) => [user_id, role]));
}

describeApi("an owner who was removed or demoted", (api) => {
  test("is an owner again by the mailed link, in place of who removed them, and the other owners are told", async () => {
    const [ada, ben, carol, path] = await ownersOf(api);
    const { joinedAt } = (await ben.get(`${path}/members`)).body.members[0];
    const { id, submissionToken } = await sendEnvelope(ada);
    const later = after(1);
    await api.setClock(later);
    await ben.post("/api/reauthenticate", { password: ben.password });
    expect((await ben.delete(`${path}/members/${ada.id}`)).status).toBe(204);
    expect((await ada.get(path.concat("/members"))).status).toBe(404);
    const [token = "", ...more] = await linksTo(api, ada);
    expect([token.length >= 22, more]).toEqual([true, []]);
    const stored = JSON.stringify(await api.select("select * from owner_reverts"));
    expect([stored.includes(token), stored.includes(`"user_id":${ada.id}`)]).toEqual([false, true]);
    const { text } = (await api.mails()).findLast(({ to }) => to === ada.email) ?? { text: "" };
    expect(text).toContain(`${ben.email} is removed from the workspace`);
    expect(text).toContain("7 days");

    expect((await api.anonymous().get(`/restore-owner/${token}`)).status).toBeOneOf([200, 404]);
    expect(await rolesIn(api, ada)).toEqual({ [ben.id]: "owner", [carol.id]: "owner" });
    expect((await restore(api, token)).status).toBe(204);
    expect(await rolesIn(api, ada)).toEqual({ [ada.id]: "owner", [carol.id]: "owner" });
    expect((await ada.get(`${path}/members`)).body.members).toContainEqual(
      expect.objectContaining({ userId: ada.id, joinedAt }),
    );
    await api.finishBackgroundWork();
    // Whoever has removed Ada knows the link.
    expect((await api.anonymous().get(`/api/submissions/${submissionToken}`)).body.code).toBe(
      "link_replaced",
    );
    expect((await ada.get(`/api/requests/${id}`)).body.assignee.userId).toBe(ada.id);
    expect((await ben.get(`/api/requests/${id}`)).status).toBe(404);
    expect(await subjectsTo(api, carol)).toContain(`${ada.email} is an owner of My Workspace again`);
    const told = (await api.mails()).findLast(({ to }) => to === carol.email);
    expect(told?.text).toContain(`${ben.email}, who had changed that, is no longer a member`);
    expect((await subjectsTo(api, ben)).at(-1)).toBe("You were removed from My Workspace");
    expect(await linksTo(api, ben)).toEqual([]);
    const activity = (await carol.get(`${path}/activity`)).body.slice(0, 2);
    expect(activity).toMatchObject([
      { type: "member.removed", actor: { userId: ada.id }, target: { id: ben.id } },
      { type: "owner.restored", actor: { userId: ada.id }, target: { id: ada.id } },
    ]);
    expect(codeOf(await restore(api, token))).toEqual(INVALID);
  });

  test("gets one link a day by being demoted, and by it the role back", async () => {
    const [ada, ben, carol, path] = await ownersOf(api);
    for (let round = 0; round < 2; round += 1)
      for (const role of ["viewer", "owner", "member"])
        expect((await ben.patch(`${path}/members/${ada.id}`, { role })).status).toBe(200);
    const links = await linksTo(api, ada);
    expect(links).toHaveLength(1);
    expect(await subjectsTo(api, ada)).toContain("You are no longer an owner of My Workspace");
    expect((await restore(api, links[0])).status).toBe(204);
    expect(await rolesIn(api, ada)).toEqual({ [ada.id]: "owner", [carol.id]: "owner" });
  });

  test("who was demoted and is removed by another is an owner again by the newer link only", async () => {
    const [ada, ben, carol, path] = await ownersOf(api);
    await ben.patch(`${path}/members/${ada.id}`, { role: "member" });
    expect((await carol.delete(`${path}/members/${ada.id}`)).status).toBe(204);
    const [older, newer, ...more] = await linksTo(api, ada);
    expect(more).toEqual([]);
    expect(codeOf(await restore(api, older))).toEqual(INVALID);
    expect((await restore(api, newer)).status).toBe(204);
    expect(await rolesIn(api, ada)).toEqual({ [ada.id]: "owner", [ben.id]: "owner" });
    await ben.patch(`${path}/members/${ada.id}`, { role: "member" });
    await ben.delete(`${path}/members/${ada.id}`);
    expect((await restore(api, (await linksTo(api, ada)).at(-1))).status).toBe(204);
    expect(await rolesIn(api, ada)).toEqual({ [ada.id]: "owner" });
  });

  test("gets no link by leaving or giving up the role, which ends those of before, nor does a member", async () => {
    const [ada, ben, carol, path] = await ownersOf(api);
    const member = await joinAs(api, ada, "member");
    expect((await ben.delete(`${path}/members/${member.id}`)).status).toBe(204);
    expect(await subjectsTo(api, member)).toContain("You were removed from My Workspace");
    expect((await carol.patch(`${path}/members/${carol.id}`, { role: "viewer" })).status).toBe(200);
    for (const role of ["member", "owner"]) await ben.patch(`${path}/members/${ada.id}`, { role });
    const [token] = await linksTo(api, ada);
    expect((await ada.delete(`${path}/members/${ada.id}`)).status).toBe(204);
    for (const person of [member, carol, ben]) expect(await linksTo(api, person)).toEqual([]);
    expect(codeOf(await restore(api, token))).toEqual(INVALID);
  });

  test("gets links to workspaces that the account has left, or given up the role of, by a reset of the password", async () => {
    for (const role of [undefined, "viewer"]) {
      const [ada, ben, carol, path] = await ownersOf(api);
      const own = `${path}/members/${ada.id}`;
      // Somebody who knows the password, and has let an accomplice in.
      if (role) expect((await ada.patch(own, { role: "member" })).status).toBe(200);
      expect((await ada.delete(own)).status).toBe(204);
      expect(await linksTo(api, ada)).toEqual([]);
      await resetPassword(api, ada);
      const [token, ...more] = await linksTo(api, ada);
      expect(more).toEqual([]);
      expect((await restore(api, token)).status).toBe(204);
      const all = { [ada.id]: "owner", [ben.id]: "owner", [carol.id]: "owner" };
      expect(await rolesIn(api, ada)).toEqual(all);
      expect(await subjectsTo(api, carol)).toContain(`${ada.email} is an owner of My Workspace again`);
    }
  });

  test("gets no link by a reset later than 7 days, though an earlier reset has renewed it", async () => {
    const [ada, , , path] = await ownersOf(api);
    await ada.delete(`${path}/members/${ada.id}`);
    for (const day of [6, 8]) {
      await api.setClock(after(day));
      await resetPassword(api, ada);
      expect(await linksTo(api, ada)).toHaveLength(1);
    }
  });

  test("gets the link that went to another address once that is undone, and that address has none", async () => {
    const [ada, ben, carol, path] = await ownersOf(api);
    const other = `other${ada.id}@example.com`;
    await ada.patch("/api/user/profile", { email: other });
    await ada.post("/api/user/verify", { token: (await mailedTokens(api, "verify", other)).at(-1) });
    await ben.delete(`${path}/members/${ada.id}`);
    const [theirs] = await mailedTokens(api, "restore-owner", other);
    const [undo] = await mailedTokens(api, "revert-email", ada.email);
    expect((await api.anonymous().post("/api/user/revert-email", { token: undo })).status).toBe(204);
    const [token, ...more] = await linksTo(api, ada);
    expect(more).toEqual([]);
    expect(codeOf(await restore(api, theirs))).toEqual(INVALID);
    expect((await restore(api, token)).status).toBe(204);
    expect(await rolesIn(api, ada)).toEqual({ [ada.id]: "owner", [carol.id]: "owner" });
  });

  test("has a link for 7 days, for an enabled account and a workspace that is there", async () => {
    const [ada, ben, carol, path] = await ownersOf(api);
    await ben.post("/api/workspaces", { name: "Second" });
    for (const person of [ada, carol])
      expect((await ben.delete(`${path}/members/${person.id}`)).status).toBe(204);
    const [[first], [second]] = [await linksTo(api, ada), await linksTo(api, carol)];
    await api.execute(`update users set disabled_at = '${TEST_START}' where id = ${ada.id}`);
    expect(codeOf(await restore(api, first))).toEqual(INVALID);
    await api.execute(`update users set disabled_at = null where id = ${ada.id}`);
    await api.setClock(after(7));
    expect(codeOf(await restore(api, first))).toEqual(INVALID);
    await api.setClock(after(6.9));
    expect(await rolesIn(api, ada)).toEqual({ [ben.id]: "owner" });
    await ben.post("/api/reauthenticate", { password: ben.password });
    expect((await ben.delete(path)).status).toBe(204);
    for (const token of [first, second, "none"]) expect(codeOf(await restore(api, token))).toEqual(INVALID);
  });

  test("who uses the link several times at once is restored and told of once", async () => {
    const [ada, ben, carol, path] = await ownersOf(api);
    await ben.delete(`${path}/members/${ada.id}`);
    const [token] = await linksTo(api, ada);
    const responses = await Promise.all([1, 2, 3].map(() => restore(api, token)));
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 400, 400]);
    const told = (await subjectsTo(api, carol)).filter((subject) => subject.endsWith("again"));
    expect(told).toHaveLength(1);
  });

  test("is restored if who removed them is gone, or was restored before by another", async () => {
    const [ada, ben, carol, path] = await ownersOf(api);
    const dan = await joinAs(api, ada, "owner");
    for (const person of [ada, carol]) await ben.delete(`${path}/members/${person.id}`);
    expect((await restore(api, (await linksTo(api, ada))[0])).status).toBe(204);
    expect((await restore(api, (await linksTo(api, carol))[0])).status).toBe(204);
    const all = { [ada.id]: "owner", [carol.id]: "owner", [dan.id]: "owner" };
    expect(await rolesIn(api, ada)).toEqual(all);
    await dan.delete(`${path}/members/${ada.id}`);
    expect((await dan.delete("/api/user/account")).status).toBe(204);
    expect((await restore(api, (await linksTo(api, ada)).at(-1))).status).toBe(204);
    expect(await rolesIn(api, ada)).toEqual({ [ada.id]: "owner", [carol.id]: "owner" });
    const told = (await api.mails()).findLast(({ to }) => to === carol.email);
    expect(told?.text).not.toContain("who had changed that");
  });

  test("of two who remove each other, who was removed first stays, whichever link is used first", async () => {
    for (const order of ["first", "last"]) {
      const [ada, ben, carol, path] = await ownersOf(api);
      await ben.patch(`${path}/members/${ada.id}`, { role: "member" });
      await carol.patch(`${path}/members/${ada.id}`, { role: "owner" });
      await api.setClock(after(0.001));
      await ada.delete(`${path}/members/${ben.id}`);
      const [adas, bens] = [(await linksTo(api, ada))[0], (await linksTo(api, ben))[0]];
      const [one, other] = order === "first" ? [adas, bens] : [bens, adas];
      expect((await restore(api, one)).status).toBe(204);
      expect((await restore(api, other)).status).toBe(order === "first" ? 400 : 204);
      expect(await rolesIn(api, ada)).toEqual({ [ada.id]: "owner", [carol.id]: "owner" });
    }
  });

  test("who has removed somebody that came later has the last word, if that one returns by a link", async () => {
    for (const action of ["remove", "demote"]) {
      const [ada, ben, carol, path] = await ownersOf(api);
      await api.setClock(after(0.001));
      // Whoever sits at Ada's computer lets an accomplice in.
      const mallory = await joinAs(api, ada, "owner");
      const eve = await joinAs(api, ada, "owner");
      for (const { id } of [mallory, eve]) {
        const theirs = `${path}/members/${id}`;
        expect(
          (await (action === "remove" ? ada.delete(theirs) : ada.patch(theirs, { role: "member" }))).status,
        ).toBeLessThan(300);
      }
      for (const accomplice of [mallory, eve])
        expect((await restore(api, (await linksTo(api, accomplice))[0])).status).toBe(204);
      const [token, ...more] = await linksTo(api, ada);
      expect([typeof token, more]).toEqual(["string", []]);
      expect(await rolesIn(api, ada)).not.toHaveProperty(String(ada.id));
      expect((await restore(api, token)).status).toBe(204);
      const all = { [ada.id]: "owner", [ben.id]: "owner", [carol.id]: "owner", [eve.id]: "owner" };
      expect(await rolesIn(api, ada)).toEqual(all);
      expect(await linksTo(api, mallory)).toHaveLength(1);
    }
  });

  test("of three who remove and demote each other at once, one stays, and the oldest is an owner again by a link", async () => {
    for (let round = 0; round < 5; round++) {
      await api.setClock(TEST_START);
      const ada = await api.signUp();
      const path = `/api/workspaces/${ada.workspaceId}`;
      await api.setClock(after(0.001));
      const [ben, carol] = [await joinAs(api, ada, "owner"), await joinAs(api, ada, "owner")];
      const remove = (by: SignedUp, { id }: SignedUp) => by.delete(`${path}/members/${id}`);
      const demote = (by: SignedUp, { id }: SignedUp) =>
        by.patch(`${path}/members/${id}`, { role: "member" });
      const calls = [
        ...[remove(ada, ben), remove(ben, carol), remove(carol, ada)],
        ...[demote(ben, ada), demote(carol, ben), demote(ada, carol)],
      ];
      for (const { status } of await Promise.all(calls)) expect(status).toBeOneOf([200, 204, 403, 404, 409]);
      const isOwner = async () => (await rolesIn(api, ada))[ada.id] === "owner";
      expect(Object.values(await rolesIn(api, ada))).toContain("owner");
      for (const person of [carol, ben, ada])
        for (const token of await linksTo(api, person))
          if (person !== ada || !(await isOwner()))
            expect((await restore(api, token)).status).toBeOneOf([204, 400]);
      expect(await isOwner()).toBe(true);
    }
  });

  test("is told when another owner deletes the workspace, but nobody is if that fails", async () => {
    const [ada, ben, carol, path] = await ownersOf(api);
    const member = await joinAs(api, ada, "member");
    const told = "The workspace My Workspace was deleted";
    await api.execute(
      `delete from workspace_members where user_id = ${ben.id} and workspace_id <> ${ada.workspaceId}`,
    );
    expect(codeOf(await ben.delete(path))).toEqual([409, "last_workspace"]);
    expect(await subjectsTo(api, carol)).not.toContain(told);
    await ben.post("/api/workspaces", { name: "Second" });
    expect((await ben.delete(path)).status).toBe(204);
    for (const owner of [ada, carol]) expect(await subjectsTo(api, owner)).toContain(told);
    for (const person of [ben, member]) expect(await subjectsTo(api, person)).not.toContain(told);
  });
});
