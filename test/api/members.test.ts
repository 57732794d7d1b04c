import { beforeAll, expect, test } from "bun:test";
import type { Role } from "../../worker/contract/options";
import { type Api, describeApi, programOf, type SignedUp } from "../support/api/client";
import { addDrafts, ENVELOPE, form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { mailedTokens } from "../support/api/mailed-links";
import { inviteTo, joinAs } from "../support/api/team";
import { pdfFile, pngFile } from "../support/files/files";
import { TEST_START } from "../support/runtime/runtime";

const OWNERS_ONLY = "Only owners of this workspace can do this";
const VIEWERS = "Viewers can look at everything and change nothing";
let guests = 0;
const newGuest = () => `colleague${++guests}@example.org`;

const membersOf = async (client: SignedUp, workspaceId: number) =>
  (await client.get(`/api/workspaces/${workspaceId}/members`)).body;
const rolesOf = async (client: SignedUp, workspaceId: number) =>
  Object.fromEntries(
    (await membersOf(client, workspaceId)).members.map((row: { userId: number; role: Role }) => [
      row.userId,
      row.role,
    ]),
  );
const setRole = (by: SignedUp, of: SignedUp, role: Role, workspaceId = by.workspaceId) =>
  by.patch(`/api/workspaces/${workspaceId}/members/${of.id}`, { role });
const remove = (by: SignedUp, of: SignedUp, workspaceId: number, query = "") =>
  by.delete(`/api/workspaces/${workspaceId}/members/${of.id}${query}`);
const codeOf = ({ status, body }: { status: number; body: { code?: string } | null }) => [status, body?.code];

async function linksIn(person: SignedUp, workspaceId: number) {
  const contact = await person.post("/api/contacts", { firstName: "Rita", workspaceId });
  const fields = [{ name: "Payslip" }];
  const template = await person.post("/api/templates", { name: "Taxes", fields, workspaceId });
  return { contactId: contact.body.id, templateId: template.body.id };
}

describeApi("members of a workspace", (api) => {
  let owner: SignedUp;
  let member: SignedUp;
  let viewer: SignedUp;
  beforeAll(async () => {
    owner = await api.signUp();
    member = await joinAs(api, owner, "member");
    viewer = await joinAs(api, owner, "viewer");
  });

  test("see it in their list, with their role and the number of members", async () => {
    const { body } = await member.get("/api/workspaces");
    expect(body.map(({ id, role, memberCount }: Record<string, unknown>) => [id, role, memberCount])).toEqual(
      [
        [member.workspaceId, "owner", 1],
        [owner.workspaceId, "member", 3],
      ],
    );
    const { members, invitations } = await membersOf(viewer, owner.workspaceId);
    expect(members[0]).toEqual({
      ...{ userId: owner.id, firstName: null, lastName: null, email: owner.email, avatarUrl: null },
      ...{ role: "owner", joinedAt: "2026-03-14T09:26:53.000Z" },
    });
    expect([members.length, invitations]).toEqual([3, []]);
  });

  test("get the recipient's link, except viewers", async () => {
    const own = await sendEnvelope(viewer);
    const theirs = await sendEnvelope(owner, { workspaceId: owner.workspaceId, assigneeId: member.id });
    const tokenOf = async (person: SignedUp, { id }: { id: number }) => {
      const one = (await person.get(`/api/requests/${id}`)).body;
      const listed = (await person.get("/api/requests")).body.find((row: { id: number }) => row.id === id);
      expect(listed.submissionToken).toBe(one.submissionToken);
      return one.submissionToken;
    };
    for (const person of [owner, member]) expect(await tokenOf(person, theirs)).toBe(theirs.submissionToken);
    expect(await tokenOf(viewer, theirs)).toBeNull();
    expect(await tokenOf(viewer, own)).toBe(own.submissionToken);
  });

  test("work on the same contacts, templates and envelopes; viewers look at them and change nothing", async () => {
    const { workspaceId } = owner;
    const contact = (await member.post("/api/contacts", { firstName: "Rita", workspaceId })).body;
    const template = (
      await member.post("/api/templates", { name: "Taxes", fields: [{ name: "Payslip" }], workspaceId })
    ).body;
    const envelope = await sendEnvelope(member, { workspaceId, contactId: contact.id });
    for (const person of [owner, viewer]) {
      expect((await person.get(`/api/contacts/${contact.id}`)).body.firstName).toBe("Rita");
      expect((await person.get(`/api/templates?workspaceId=${workspaceId}`)).body).toHaveLength(1);
      expect((await person.get(`/api/requests?workspaceId=${workspaceId}`)).body[0].id).toBe(envelope.id);
    }
    expect((await viewer.get("/api/requests")).body.map(({ id }: { id: number }) => id)).toContain(
      envelope.id,
    );
    for (const denied of [
      await viewer.patch(`/api/contacts/${contact.id}`, { firstName: "Eve" }),
      await viewer.delete(`/api/templates/${template.id}`),
      await viewer.post(`/api/requests/${envelope.id}/remind`),
      await viewer.post("/api/contacts", { firstName: "Eve", workspaceId }),
    ])
      expect([denied.status, denied.body.code, denied.body.message]).toEqual([403, "role_required", VIEWERS]);
    expect((await owner.patch(`/api/contacts/${contact.id}`, { firstName: "Ada" })).status).toBe(200);
    for (const person of [member, viewer]) {
      const denied = await person.patch(`/api/workspaces/${workspaceId}`, { name: "Mine" });
      expect([denied.status, denied.body.message]).toEqual([403, OWNERS_ONLY]);
    }
    const renamed = await owner.patch(`/api/workspaces/${workspaceId}`, { name: "Firm", description: "All" });
    expect([renamed.body.name, renamed.body.description]).toEqual(["Firm", "All"]);
  });

  test("see each other's pictures, and nobody else does", async () => {
    const { avatarUrl } = (await member.post("/api/user/avatar", form({ avatar: pngFile() }))).body;
    expect((await viewer.get(avatarUrl)).status).toBe(200);
    expect((await membersOf(owner, owner.workspaceId)).members[1].avatarUrl).toBe(avatarUrl);
    expect((await (await api.signUp()).get(avatarUrl)).status).toBe(404);
  });

  test("download what recipients submit, and mark it as seen", async () => {
    const envelope = await sendEnvelope(member, { workspaceId: owner.workspaceId });
    await api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }));
    const { body } = await viewer.get(`/api/requests/${envelope.id}`);
    expect((await viewer.get(body.submissions[0].url)).status).toBe(200);
    const seen = await viewer.post(`/api/requests/${envelope.id}/seen`, { completedAt: body.completedAt });
    expect(seen.status).toBe(204);
    expect((await owner.get(`/api/requests/${envelope.id}`)).body.isNew).toBe(false);
  });

  test("a webhook of the workspace is its owners', and members do not see it", async () => {
    const { workspaceId } = owner;
    const input = { url: "https://hooks.example.com/", events: ["request.deleted"], workspaceId };
    expect(codeOf(await member.post("/api/webhooks", input))).toEqual([403, "role_required"]);
    const { body: webhook } = await owner.post("/api/webhooks", input);
    expect((await member.get("/api/webhooks")).body).toEqual([]);
    expect(codeOf(await member.get(`/api/webhooks/${webhook.id}/deliveries`))).toEqual([
      403,
      "role_required",
    ]);
    const other = await joinAs(api, owner, "owner");
    expect((await other.get("/api/webhooks")).body[0].id).toBe(webhook.id);
    expect((await other.delete(`/api/webhooks/${webhook.id}`)).status).toBe(204);
    expect((await remove(owner, other, workspaceId)).status).toBe(204);
  });

  test("tokens act by their account's role", async () => {
    const { body } = await viewer.post("/api/tokens", { name: "Script", scope: "write" });
    const program = programOf(api, body.token);
    expect((await program.get(`/api/workspaces/${owner.workspaceId}/members`)).status).toBe(200);
    const contact = { firstName: "Rita", workspaceId: owner.workspaceId };
    expect(codeOf(await program.post("/api/contacts", contact))).toEqual([403, "role_required"]);
    expect(codeOf(await program.post("/api/invitations/join", { token: "x" }))).toEqual([
      403,
      "token_not_allowed",
    ]);
  });
});

