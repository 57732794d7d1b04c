import { beforeAll, expect, test } from "bun:test";
import { type ApiResponse, describeApi, type SignedUp } from "../support/api/client";
import { ENVELOPE, form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { joinAs } from "../support/api/team";
import { pdfFile } from "../support/files/files";
import { readZip } from "../support/files/zip";

const NOT_ASSIGNABLE = [{ path: "assigneeId", message: "Please choose a member or owner of this workspace" }];
const idsOf = ({ body }: ApiResponse) => body.map(({ id }: { id: number }) => id);
const countsOf = ({ headers }: ApiResponse) => headers.get("envelope-counts")?.split(",")[0];

describeApi("the assignee of an envelope", (api) => {
  let owner: SignedUp;
  let member: SignedUp;
  let viewer: SignedUp;
  let stranger: SignedUp;
  let workspaceId: number;
  beforeAll(async () => {
    owner = await api.signUp();
    workspaceId = owner.workspaceId;
    member = await joinAs(api, owner, "member");
    viewer = await joinAs(api, owner, "viewer");
    stranger = await api.signUp();
    await member.patch("/api/user/profile", { firstName: "Max", lastName: "Mustermann" });
    await member.patch("/api/user/profile", { languagePreference: "de" });
  });
  const person = ({ id, email }: SignedUp, names: object = { firstName: null, lastName: null }) => ({
    userId: id,
    email,
    ...names,
  });
  const MAX = { firstName: "Max", lastName: "Mustermann" };
  const mailsTo = async (address: string) =>
    (await api.mails()).filter(({ to }: { to: string }) => to === address);

  test("is the creator by default, and whoever the payload names", async () => {
    const own = await sendEnvelope(owner, { workspaceId });
    expect([own.assignee, own.createdBy]).toEqual([person(owner), person(owner)]);
    const given = await sendEnvelope(owner, { workspaceId, assigneeId: member.id });
    expect([given.userId, given.assignee, given.createdBy]).toEqual([
      member.id,
      person(member, MAX),
      person(owner),
    ]);
    const { body: list } = await viewer.get(`/api/requests?workspaceId=${workspaceId}`);
    expect(list[0]).toMatchObject({ assignee: person(member, MAX), createdBy: person(owner) });
    const kept = await owner.put(`/api/requests/${given.id}`, ENVELOPE);
    expect(kept.body.assignee).toEqual(person(member, MAX));
    const changed = await owner.put(`/api/requests/${given.id}`, { ...ENVELOPE, assigneeId: owner.id });
    expect([changed.body.assignee, changed.body.createdBy]).toEqual([person(owner), person(owner)]);
  });

  test("is a member or owner: a viewer or a stranger is rejected", async () => {
    const { id } = await sendEnvelope(owner, { workspaceId });
    for (const assigneeId of [viewer.id, stranger.id, 999_999])
      for (const denied of [
        await owner.post("/api/requests", { ...ENVELOPE, workspaceId, assigneeId }),
        await owner.put(`/api/requests/${id}`, { ...ENVELOPE, assigneeId }),
        await owner.patch(`/api/requests/${id}`, { assigneeId }),
        await owner.post("/api/requests/preview", { ...ENVELOPE, workspaceId, assigneeId }),
      ])
        expect([denied.status, denied.body.issues]).toEqual([400, NOT_ASSIGNABLE]);
    expect((await viewer.patch(`/api/requests/${id}`, { assigneeId: owner.id })).status).toBe(403);
    expect((await stranger.patch(`/api/requests/${id}`, { assigneeId: stranger.id })).status).toBe(404);
  });

  test("is changed in every status, without a mail to the recipient, and the timeline names both", async () => {
    const recipientEmail = "quiet@example.com";
    const draft = await sendEnvelope(owner, { workspaceId, isDraft: true, recipientEmail });
    const pending = await sendEnvelope(owner, { workspaceId, recipientEmail });
    const completed = await sendEnvelope(owner, { workspaceId, recipientEmail });
    await api.anonymous().post(linkOf(completed), form({ Contract: pdfFile() }));
    await api.finishBackgroundWork();
    const before = (await mailsTo(recipientEmail)).length;
    for (const { id } of [draft, pending, completed]) {
      const { status, body } = await owner.patch(`/api/requests/${id}`, { assigneeId: member.id });
      expect([status, body.assignee]).toEqual([200, person(member, MAX)]);
      const events = (await owner.get(`/api/requests/${id}/timeline`)).body;
      expect(events.find(({ kind }: { kind: string }) => kind === "assigned")).toMatchObject({
        detail: "Max Mustermann",
        name: owner.email,
      });
    }
    await api.finishBackgroundWork();
    expect((await mailsTo(recipientEmail)).length).toBe(before);
  });

  test("is not changed by who has read an older version", async () => {
    const { id, updatedAt } = await sendEnvelope(owner, { workspaceId });
    const change = (client: SignedUp, assigneeId: number) =>
      client.patch(`/api/requests/${id}`, { assigneeId, updatedAt });
    const first = await change(member, member.id);
    expect([first.status, first.body.updatedAt > updatedAt]).toEqual([200, true]);
    const late = await change(owner, owner.id);
    expect([late.status, late.body.code, late.body.changedBy]).toEqual([409, "changed_meanwhile", MAX]);
    expect((await owner.get(`/api/requests/${id}`)).body.assignee.userId).toBe(member.id);
  });

  test("is the requestor whom the recipient sees, and to whom they answer", async () => {
    const recipientEmail = "seen@example.com";
    const envelope = await sendEnvelope(owner, {
      ...{ workspaceId, recipientEmail, assigneeId: member.id, subject: "For Max" },
    });
    await api.finishBackgroundWork();
    const [invitation] = await mailsTo(recipientEmail);
    expect(invitation?.from).toContain("Max Mustermann via");
    expect([invitation?.replyTo, invitation?.text]).toEqual([
      member.email,
      expect.stringContaining("Max Mustermann"),
    ]);
    const shown = { ...ENVELOPE, workspaceId, assigneeId: member.id };
    const preview = await owner.post("/api/requests/preview", shown);
    expect(preview.body.email.from).toBe(invitation?.from);
    expect((await api.anonymous().get(linkOf(envelope))).body.user).toMatchObject(MAX);
    await api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }));
    await api.finishBackgroundWork();
    const receipt = (await mailsTo(recipientEmail)).at(-1);
    expect(receipt?.from).toContain("Max Mustermann via");
    const notices = await mailsTo(member.email);
    expect(notices.at(-1)?.subject).toContain("hat die Dokumente geschickt");
    expect((await mailsTo(owner.email)).filter(({ text }) => text.includes(envelope.subject))).toEqual([]);
  });

  test("has an owner stand in for the notices while their account is disabled", async () => {
    const owner = await api.signUp();
    const member = await joinAs(api, owner, "member");
    const own = { workspaceId: owner.workspaceId, assigneeId: member.id };
    const envelope = await sendEnvelope(owner, own);
    const watched = await sendEnvelope(owner, own);
    await owner.put(`/api/requests/${watched.id}/watch`);
    await api.execute(`update users set disabled_at = '2026-03-14T09:26:53.000Z' where id = ${member.id}`);
    const sent = await api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }));
    expect(sent.status).toBe(201);
    await api.anonymous().post(linkOf(watched), form({ Contract: pdfFile() }));
    await api.finishBackgroundWork();
    const subjects = async ({ email }: SignedUp) => (await mailsTo(email)).map(({ subject }) => subject);
    const told = (await subjects(owner)).filter((subject) => subject.includes("has sent the documents"));
    expect(told).toHaveLength(2);
    expect(await subjects(member)).not.toContainEqual(expect.stringContaining("has sent the documents"));
  });

  test("filters the list and its counts", async () => {
    const boss = await api.signUp();
    const helper = await joinAs(api, boss, "member");
    const own = { workspaceId: boss.workspaceId };
    const mine = await sendEnvelope(boss, own);
    const theirs = [
      await sendEnvelope(boss, { ...own, assigneeId: helper.id }),
      await sendEnvelope(helper, { ...own, isDraft: true }),
    ].map(({ id }) => id);
    const path = `/api/requests?workspaceId=${boss.workspaceId}&counts=1`;
    const listed = async (client: SignedUp, assignee: unknown, query = "") => {
      const response = await client.get(`${path}&assignee=${assignee}${query}`);
      return [idsOf(response), countsOf(response)];
    };
    expect(await listed(boss, "me")).toEqual([[mine.id], "all=1"]);
    expect(await listed(helper, "me")).toEqual([theirs.toReversed(), "all=2"]);
    expect(await listed(boss, helper.id)).toEqual([theirs.toReversed(), "all=2"]);
    expect(await listed(boss, helper.id, "&limit=1")).toEqual([[theirs[1]], "all=2"]);
    expect(await listed(boss, helper.id, `&cursor=${theirs[1]}`)).toEqual([[theirs[0]], "all=2"]);
    expect(await listed(boss, stranger.id)).toEqual([[], "all=0"]);
    const { body: contact } = await boss.post("/api/contacts", {
      ...{ firstName: "Rita", email: ENVELOPE.recipientEmail, workspaceId: boss.workspaceId },
    });
    const ofContact = await boss.get(`/api/requests?contactId=${contact.id}&assignee=me`);
    expect(idsOf(ofContact)).toEqual([mine.id]);
    expect(idsOf(await boss.get("/api/requests?assignee=me"))).toEqual([mine.id]);
    for (const assignee of ["you", "0", "-1"])
      expect((await boss.get(`/api/requests?assignee=${assignee}`)).status).toBe(400);
  });

  test("may be in another workspace only by who is a member of both; the caller takes over what they may not have", async () => {
    const envelope = await sendEnvelope(owner, { workspaceId, assigneeId: member.id });
    const move = (client: SignedUp, to: number, changes: object = {}) =>
      client.put(`/api/requests/${envelope.id}`, { ...ENVELOPE, workspaceId: to, ...changes });
    expect((await move(member, stranger.workspaceId)).status).toBe(404);
    const second = (await owner.post("/api/workspaces", { name: "Second" })).body.id;
    const rejected = await move(owner, second, { assigneeId: member.id });
    expect([rejected.status, rejected.body.issues]).toEqual([400, NOT_ASSIGNABLE]);
    expect((await move(viewer, viewer.workspaceId)).status).toBe(403);
    expect((await move(owner, second)).body.assignee).toEqual(person(owner));
    expect((await member.get(`/api/requests/${envelope.id}`)).status).toBe(404);
  });

  test("keeps the names of a creator whose account is gone", async () => {
    const guest = await joinAs(api, owner, "member");
    await guest.patch("/api/user/profile", { firstName: "Grace" });
    const envelope = await sendEnvelope(guest, { workspaceId, assigneeId: member.id });
    expect((await guest.delete("/api/user/account")).status).toBe(204);
    const { body } = await owner.get(`/api/requests/${envelope.id}`);
    expect([body.createdBy, body.assignee.userId]).toEqual([
      { userId: null, firstName: "Grace", lastName: null, email: null },
      member.id,
    ]);
  });

  test("may not have envelopes of a workspace that they leave while they are assigned", async () => {
    for (let round = 0; round < 5; round += 1) {
      const helper = await joinAs(api, owner, "member");
      const envelope = await sendEnvelope(owner, { workspaceId });
      await Promise.all([
        owner.patch(`/api/requests/${envelope.id}`, { assigneeId: helper.id }),
        owner.delete(`/api/workspaces/${workspaceId}/members/${helper.id}`),
        owner.post("/api/requests", { ...ENVELOPE, workspaceId, assigneeId: helper.id }),
      ]);
      expect(await api.select(`select id from envelopes where user_id = ${helper.id}`)).toEqual([]);
    }
  });
});