describeApi("invitations to a workspace", (api) => {
  let owner: SignedUp;
  beforeAll(async () => {
    owner = await api.signUp();
    await owner.patch("/api/user/profile", {
      firstName: "Ada",
      lastName: "Lovelace",
      companyName: "Engines",
    });
  });

  test("are read without being used, and create a verified account that is a member", async () => {
    const email = newGuest();
    const token = await inviteTo(api, owner, email, "member");
    const read = await api.anonymous().post("/api/invitations/read", { token });
    expect(read.body).toEqual({
      ...{ email, expiresAt: "2026-03-21T09:26:53.000Z", role: "member", hasAccount: false },
      workspace: { name: "My Workspace" },
      invitedBy: { firstName: "Ada", lastName: "Lovelace", companyName: "Engines" },
    });
    const client = api.anonymous();
    const accepted = await client.post("/api/invitations/accept", { token, password: "secret" });
    expect([accepted.status, accepted.body.isVerified]).toEqual([201, true]);
    const created = await client.get("/api/user");
    expect(created.body.lastWorkspaceId).toBe(owner.workspaceId);
    expect(await rolesOf(owner, owner.workspaceId)).toMatchObject({ [accepted.body.id]: "member" });
    expect((await client.get(`/api/workspaces/${owner.workspaceId}/members`)).status).toBe(200);
    for (const call of ["read", "accept"]) {
      const again = await api.anonymous().post(`/api/invitations/${call}`, { token, password: "secret" });
      expect(codeOf(again)).toEqual([400, "invalid_token"]);
    }
  });

  test("let an account with the address join, which then counts as verified; another account is told", async () => {
    const [person, stranger] = [await api.signUp(), await api.signUp()];
    const token = await inviteTo(api, owner, person.email, "viewer");
    const read = await api.anonymous().post("/api/invitations/read", { token });
    expect(read.body.hasAccount).toBe(true);
    const accepted = await api.anonymous().post("/api/invitations/accept", { token, password: "secret" });
    expect(codeOf(accepted)).toEqual([409, "email_taken"]);
    expect((await api.anonymous().post("/api/invitations/join", { token })).status).toBe(401);
    expect(codeOf(await stranger.post("/api/invitations/join", { token }))).toEqual([403, "other_account"]);
    const joined = await person.post("/api/invitations/join", { token });
    expect([joined.status, joined.body.id, joined.body.role]).toEqual([200, owner.workspaceId, "viewer"]);
    expect((await person.get("/api/user")).body.lastWorkspaceId).toBe(owner.workspaceId);
    expect((await person.get("/api/user")).body.isVerified).toBe(true);
    expect(codeOf(await person.post("/api/invitations/join", { token }))).toEqual([400, "invalid_token"]);
  });

  test("are replaced by a second one, revoked by an owner, and void without their inviter", async () => {
    const email = newGuest();
    const first = await inviteTo(api, owner, email.toUpperCase().toLowerCase(), "viewer");
    const second = await inviteTo(api, owner, email, "member");
    const readable = async (token: string) =>
      (await api.anonymous().post("/api/invitations/read", { token })).status;
    expect([await readable(first), await readable(second)]).toEqual([400, 200]);
    const { invitations } = await membersOf(owner, owner.workspaceId);
    const open = invitations.filter((row: { email: string }) => row.email === email);
    expect(open).toEqual([
      {
        ...{ id: expect.any(Number), email, role: "member" },
        invitedBy: { firstName: "Ada", lastName: "Lovelace", email: owner.email },
        createdAt: "2026-03-14T09:26:53.000Z",
        expiresAt: "2026-03-21T09:26:53.000Z",
      },
    ]);
    const path = `/api/workspaces/${owner.workspaceId}/invitations/${open[0].id}`;
    expect((await owner.delete(path)).status).toBe(204);
    expect(await readable(second)).toBe(400);
    expect((await owner.delete(path)).status).toBe(404);

    const partner = await joinAs(api, owner, "owner");
    const theirs = await api.signUp();
    await partner.post(`/api/workspaces/${owner.workspaceId}/invitations`, {
      email: theirs.email,
      role: "member",
    });
    const [token = ""] = await mailedTokens(api, "invite", theirs.email);
    expect((await partner.delete("/api/user/account")).status).toBe(204);
    expect(codeOf(await theirs.post("/api/invitations/join", { token }))).toEqual([400, "invalid_token"]);
  });

  test("end with the ownership of their inviter: who is removed, leaves, is demoted or disabled", async () => {
    const boss = await api.signUp();
    const path = `/api/workspaces/${boss.workspaceId}/members`;
    const administrator = await api.signUp();
    await api.execute(
      `update users set is_administrator = true, is_verified = true, verified_by_owner = true where id = ${administrator.id}`,
    );
    const ends: Record<string, (partner: SignedUp) => Promise<{ status: number }>> = {
      removed: (partner) => boss.delete(`${path}/${partner.id}`),
      left: (partner) => partner.delete(`${path}/${partner.id}`),
      demoted: (partner) => boss.patch(`${path}/${partner.id}`, { role: "member" }),
      disabled: (partner) => administrator.post(`/api/administration/accounts/${partner.id}/disable`),
    };
    for (const [name, end] of Object.entries(ends)) {
      const partner = await joinAs(api, boss, "owner");
      const person = await api.signUp();
      const invitation = { email: person.email, role: "owner" };
      const invitations = `/api/workspaces/${boss.workspaceId}/invitations`;
      expect((await partner.post(invitations, invitation)).status).toBe(201);
      const [token] = await mailedTokens(api, "invite", person.email);
      expect([name, (await end(partner)).status]).toEqual([
        name,
        ["removed", "left"].includes(name) ? 204 : 200,
      ]);
      expect([name, ...codeOf(await person.post("/api/invitations/join", { token }))]).toEqual([
        name,
        400,
        "invalid_token",
      ]);
      expect((await membersOf(boss, boss.workspaceId)).invitations).toEqual([]);
      if (name === "demoted") await boss.patch(`${path}/${partner.id}`, { role: "owner" });
      if (name === "disabled") await administrator.post(`/api/administration/accounts/${partner.id}/enable`);
      expect((await api.anonymous().post("/api/invitations/read", { token })).status).toBe(400);
    }
  });

  test("to a member's own addresses end when they are removed, leave, are demoted or delete their account", async () => {
    const boss = await api.signUp();
    const path = `/api/workspaces/${boss.workspaceId}/members`;
    const ends: Record<string, (person: SignedUp) => Promise<{ status: number }>> = {
      removed: (person) => boss.delete(`${path}/${person.id}`),
      left: (person) => person.delete(`${path}/${person.id}`),
      demoted: (person) => boss.patch(`${path}/${person.id}`, { role: "viewer" }),
      deleted: (person) => person.delete("/api/user/account"),
    };
    for (const [name, end] of Object.entries(ends)) {
      const person = await joinAs(api, boss, "member");
      const [current, pending] = [newGuest(), newGuest()];
      const others = [`x${current}`, current.replace("@", "@mail.")];
      for (const email of [...others, current, current.replace("@", "+tag@"), pending])
        await inviteTo(api, boss, email, "owner");
      expect((await person.patch("/api/user/profile", { email: current })).status).toBe(200);
      const token = (await mailedTokens(api, "verify", current)).at(-1);
      expect((await person.post("/api/user/verify", { token })).status).toBe(204);
      expect((await person.patch("/api/user/profile", { email: pending })).status).toBe(200);
      expect([name, (await end(person)).status]).toEqual([name, name === "demoted" ? 200 : 204]);
      const open = async () =>
        (await membersOf(boss, boss.workspaceId)).invitations.map(({ email }: { email: string }) => email);
      expect([name, (await open()).sort()]).toEqual([name, [...others].sort()]);
      await api.execute(`delete from invitations where workspace_id = ${boss.workspaceId}`);
    }
  });

  test("let nobody return who was removed since, by the address that was invited", async () => {
    const boss = await api.signUp();
    const person = await joinAs(api, boss, "member");
    const email = newGuest();
    const invitation = await inviteTo(api, boss, email, "owner");
    await person.patch("/api/user/profile", { email });
    const token = (await mailedTokens(api, "verify", email)).at(-1);
    expect((await person.post("/api/user/verify", { token })).status).toBe(204);
    expect((await remove(boss, person, boss.workspaceId)).status).toBe(204);
    const joined = await person.post("/api/invitations/join", { token: invitation });
    expect(codeOf(joined)).toEqual([400, "invalid_token"]);
    const again = await inviteTo(api, boss, email, "viewer");
    expect((await person.post("/api/invitations/join", { token: again })).status).toBe(200);
  });

  test("made with an API token end with it", async () => {
    const boss = await api.signUp();
    const person = await api.signUp();
    const path = `/api/workspaces/${boss.workspaceId}/invitations`;
    const make = async (expiresAt: string | null) => {
      const token = { name: "CI", scope: "write", expiresAt };
      const { body } = await boss.post("/api/tokens", token);
      const invited = await programOf(api, body.token).post(path, { email: person.email, role: "owner" });
      expect(invited.status).toBe(201);
      return body.id;
    };
    const joins = async () => {
      const link = (await mailedTokens(api, "invite", person.email)).at(-1);
      return codeOf(await person.post("/api/invitations/join", { token: link }));
    };
    const id = await make(null);
    expect((await boss.delete(`/api/tokens/${id}`)).status).toBe(204);
    expect(await joins()).toEqual([400, "invalid_token"]);
    await make("2026-03-15T09:26:53.000Z");
    await api.setClock("2026-03-16T09:26:53.000Z");
    expect(await joins()).toEqual([400, "invalid_token"]);
    expect((await membersOf(boss, boss.workspaceId)).invitations).toEqual([]);
    await api.setClock(TEST_START);
  });

  test("that are void take no room, and can be revoked", async () => {
    const boss = await api.signUp();
    const partner = await joinAs(api, boss, "owner");
    const path = `/api/workspaces/${boss.workspaceId}/invitations`;
    const { body } = await partner.post(path, { email: newGuest(), role: "viewer" });
    await api.execute(
      `insert into invitations (token_hash, email, created_at, expires_at, invited_by, workspace_id, role)
       with recursive n(i) as (select 1 union all select i + 1 from n where i < 97)
       select 'void' || i, 'void' || i || '@example.org', '2026-03-14', '2027-03-14', ${partner.id}, ${boss.workspaceId}, 'viewer' from n`,
    );
    await api.execute(`update users set disabled_at = '2026-03-14T09:26:53.000Z' where id = ${partner.id}`);
    expect((await membersOf(boss, boss.workspaceId)).invitations).toEqual([]);
    // What nobody sees takes no room.
    expect((await boss.post(path, { email: newGuest(), role: "viewer" })).status).toBe(201);
    expect((await boss.delete(`${path}/${body.id}`)).status).toBe(204);
    expect((await boss.delete(`${path}/${body.id}`)).status).toBe(404);
  });

  test("are listed with how much is assigned to each of them that is not done, if that is asked for", async () => {
    const boss = await api.signUp();
    const member = await joinAs(api, boss, "member");
    const { workspaceId } = boss;
    const sent = [];
    for (let more = 0; more < 3; more++) sent.push(await sendEnvelope(boss, { workspaceId }));
    await sendEnvelope(boss, { workspaceId, isDraft: true });
    await sendEnvelope(await api.signUp());
    await boss.patch(`/api/requests/${sent[0].id}`, { assigneeId: member.id });
    await api.anonymous().post(linkOf(sent[1]), form({ Contract: pdfFile() }));
    const loads = async (query: string) =>
      (await member.get(`/api/workspaces/${workspaceId}/members${query}`)).body.members.map(
        ({ open }: { open?: number }) => open,
      );
    expect([await loads(""), await loads("?counts=1")]).toEqual([
      [undefined, undefined],
      [2, 1],
    ]);
    await boss.post(`/api/requests/${sent[1].id}/review`, { accept: [sent[1].documents[0].id], return: [] });
    expect(await loads("?counts=1")).toEqual([1, 1]);
    expect((await member.get(`/api/workspaces/${workspaceId}/members?counts=2`)).status).toBe(400);
  });

  test("are limited to addresses of people who are not members", async () => {
    const boss = await api.signUp();
    const path = `/api/workspaces/${boss.workspaceId}/invitations`;
    const already = await boss.post(path, { email: boss.email, role: "member" });
    expect(codeOf(already)).toEqual([409, "already_member"]);
    for (const body of [{}, { email: "x", role: "member" }, { email: newGuest(), role: "boss" }])
      expect((await boss.post(path, body)).status).toBe(400);
  });

  test("leave room for 100 members and open invitations", async () => {
    const boss = await api.signUp();
    const path = `/api/workspaces/${boss.workspaceId}/invitations`;
    await api.execute(
      `insert into invitations (token_hash, email, created_at, expires_at, invited_by, workspace_id, role)
       with recursive n(i) as (select 1 union all select i + 1 from n where i < 98)
       select 'full' || i, 'full' || i || '@example.org', '2026-03-14', '2027-03-14', ${boss.id}, ${boss.workspaceId}, 'viewer' from n`,
    );
    const responses = await Promise.all(
      [1, 2, 3].map(() => boss.post(path, { email: newGuest(), role: "viewer" })),
    );
    expect(responses.map(codeOf).sort()).toEqual([
      [201, undefined],
      [409, "workspace_full"],
      [409, "workspace_full"],
    ]);
    expect((await boss.post(path, { email: "full1@example.org", role: "member" })).status).toBe(201);
  });

  test("are reported to who sent them with the name of who has joined, or else the address", async () => {
    const boss = await api.signUp();
    const [named, nameless] = [await api.signUp(), await api.signUp()];
    const names = { firstName: "Ada", lastName: "Lovelace", companyName: "Holm AG" };
    expect((await named.patch("/api/user/profile", { ...names, email: named.email })).status).toBe(200);
    for (const person of [named, nameless]) {
      const token = await inviteTo(api, boss, person.email, "member");
      expect((await person.post("/api/invitations/join", { token })).status).toBe(200);
    }
    await api.finishBackgroundWork();
    const told = (await api.mails()).filter(({ to }) => to === boss.email).map(({ subject }) => subject);
    expect(told.filter((subject) => subject.includes("has joined"))).toEqual([
      "Ada Lovelace has joined My Workspace",
      `${nameless.email} has joined My Workspace`,
    ]);
  });

  test("used several times at once add one member", async () => {
    const person = await api.signUp();
    const token = await inviteTo(api, owner, person.email, "member");
    const responses = await Promise.all([1, 2, 3].map(() => person.post("/api/invitations/join", { token })));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });
});

describeApi("roles and leaving", (api) => {
  const team = async (...roles: Role[]) => {
    const owner = await api.signUp();
    const people: SignedUp[] = [];
    for (const role of roles) people.push(await joinAs(api, owner, role));
    return [owner, ...people] as [SignedUp, SignedUp, SignedUp];
  };

  test("demotion and removal act on the next request, and what was assigned goes to somebody else", async () => {
    const [owner, member, other] = await team("member", "member");
    const { workspaceId } = owner;
    const envelope = await sendEnvelope(member, { workspaceId });
    const second = await sendEnvelope(other, { workspaceId });
    expect((await setRole(owner, member, "viewer")).body.role).toBe("viewer");
    expect((await member.post(`/api/requests/${envelope.id}/remind`)).status).toBe(403);
    const assignees = () =>
      api.select(`select user_id from envelopes where id in (${envelope.id}, ${second.id}) order by id`);
    expect(await assignees()).toEqual([{ user_id: owner.id }, { user_id: other.id }]);
    const wrong = await remove(owner, other, workspaceId, `?assignTo=${member.id}`);
    expect([wrong.status, wrong.body.issues]).toEqual([
      400,
      [{ path: "assignTo", message: "Please choose a member or owner of this workspace" }],
    ]);
    expect((await setRole(owner, member, "member")).status).toBe(200);
    expect((await remove(owner, other, workspaceId, `?assignTo=${member.id}`)).status).toBe(204);
    expect(await assignees()).toEqual([{ user_id: owner.id }, { user_id: member.id }]);
    for (const path of [`/api/requests/${second.id}`, `/api/workspaces/${workspaceId}/members`])
      expect((await other.get(path)).status).toBe(404);
    expect((await other.get("/api/requests")).body).toEqual([]);
    expect((await remove(member, member, workspaceId)).status).toBe(204);
    expect(await assignees()).toEqual([{ user_id: owner.id }, { user_id: owner.id }]);
  });

  test("who is made owner again and again gets one mail a day", async () => {
    const boss = await api.signUp();
    const person = await joinAs(api, boss, "member");
    const path = `/api/workspaces/${boss.workspaceId}/members/${person.id}`;
    for (let count = 0; count < 3; count += 1)
      for (const role of ["owner", "member"]) expect((await boss.patch(path, { role })).status).toBe(200);
    await api.finishBackgroundWork();
    const kind = "select count(*) as n from notifications where kind = 'made_owner'";
    expect(await api.select(`${kind} and user_id = ${person.id}`)).toEqual([{ n: 1 }]);
  });

  test("who is removed several times at once gets one mail, and an invitation is revoked once", async () => {
    const boss = await api.signUp();
    const { workspaceId } = boss;
    const person = await joinAs(api, boss, "member");
    const removals = await Promise.all([1, 2, 3].map(() => remove(boss, person, workspaceId)));
    expect(removals.map(({ status }) => status).sort()).toEqual([204, 404, 404]);
    await api.finishBackgroundWork();
    const kind = "select count(*) as n from notifications where kind = 'member_removed'";
    expect(await api.select(`${kind} and user_id = ${person.id}`)).toEqual([{ n: 1 }]);
    const path = `/api/workspaces/${workspaceId}/invitations`;
    const { body } = await boss.post(path, { email: newGuest(), role: "viewer" });
    await Promise.all([1, 2, 3].map(() => boss.delete(`${path}/${body.id}`)));
    const revoked = "select count(*) as n from workspace_activity where type = 'invitation.revoked'";
    expect(await api.select(`${revoked} and workspace_id = ${workspaceId}`)).toEqual([{ n: 1 }]);
  });

  test("a workspace keeps an owner, whatever its owners do", async () => {
    const [owner, member] = await team("member");
    const { workspaceId } = owner;
    for (const denied of [
      await setRole(owner, owner, "member"),
      await remove(owner, owner, workspaceId),
      await owner.delete("/api/user/account"),
    ])
      expect(codeOf(denied)).toEqual([409, "last_owner"]);
    const { body } = await owner.delete("/api/user/account");
    expect(body.workspaces).toEqual([{ id: workspaceId, name: "My Workspace" }]);
    expect((await setRole(owner, member, "owner")).status).toBe(200);
    expect((await remove(owner, owner, workspaceId)).status).toBe(204);
    expect(await rolesOf(member, workspaceId)).toEqual({ [member.id]: "owner" });
    const { body: left } = await owner.get("/api/workspaces");
    expect(left.map(({ name, role }: Record<string, unknown>) => [name, role])).toEqual([
      ["My Workspace", "owner"],
    ]);
  });

  test("two owners who leave, demote each other or delete their accounts at once leave one", async () => {
    const ways = [
      (one: SignedUp, _: SignedUp, workspaceId: number) => remove(one, one, workspaceId),
      (one: SignedUp, other: SignedUp, workspaceId: number) => setRole(one, other, "viewer", workspaceId),
      (one: SignedUp, other: SignedUp, workspaceId: number) => remove(one, other, workspaceId),
      (one: SignedUp) => one.delete("/api/user/account"),
    ];
    for (const way of ways) {
      const [owner, partner] = await team("owner", "viewer");
      const { workspaceId } = owner;
      await Promise.all([way(owner, partner, workspaceId), way(partner, owner, workspaceId)]);
      const owners = await api.select(
        `select user_id from workspace_members where workspace_id = ${workspaceId} and role = 'owner'`,
      );
      expect(owners).toHaveLength(1);
    }
  }, 240_000);

  test("deleting an account keeps shared workspaces, and passes on what was the account's", async () => {
    const [owner, partner] = await team("owner");
    const { workspaceId } = owner;
    await owner.patch("/api/user/profile", { firstName: "Ada" });
    const { body: contact } = await owner.post("/api/contacts", { firstName: "Rita", workspaceId });
    const template = { name: "Taxes", fields: [{ name: "Payslip" }], workspaceId };
    const templateId = (await owner.post("/api/templates", template)).body.id;
    const envelope = await sendEnvelope(owner, { workspaceId, contactId: contact.id, templateId });
    await api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }));
    const before = (await partner.get(`/api/requests/${envelope.id}/timeline`)).body;
    expect((await owner.delete("/api/user/account")).status).toBe(204);
    const after = (await partner.get(`/api/requests/${envelope.id}`)).body;
    expect([after.userId, after.submissions.length]).toEqual([partner.id, 1]);
    expect((await partner.get(after.submissions[0].url)).status).toBe(200);
    const timeline = (await partner.get(`/api/requests/${envelope.id}/timeline`)).body;
    expect([before[0].name, timeline[0].name]).toEqual(["Ada", "Ada"]);
    expect(timeline.map(({ kind }: { kind: string }) => kind)).toEqual(
      before.map(({ kind }: { kind: string }) => kind),
    );
    expect((await partner.get(`/api/contacts/${contact.id}`)).body.userId).toBe(partner.id);
    expect(await api.select(`select user_id from workspaces where id = ${workspaceId}`)).toEqual([
      { user_id: partner.id },
    ]);
    expect(await api.select(`select first_name from former_users where id = ${owner.id}`)).toEqual([
      { first_name: "Ada" },
    ]);
    expect((await partner.delete("/api/user/account")).status).toBe(204);
    expect(await api.select(`select * from envelopes where id = ${envelope.id}`)).toEqual([]);
  });

  test("contacts and templates of somebody who leaves stay, also after their account is gone", async () => {
    const [owner, member, other] = await team("member", "member");
    const { workspaceId } = owner;
    for (const person of [member, other]) {
      const links = await linksIn(person, workspaceId);
      const envelope = await sendEnvelope(person, { workspaceId, ...links });
      const ownersNow = async () => [
        (await owner.get(`/api/contacts/${links.contactId}`)).body.userId,
        ...(await api.select(`select user_id from templates where id = ${links.templateId}`)),
        ...(await api.select(`select user_id from template_uses where envelope_id = ${envelope.id}`)),
      ];
      expect(await ownersNow()).toEqual([person.id, { user_id: person.id }, { user_id: person.id }]);
      if (person === member) {
        expect((await remove(member, member, workspaceId)).status).toBe(204);
        expect(await ownersNow()).toEqual([owner.id, { user_id: owner.id }, { user_id: owner.id }]);
      }
      expect((await person.delete("/api/user/account")).status).toBe(204);
      expect(await ownersNow()).toEqual([owner.id, { user_id: owner.id }, { user_id: owner.id }]);
      expect((await owner.get(`/api/requests/${envelope.id}`)).body).toMatchObject(links);
    }
  });

  test("deleting a workspace deletes everything in it, and gives everybody who has no other a new one", async () => {
    const [owner, member] = await team("member");
    const only = await member.delete(`/api/workspaces/${member.workspaceId}`);
    expect(only.status).toBe(204);
    const envelope = await sendEnvelope(member, { workspaceId: owner.workspaceId });
    await api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }));
    const files = await api.storedFiles();
    expect(codeOf(await member.delete(`/api/workspaces/${owner.workspaceId}`))).toEqual([
      403,
      "role_required",
    ]);
    expect(codeOf(await owner.delete(`/api/workspaces/${owner.workspaceId}`))).toEqual([
      409,
      "last_workspace",
    ]);
    await owner.post("/api/workspaces", { name: "Next" });
    expect((await owner.delete(`/api/workspaces/${owner.workspaceId}`)).status).toBe(204);
    expect((await api.storedFiles()).length).toBe(files.length - 1);
    expect((await api.anonymous().get(linkOf(envelope))).status).toBe(404);
    const namesOf = async (client: SignedUp) =>
      (await client.get("/api/workspaces")).body.map(({ name }: { name: string }) => name);
    expect([await namesOf(owner), await namesOf(member)]).toEqual([["Next"], ["My Workspace"]]);
  });

  test("a workspace with many envelopes closes at once, and its rows and files are deleted in parts", async () => {
    const files = await api.storedFiles();
    const owner = await api.signUp();
    const member = await joinAs(api, owner, "member");
    await member.delete(`/api/workspaces/${member.workspaceId}`);
    const { workspaceId } = owner;
    const invited = await inviteTo(api, owner, "late@example.com", "member");
    await owner.post("/api/workspaces", { name: "Second" });
    const sent = await sendEnvelope(owner, { assigneeId: member.id, reminderFrequency: "daily" });
    const open = await sendEnvelope(owner, { assigneeId: member.id });
    await api.anonymous().post(linkOf(sent), form({ Contract: pdfFile() }));
    await addDrafts(owner, 60);
    await api.finishBackgroundWork();
    const { token } = (await owner.post("/api/tokens", { name: "Script", scope: "write", workspaceId })).body;
    const program = programOf(api, token);
    expect((await program.get("/api/requests")).status).toBe(200);

    expect((await owner.delete(`/api/workspaces/${workspaceId}`)).status).toBe(204);
    expect((await program.get("/api/user")).status).toBe(401);
    for (const person of [owner, member]) {
      const [first, ...others] = (await person.get("/api/workspaces")).body;
      expect([first.name, first.role, others]).toEqual([
        person === owner ? "Second" : "My Workspace",
        "owner",
        [],
      ]);
      expect((await person.get(`/api/requests/${open.id}`)).status).toBe(404);
      expect((await person.delete(`/api/workspaces/${workspaceId}`)).status).toBe(404);
    }
    expect((await api.anonymous().get(linkOf(open))).status).toBe(404);
    const late = await api.anonymous().post(linkOf(open), form({ Contract: pdfFile() }));
    expect(late.status).toBe(404);
    expect((await owner.post("/api/invitations/join", { token: invited })).status).toBe(400);
    // Another first workspace is not made of the closed one.
    expect((await owner.post("/api/workspaces", { name: "Third" })).status).toBe(201);
    expect((await owner.get("/api/workspaces")).body).toHaveLength(2);
    expect(await api.select(`select * from envelopes where workspace_id = ${workspaceId}`)).toHaveLength(62);

    // What still belongs to it is no obstacle to the account of somebody who was a member.
    expect((await member.delete("/api/user/account")).status).toBe(204);
    await api.finishBackgroundWork();
    const gone = (await api.mails()).length;

    await api.runJobs();
    for (const [table, column] of [
      ["workspaces", "id"],
      ["envelopes", "workspace_id"],
      ["workspace_members", "workspace_id"],
    ])
      expect(await api.select(`select * from ${table} where ${column} = ${workspaceId}`)).toEqual([]);
    await api.runJobs();
    expect(await api.storedFiles()).toEqual(files);
    expect(await api.mails()).toHaveLength(gone);
  });

  test("an account whose workspace is being deleted can be deleted", async () => {
    const owner = await api.signUp();
    await owner.post("/api/workspaces", { name: "Second" });
    await addDrafts(owner, 60);
    expect((await owner.delete(`/api/workspaces/${owner.workspaceId}`)).status).toBe(204);
    expect((await owner.delete("/api/user/account")).status).toBe(204);
    for (let run = 0; run < 3; run += 1) await api.runJobs();
    expect(await api.select(`select * from workspaces where user_id = ${owner.id}`)).toEqual([]);
    expect(await api.select(`select * from users where id = ${owner.id}`)).toEqual([]);
  });

  test("owners read who did what; nobody else does", async () => {
    const [owner, member] = await team("member");
    const { workspaceId } = owner;
    const envelope = await sendEnvelope(member, { workspaceId });
    await member.delete(`/api/requests/${envelope.id}`);
    const types = ["pdf"];
    const change = { name: "Firm", defaultFileTypes: types, retentionDays: 30 };
    for (const changes of [change, change, { name: "Firm" }, { defaultFileTypes: types }, {}])
      expect((await owner.patch(`/api/workspaces/${workspaceId}`, changes)).status).toBe(200);
    await setRole(owner, member, "viewer");
    const path = `/api/workspaces/${workspaceId}/activity`;
    const { body } = await owner.get(path);
    expect(
      body.map(({ type, actor }: { type: string; actor: { userId: number } }) => [type, actor.userId]),
    ).toEqual([
      ["member.role_changed", owner.id],
      ["workspace.changed", owner.id],
      ["request.deleted", member.id],
      ["request.sent", member.id],
      ["member.joined", member.id],
      ["member.invited", owner.id],
    ]);
    expect([body[0].target, body[2].target]).toEqual([
      { id: member.id, email: member.email },
      { id: envelope.id },
    ]);
    const page = await owner.get(`${path}?limit=2`);
    expect([page.body.length, page.headers.get("link")]).toEqual([2, expect.stringContaining("cursor=")]);
    expect(codeOf(await member.get(path))).toEqual([403, "role_required"]);
    expect(codeOf(await (await api.signUp()).get(path))).toEqual([404, "workspace_not_found"]);
  });

  test("activity has sends, downloads, imports, deletions and reassignments, and what was changed in settings and roles", async () => {
    const [owner, member] = await team("member");
    const { workspaceId } = owner;
    await member.patch("/api/user/profile", { firstName: "Ada", lastName: "Lovelace" });
    const path = `/api/workspaces/${workspaceId}/activity`;
    type Entry = Record<"type" | "changes" | "count", unknown> &
      Record<"target" | "actor", { name?: string }>;
    const listed = async (query = "") =>
      (await owner.get(`${path}${query}`)).body.map(({ type, target, changes, count, actor }: Entry) => [
        type,
        target.name,
        actor.name,
        changes,
        count,
      ]);
    const before = (await listed()).length;
    const draft = (await member.post("/api/requests", { ...ENVELOPE, isDraft: true, workspaceId })).body;
    await member.put(`/api/requests/${draft.id}`, { ...ENVELOPE, isDraft: false });
    await member.patch(`/api/requests/${draft.id}`, { assigneeId: owner.id });
    const recipients = [1, 2].map((index) => ({
      recipientName: "R",
      recipientEmail: `r${index}@example.com`,
    }));
    const { recipientName: _n, recipientEmail: _e, ...shared } = ENVELOPE;
    await member.post("/api/requests/bulk", { envelope: { ...shared, workspaceId }, recipients });
    await api.finishBackgroundWork();
    const contacts = [{ firstName: "A" }, { firstName: "B" }];
    await member.post("/api/contacts/bulk", { contacts, match: "none", workspaceId });
    const ids = (await member.get(`/api/contacts?workspaceId=${workspaceId}`)).body.map(
      ({ id }: { id: number }) => id,
    );
    await member.post("/api/contacts/delete", { ids });
    const template = await member.post("/api/templates", {
      name: "Taxes",
      fields: [{ name: "a" }],
      workspaceId,
    });
    await member.delete(`/api/templates/${template.body.id}`);
    await owner.patch(`/api/workspaces/${workspaceId}`, { name: "Firm", brandName: null, retentionDays: 30 });
    await setRole(owner, member, "viewer");
    const [ada, none] = ["Ada Lovelace", [] as unknown[]];
    const boss = owner.email;
    const change = (field: string, from: string | null, to: string | null) => ({ field, from, to });
    expect((await listed()).slice(0, -before)).toEqual([
      ["member.role_changed", ada, boss, [change("role", "member", "viewer")], null],
      [
        ...["workspace.changed", "Firm", boss],
        [change("name", "My Workspace", "Firm"), change("retentionDays", null, "30")],
        null,
      ],
      ["template.deleted", "Taxes", ada, none, null],
      ["contacts.deleted", undefined, ada, none, 2],
      ["contacts.imported", undefined, ada, none, 2],
      ["request.sent", "Papers", ada, none, 2],
      ["request.assigned", "Papers · Rita Recipient", ada, [change("assignee", null, boss)], null],
      ["request.sent", "Papers · Rita Recipient", ada, none, null],
    ]);
    const types = async (query: string) => (await listed(query)).map(([type]: unknown[]) => type);
    expect(await types("?kind=settings")).toEqual(["workspace.changed"]);
    expect(await types(`?kind=requests&person=${member.id}`)).toEqual([
      "request.sent",
      "request.assigned",
      "request.sent",
    ]);
    expect(await types(`?kind=requests&person=${owner.id}`)).toEqual([]);
    for (const query of ["?kind=nothing", "?person=0", "?person=a"])
      expect((await owner.get(`${path}${query}`)).status).toBe(400);
    const csv = await owner.get(`${path}.csv?kind=settings`);
    expect(csv.text.split("\r\n").slice(0, 2)).toEqual([
      "time,person,action,name,count,changes",
      `2026-03-14T09:26:53.000Z,${boss},workspace.changed,Firm,,"name: My Workspace → Firm; retentionDays:  → 30"`,
    ]);
    expect(codeOf(await member.get(`${path}.csv`))).toEqual([403, "role_required"]);
  });

  test("downloads of an envelope's files by one person within an hour are one activity", async () => {
    const [owner, member] = await team("member");
    const { workspaceId } = owner;
    const envelope = await sendEnvelope(owner, { documents: [{ name: "One" }, { name: "Two" }] });
    const files = { One: pdfFile("1.pdf"), Two: pdfFile("2.pdf") };
    await api.anonymous().send("POST", linkOf(envelope), form(files));
    const download = async (client: SignedUp) => {
      await client.bytes(`/api/requests/${envelope.id}/files.zip`);
      await api.finishBackgroundWork();
    };
    await download(owner);
    await download(owner);
    await download(member);
    const { body } = await owner.get(`/api/workspaces/${workspaceId}/activity?kind=files`);
    expect(body.map(({ actor }: { actor: { userId: number } }) => actor.userId)).toEqual([
      member.id,
      owner.id,
    ]);
  });

  test("the role of an open invitation is changed, and its link makes the reader what it says then", async () => {
    const [owner, member] = await team("member");
    const { workspaceId } = owner;
    const guest = await api.signUp();
    const token = await inviteTo(api, owner, guest.email, "owner");
    const path = `/api/workspaces/${workspaceId}/invitations`;
    const [open] = (await owner.get(`/api/workspaces/${workspaceId}/members`)).body.invitations;
    const changed = await owner.patch(`${path}/${open.id}`, { role: "viewer" });
    expect([changed.status, changed.body.role]).toEqual([200, "viewer"]);
    expect(codeOf(await member.patch(`${path}/${open.id}`, { role: "owner" }))).toEqual([
      403,
      "role_required",
    ]);
    expect((await owner.patch(`${path}/${open.id}`, { role: "boss" })).status).toBe(400);
    expect((await owner.patch(`${path}/${open.id + 999}`, { role: "viewer" })).status).toBe(404);
    const [entry] = (await owner.get(`/api/workspaces/${workspaceId}/activity`)).body;
    expect([entry.type, entry.target, entry.changes]).toEqual([
      "invitation.changed",
      { email: guest.email },
      [{ field: "role", from: "owner", to: "viewer" }],
    ]);
    expect((await guest.post("/api/invitations/join", { token })).body.role).toBe("viewer");
    expect((await owner.patch(`${path}/${open.id}`, { role: "member" })).status).toBe(404);
  });

  test("activity is kept for a year, and at most 10,000 entries of a workspace", async () => {
    const owner = await api.signUp();
    const { body: other } = await owner.post("/api/workspaces", { name: "Other" });
    const fill = (id: number, count: number, createdAt: string) =>
      api.execute(
        `insert into workspace_activity (workspace_id, type, actor_id, actor_name, target, created_at)
         with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
         select ${id}, 'request.deleted', ${owner.id}, 'Ada', json_object('id', i), '${createdAt}' from n`,
      );
    await fill(other.id, 5, "2025-03-14T08:00:00.000Z");
    await fill(other.id, 5, "2025-03-14T11:00:00.000Z");
    await fill(owner.workspaceId, 10_002, "2026-03-14T08:00:00.000Z");
    await api.runJobs("2026-03-14T10:00:00.000Z");
    const kept = (id: number) =>
      api.select(
        `select count(*) as entries, min(target ->> '$.id') as first, min(created_at) as since from workspace_activity where workspace_id = ${id}`,
      );
    expect(await kept(owner.workspaceId)).toEqual([
      { entries: 10_000, first: 3, since: "2026-03-14T08:00:00.000Z" },
    ]);
    expect(await kept(other.id)).toEqual([{ entries: 5, first: 1, since: "2025-03-14T11:00:00.000Z" }]);
    await api.setClock(TEST_START);
  });

  test("however much else is recorded, who has left a workspace stays known", async () => {
    const [owner, member] = await team("member");
    const { workspaceId } = owner;
    expect((await owner.delete(`/api/workspaces/${workspaceId}/members/${member.id}`)).status).toBe(204);
    await api.execute(
      `insert into workspace_activity (workspace_id, type, actor_id, actor_name, target, created_at)
       with recursive n(i) as (select 1 union all select i + 1 from n where i < 10001)
       select ${workspaceId}, 'request.assigned', ${owner.id}, 'Ada', json_object('id', i), '${TEST_START}' from n`,
    );
    await api.runJobs("2026-03-14T11:00:00.000Z");
    const count = (type: string) =>
      api.select(
        `select count(*) as entries from workspace_activity where workspace_id = ${workspaceId} and type = '${type}'`,
      );
    expect(await count("request.assigned")).toEqual([{ entries: 10_000 }]);
    expect(await count("member.removed")).toEqual([{ entries: 1 }]);
    await api.setClock(TEST_START);
  });

  test("a removal that races reads and writes lets none pass afterwards", async () => {
    const [owner, member] = await team("member");
    const { workspaceId } = owner;
    const contact = (await owner.post("/api/contacts", { firstName: "Rita", workspaceId })).body.id;
    for (let round = 0; round < 10; round += 1) {
      const responses = await Promise.all([
        member.patch(`/api/contacts/${contact}`, { firstName: `Round ${round}` }),
        remove(owner, member, workspaceId),
        member.post("/api/contacts", { firstName: `Late ${round}`, workspaceId }),
      ]);
      expect(responses[1].status).toBe(204);
      const count = async () => (await owner.get(`/api/contacts?workspaceId=${workspaceId}`)).body.length;
      const before = await count();
      expect((await member.patch(`/api/contacts/${contact}`, { firstName: "Eve" })).status).toBe(404);
      expect((await member.post("/api/contacts", { firstName: "Eve", workspaceId })).status).toBe(404);
      expect(await count()).toBe(before);
      const token = await inviteTo(api, owner, member.email, "member");
      expect((await member.post("/api/invitations/join", { token })).status).toBe(200);
    }
  }, 240_000);

  test("an envelope has a contact and a template of its own workspace only", async () => {
    const [owner, member] = await team("member");
    const { workspaceId } = owner;
    const links = await linksIn(owner, workspaceId);
    const own = await linksIn(member, member.workspaceId);
    const draft = { ...ENVELOPE, isDraft: true, workspaceId: member.workspaceId };
    const { body: mine } = await member.post("/api/requests", { ...draft, ...own });
    for (const [link, code] of [
      [{ contactId: links.contactId }, "contact_not_found"],
      [{ templateId: links.templateId }, "template_not_found"],
    ] as const)
      for (const response of [
        await member.post("/api/requests", { ...draft, ...link }),
        await member.put(`/api/requests/${mine.id}`, { ...draft, ...link }),
      ])
        expect(codeOf(response)).toEqual([404, code]);

    const { body: shared } = await member.post("/api/requests", { ...draft, workspaceId, ...links });
    expect(shared).toMatchObject(links);
    const { body: moved } = await member.put(`/api/requests/${shared.id}`, { ...draft, ...links });
    const { workspaceId: there, contactId, templateId, contact } = moved;
    expect([there, contactId, templateId, contact]).toEqual([member.workspaceId, null, null, null]);
    expect((await owner.delete(`/api/templates/${links.templateId}`)).status).toBe(204);
  });

  test.each([
    ["the template", (owner: SignedUp, id: number) => owner.delete(`/api/templates/${id}`)],
    ["the workspace", (owner: SignedUp) => owner.delete(`/api/workspaces/${owner.workspaceId}`)],
    ["the account", (owner: SignedUp) => owner.delete("/api/user/account")],
  ])("an earlier version's draft elsewhere does not keep %s, nor shows its contact", async (_, end) => {
    const [owner, member] = await team("member");
    const { contactId, templateId } = await linksIn(owner, owner.workspaceId);
    const own = { ...(await linksIn(member, member.workspaceId)), workspaceId: member.workspaceId };
    const { body: draft } = await member.post("/api/requests", { ...ENVELOPE, isDraft: true, ...own });
    expect((await remove(owner, member, owner.workspaceId)).status).toBe(204);
    await api.execute(
      `update envelopes set contact_id = ${contactId}, template_id = ${templateId} where id = ${draft.id}`,
    );
    await api.execute(`update template_uses set template_id = ${templateId} where envelope_id = ${draft.id}`);
    expect((await member.get(`/api/requests/${draft.id}`)).body.contact).toBeNull();
    expect((await member.get("/api/requests")).body[0].contact).toBeNull();
    await owner.post("/api/workspaces", { name: "Second" });
    expect((await end(owner, templateId)).status).toBe(204);
    expect((await member.get(`/api/requests/${draft.id}`)).body.templateId).toBeNull();
  });
});