describeApi("an envelope that moves to another workspace", (api) => {
  test("says so in its timeline, and who is no member there gets no notices of it any more", async () => {
    const owner = await api.signUp();
    const [member, viewer] = [await joinAs(api, owner, "member"), await joinAs(api, owner, "viewer")];
    const { body: second } = await owner.post("/api/workspaces", { name: "Taxes" });
    const envelope = await sendEnvelope(owner, { workspaceId: owner.workspaceId });
    for (const person of [owner, member, viewer])
      expect((await person.post(`/api/requests/${envelope.id}/watch`)).status).toBe(204);
    await api.setMail("down");
    await api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }));
    await api.finishBackgroundWork();
    const { body: completed } = await owner.get(`/api/requests/${envelope.id}`);
    const returned = [{ documentId: completed.documents[0].id, reason: "blurry" }];
    await owner.post(`/api/requests/${envelope.id}/review`, { return: returned });
    const documents = completed.documents;
    const moved = await owner.put(`/api/requests/${envelope.id}`, {
      ...{ ...ENVELOPE, documents, workspaceId: second.id },
    });
    expect([moved.status, moved.body.workspaceId, moved.body.watching]).toEqual([200, second.id, true]);
    const idsIn = (table: string, more = "") =>
      api.select(`select user_id from ${table} where envelope_id = ${envelope.id}${more}`);
    expect(await idsIn("envelope_watchers")).toEqual([{ user_id: owner.id }]);
    expect(await idsIn("notifications", " and kind = 'submission'")).toEqual([{ user_id: owner.id }]);
    const { body: timeline } = await owner.get(`/api/requests/${envelope.id}/timeline`);
    const moves = timeline.filter(({ kind }: { kind: string }) => kind === "moved");
    expect(moves).toMatchObject([{ detail: "Taxes", actor: "requestor", name: owner.email }]);
    await owner.put(`/api/requests/${envelope.id}`, { ...ENVELOPE, documents, workspaceId: second.id });
    const again = (await owner.get(`/api/requests/${envelope.id}/timeline`)).body;
    expect(again.filter(({ kind }: { kind: string }) => kind === "moved")).toHaveLength(1);
    // The owners of the workspace that it has left do not see its timeline any more.
    const activity = (await owner.get(`/api/workspaces/${owner.workspaceId}/activity`)).body;
    const recorded = activity.filter(({ type }: { type: string }) => type === "request.moved");
    expect(recorded).toMatchObject([{ target: { id: envelope.id }, actor: { userId: owner.id } }]);
    await api.setMail("works");
  });
});