describeApi("invitations to a workspace with rate limits", { rateLimits: "on" }, (api) => {
  test("are 30 a day, and revoking gives none back", async () => {
    const owner = await api.signUp();
    const path = `/api/workspaces/${owner.workspaceId}/invitations`;
    const invite = () => owner.post(path, { email: newGuest(), role: "viewer" });
    for (let count = 0; count < 30; count += 1) {
      const { status, body } = await invite();
      expect(status).toBe(201);
      expect((await owner.delete(`${path}/${body.id}`)).status).toBe(204);
    }
    expect(codeOf(await invite())).toEqual([429, "rate_limited"]);
    const { body: other } = await owner.post("/api/workspaces", { name: "Another" });
    const elsewhere = { email: newGuest(), role: "viewer" };
    expect((await owner.post(`/api/workspaces/${other.id}/invitations`, elsewhere)).status).toBe(201);
    await api.setClock("2026-03-15T09:27:00.000Z");
    await owner.post("/api/reauthenticate", { password: owner.password });
    expect((await invite()).status).toBe(201);
  });

  test("reach one address 20 times an hour, from whichever workspace, however it is spelled", async () => {
    const owner = await api.signUp();
    const { body: other } = await owner.post("/api/workspaces", { name: "Another" });
    const guest = newGuest();
    const codes: (string | undefined)[] = [];
    for (let count = 0; count < 21; count += 1) {
      const id = count % 2 ? owner.workspaceId : other.id;
      const email = guest.replace("@", `+${count}@`);
      const response = await owner.post(`/api/workspaces/${id}/invitations`, { email, role: "viewer" });
      codes.push(response.body.code);
    }
    expect(codes).toEqual([...Array(20).fill(undefined), "too_many_messages"]);
  });
});

describeApi(
  "invitations to a workspace while sign-up is off",
  { variables: { SIGN_UP: "off" } },
  (api: Api) => {
    test("reach accounts only", async () => {
      const owner = await api.signUp();
      await api.execute(
        "insert into users (email, password, created_at) values ('second@example.com', '', '2026-03-14T09:26:53.000Z')",
      );
      const path = `/api/workspaces/${owner.workspaceId}/invitations`;
      expect(codeOf(await owner.post(path, { email: newGuest(), role: "member" }))).toEqual([
        403,
        "sign_up_closed",
      ]);
      const token = await inviteTo(api, owner, "second@example.com", "member");
      const read = await api.anonymous().post("/api/invitations/read", { token });
      expect([read.status, read.body.hasAccount]).toEqual([200, true]);
      await api.execute("delete from users where email = 'second@example.com'");
      const gone = await api.anonymous().post("/api/invitations/read", { token });
      expect(codeOf(gone)).toEqual([400, "invalid_token"]);
    });
  },
);

describeApi(
  "invitations to a workspace with rate limits, while sign-up is off",
  { rateLimits: "on", variables: { SIGN_UP: "off" } },
  (api: Api) => {
    test("tell of 30 addresses a day whether they have an account", async () => {
      const owner = await api.signUp();
      const path = `/api/workspaces/${owner.workspaceId}/invitations`;
      const codes: string[] = [];
      for (let count = 0; count < 31; count += 1)
        codes.push((await owner.post(path, { email: newGuest(), role: "viewer" })).body.code);
      expect(codes).toEqual([...Array(30).fill("sign_up_closed"), "rate_limited"]);
    });
  },
);