describeApi("watching an envelope", (api) => {
  const noticesOf = (envelope: { id: number }) =>
    api.select(
      `select u.email from notifications n join users u on u.id = n.user_id where n.envelope_id = ${envelope.id} and n.kind = 'submission' order by u.id`,
    );
  const submit = (envelope: { submissionToken: string }) =>
    api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }));
  const watch = (client: SignedUp, { id }: { id: number }) => client.post(`/api/requests/${id}/watch`);

  test("brings the notices of submissions, to each person once", async () => {
    const owner = await api.signUp();
    const [member, viewer, former] = [
      await joinAs(api, owner, "member"),
      await joinAs(api, owner, "viewer"),
      await joinAs(api, owner, "viewer"),
    ];
    const { workspaceId } = owner;
    const envelope = await sendEnvelope(member, { workspaceId });
    for (const person of [owner, viewer, viewer, former, member])
      expect((await watch(person, envelope)).status).toBe(204);
    const watching = async (client: SignedUp) =>
      (await client.get(`/api/requests?workspaceId=${workspaceId}`)).body[0].watching;
    expect([await watching(viewer), await watching(owner)]).toEqual([true, true]);
    expect((await owner.delete(`/api/requests/${envelope.id}/watch`)).status).toBe(204);
    expect((await owner.delete(`/api/requests/${envelope.id}/watch`)).status).toBe(204);
    expect(await watching(owner)).toBe(false);
    await owner.delete(`/api/workspaces/${workspaceId}/members/${former.id}`);
    await viewer.patch("/api/user/profile", { languagePreference: "de" });
    await submit(envelope);
    expect(await noticesOf(envelope)).toEqual([{ email: member.email }, { email: viewer.email }]);
    await api.finishBackgroundWork();
    const mails = (await api.mails()).filter(({ to }: { to: string }) => to === viewer.email);
    expect(mails.at(-1)?.subject).toContain("hat die Dokumente geschickt");
  });

  test("is for who may see the envelope", async () => {
    const [owner, stranger] = [await api.signUp(), await api.signUp()];
    const envelope = await sendEnvelope(owner);
    expect((await watch(stranger, envelope)).status).toBe(404);
    expect((await stranger.delete(`/api/requests/${envelope.id}/watch`)).status).toBe(404);
    const { body } = await owner.post("/api/tokens", { name: "Reader", scope: "read" });
    const headers = { authorization: `Bearer ${body.token}` };
    const path = `/api/requests/${envelope.id}/watch`;
    expect((await api.anonymous().send("POST", path, undefined, headers)).status).toBe(403);
  });

  test("a new assignee who watches gets no second notice, and the notices of who leaves are not sent", async () => {
    const owner = await api.signUp();
    const [member, viewer] = [await joinAs(api, owner, "member"), await joinAs(api, owner, "viewer")];
    const envelope = await sendEnvelope(member, { workspaceId: owner.workspaceId });
    await watch(owner, envelope);
    await watch(viewer, envelope);
    await api.setMail("down");
    await submit(envelope);
    await api.finishBackgroundWork();
    expect(await noticesOf(envelope)).toHaveLength(3);
    await owner.patch(`/api/requests/${envelope.id}`, { assigneeId: owner.id });
    await owner.delete(`/api/workspaces/${owner.workspaceId}/members/${viewer.id}`);
    expect(await noticesOf(envelope)).toEqual([{ email: owner.email }]);
    await api.setMail("works");
  });

  test("is in the account's export, and ends when the member leaves", async () => {
    const owner = await api.signUp();
    const member = await joinAs(api, owner, "member");
    const envelope = await sendEnvelope(owner, { assigneeId: member.id });
    await watch(owner, envelope);
    await watch(member, envelope);
    const files = readZip(await owner.bytes("/api/user/export"));
    const data = JSON.parse(new TextDecoder().decode(files.get("data.json")));
    expect(data.envelopes[0]).toMatchObject({
      ...{ watching: true, assignee: { userId: member.id }, createdBy: { userId: owner.id } },
    });
    await owner.delete(`/api/workspaces/${owner.workspaceId}/members/${member.id}`);
    expect(
      await api.select(`select user_id from envelope_watchers where envelope_id = ${envelope.id}`),
    ).toEqual([{ user_id: owner.id }]);
  });
});

describeApi("a submission", (api) => {
  test("is new until anybody of the workspace has opened it; a colleague's visit to the link is not its opening", async () => {
    const owner = await api.signUp();
    const viewer = await joinAs(api, owner, "viewer");
    const envelope = await sendEnvelope(owner);
    expect((await viewer.post(`${linkOf(envelope)}/opened`)).status).toBe(204);
    const kinds = async () =>
      (await owner.get(`/api/requests/${envelope.id}/timeline`)).body.map(
        ({ kind }: { kind: string }) => kind,
      );
    expect(await kinds()).not.toContain("opened");
    await api.anonymous().post(`${linkOf(envelope)}/opened`);
    expect(await kinds()).toContain("opened");
    await api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }));
    const isNew = async () => (await owner.get(`/api/requests/${envelope.id}`)).body;
    const { completedAt } = await isNew();
    expect((await isNew()).isNew).toBe(true);
    await viewer.post(`/api/requests/${envelope.id}/seen`, { completedAt });
    expect((await isNew()).isNew).toBe(false);
  });
});
