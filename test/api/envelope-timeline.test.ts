import { expect, test } from "bun:test";
import { type Api, describeApi, type SignedUp } from "../support/api/client";
import { ENVELOPE, form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { joinAs } from "../support/api/team";
import { pdfFile } from "../support/files/files";
import { TEST_START } from "../support/runtime/runtime";

type Entry = {
  kind: string;
  message?: string;
  detail?: string | null;
  actor?: string;
  address?: string | null;
};

const BY_OWNER = { actor: "requestor", address: "203.0.113.7" };
const BY_RECIPIENT = { actor: "recipient", address: "203.0.113.7" };
const BY_SERVICE = { actor: "service", address: null };

async function timelineOf(api: Api, owner: SignedUp, id: number): Promise<Entry[]> {
  await api.finishBackgroundWork();
  const { status, body } = await owner.get(`/api/requests/${id}/timeline`);
  expect(status).toBe(200);
  return body;
}

const kinds = (entries: Entry[]) =>
  entries.map(({ kind, message }) => (message ? `${kind} ${message}` : kind));

describeApi("the timeline of an envelope", (api) => {
  test("lists actions and messages in order", async () => {
    const owner = await api.signUp();
    const { body: draft } = await owner.post("/api/requests", { ...ENVELOPE, isDraft: true });
    expect(kinds(await timelineOf(api, owner, draft.id))).toEqual(["created"]);
    await owner.put(`/api/requests/${draft.id}`, { ...draft, isDraft: true });
    await api.setClock("2026-03-14T10:00:00.000Z");
    const { body: sent } = await owner.put(`/api/requests/${draft.id}`, {
      ...draft,
      updatedAt: null,
      isDraft: false,
    });
    await api.finishBackgroundWork();
    await api.setClock("2026-03-14T11:00:00.000Z");
    await owner.post(`/api/requests/${sent.id}/remind`);
    await api.finishBackgroundWork();
    await api.setClock("2026-03-14T12:00:00.000Z");
    await api.anonymous().post(`${linkOf(sent)}/opened`);
    await api.anonymous().post(linkOf(sent), form({ Contract: pdfFile() }));
    const timeline = await timelineOf(api, owner, sent.id);
    expect(kinds(timeline)).toEqual([
      ...["created", "updated", "sent", "delivery invitation", "reminded", "delivery reminder"],
      ...["opened", "submitted", "delivery submission", "delivery receipt"],
    ]);
    expect(timeline[0]).toEqual({
      ...{ kind: "created", at: TEST_START, detail: null, name: owner.email },
      ...BY_OWNER,
    } as Entry);
    expect(timeline[5]).toEqual({
      kind: "delivery",
      at: "2026-03-14T11:00:00.000Z",
      message: "reminder",
      channel: "email",
      recipient: ENVELOPE.recipientEmail,
      status: "sent",
      error: null,
      notificationId: expect.any(Number),
    } as Entry);
    await api.setClock(TEST_START);
  });

  test("each entry has its actor and address, and each delivery its result", async () => {
    const owner = await api.signUp();
    const { body: draft } = await owner.post("/api/requests", { ...ENVELOPE, isDraft: true });
    await owner.put(`/api/requests/${draft.id}`, { ...draft, isDraft: false, expirationDate: "2026-03-31" });
    await owner.post(`/api/requests/${draft.id}/remind`);
    await api.finishBackgroundWork();
    const { body: sent } = await owner.get(`/api/requests/${draft.id}/notifications`);
    await owner.post(`/api/requests/${draft.id}/notifications/${sent[0].id}/retry`);
    await api.runJobs("2026-04-01T00:00:00.000Z");
    await owner.put(`/api/requests/${draft.id}`, { ...draft, updatedAt: null, isDraft: false });
    await api.anonymous().post(`${linkOf(draft)}/opened`);
    await api.anonymous().post(linkOf(draft), form({ Contract: pdfFile() }));
    const { body: completed } = await owner.get(`/api/requests/${draft.id}`);
    await owner.get(`${completed.submissions[0].url}?download`);
    const events = (await timelineOf(api, owner, draft.id)).filter(({ kind }) => kind !== "delivery");
    expect(events.map(({ kind, actor, address }) => ({ kind, actor, address }))).toEqual([
      ...["created", "sent", "reminded", "resent"].map((kind) => ({ kind, ...BY_OWNER })),
      { kind: "expired", ...BY_SERVICE },
      { kind: "extended", ...BY_OWNER },
      { kind: "opened", ...BY_RECIPIENT },
      { kind: "submitted", ...BY_RECIPIENT },
      { kind: "downloaded", ...BY_OWNER },
    ]);
    await api.setClock(TEST_START);
  });

  test("shows the recipient's address to the whole workspace, those of colleagues to its owners", async () => {
    const owner = await api.signUp();
    const [member, viewer] = [await joinAs(api, owner, "member"), await joinAs(api, owner, "viewer")];
    const sent = await sendEnvelope(member, { workspaceId: owner.workspaceId });
    await api.anonymous().post(`${linkOf(sent)}/opened`);
    const addresses = async (reader: SignedUp) =>
      (await timelineOf(api, reader, sent.id))
        .filter(({ kind }) => kind !== "delivery")
        .map(({ kind, address }) => [kind, address]);
    const { address } = BY_OWNER;
    expect(await addresses(owner)).toEqual([
      ["created", address],
      ["sent", address],
      ["opened", address],
    ]);
    for (const reader of [member, viewer])
      expect(await addresses(reader)).toEqual([
        ["created", null],
        ["sent", null],
        ["opened", address],
      ]);
  });

  test("shows nobody else the address of a colleague once the envelope has moved to another workspace", async () => {
    const owner = await api.signUp();
    const member = await joinAs(api, owner, "member");
    const { workspaceId } = owner;
    const sent = (await owner.post("/api/requests", { ...ENVELOPE, workspaceId })).body;
    const read = (await member.get(`/api/requests/${sent.id}`)).body;
    const moved = { ...read, workspaceId: member.workspaceId, assigneeId: null };
    expect((await member.put(`/api/requests/${sent.id}`, moved)).status).toBe(200);
    const timeline = await timelineOf(api, member, sent.id);
    const addresses = timeline.flatMap((one) => (one.kind === "delivery" ? [] : [[one.kind, one.address]]));
    const { address } = BY_OWNER;
    expect(addresses.slice(0, 2)).toEqual([
      ["created", null],
      ["sent", null],
    ]);
    expect(addresses).toContainEqual(["moved", address]);
    const archive = new TextDecoder().decode(await member.bytes("/api/user/export"));
    expect(archive.match(/"kind": ?"created",[^}]*?"address": ?(null|"[^"]*")/)?.[1]).toBe("null");
  });

  test("an opening is recorded once, and only after an action of a person", async () => {
    const owner = await api.signUp();
    const sent = await sendEnvelope(owner);
    const recipient = api.anonymous();
    await recipient.get(linkOf(sent));
    await recipient.get(`/submit/${sent.submissionToken}`);
    expect((await recipient.get(`${linkOf(sent)}/opened`)).status).toBe(404);
    expect(kinds(await timelineOf(api, owner, sent.id))).not.toContain("opened");
    const openings = [1, 2, 3].map(() => recipient.post(`${linkOf(sent)}/opened`));
    for (const { status, text } of await Promise.all(openings)) expect([status, text]).toEqual([204, ""]);
    expect(kinds(await timelineOf(api, owner, sent.id)).filter((kind) => kind === "opened")).toHaveLength(1);

    expect((await recipient.post("/api/submissions/unknown/opened")).status).toBe(404);
    const { body: draft } = await owner.post("/api/requests", { isDraft: true });
    expect((await recipient.post(`${linkOf(draft)}/opened`)).status).toBe(404);
    await recipient.post(linkOf(sent), form({ Contract: pdfFile() }));
    expect((await recipient.post(`${linkOf(sent)}/opened`)).status).toBe(410);
  });

  test("the requestor opening the link is not recorded as the recipient", async () => {
    const owner = await api.signUp();
    const sent = await sendEnvelope(owner);
    expect((await owner.post(`${linkOf(sent)}/opened`)).status).toBe(204);
    expect(kinds(await timelineOf(api, owner, sent.id))).not.toContain("opened");
  });

  test("downloads by the owner are recorded, previews are not", async () => {
    const owner = await api.signUp();
    const sent = await sendEnvelope(owner);
    await api.anonymous().post(linkOf(sent), form({ Contract: pdfFile() }));
    const { body } = await owner.get(`/api/requests/${sent.id}`);
    const [{ url }] = body.submissions;
    const stranger = await api.signUp();
    await stranger.get(`${url}?download`);
    await owner.get(url);
    await owner.send("HEAD", `${url}?download`);
    await owner.get(`${url}?download`, { range: "bytes=5-9" });
    expect(kinds(await timelineOf(api, owner, sent.id))).not.toContain("downloaded");
    // Again within an hour is the same download.
    for (let time = 0; time < 2; time += 1) await owner.get(`${url}?download`);
    const timeline = await timelineOf(api, owner, sent.id);
    expect(timeline.filter(({ kind }) => kind === "downloaded")).toMatchObject([{ detail: "Contract" }]);
  });

  test("an expired envelope is extended under the same link, whether marked as expired yet or not", async () => {
    const owner = await api.signUp();
    const marked = await sendEnvelope(owner, { expirationDate: "2026-03-31" });
    await api.finishBackgroundWork();
    await api.runJobs("2026-04-01T00:00:00.000Z");
    await api.runJobs();
    const { body: expired } = await owner.get(`/api/requests/${marked.id}`);
    expect(expired.status).toBe("expired");
    const notices = await timelineOf(api, owner, marked.id);
    expect(notices.filter(({ kind }) => kind === "expired")).toMatchObject([{ detail: "2026-03-31" }]);
    const extended = await owner.put(`/api/requests/${marked.id}`, {
      ...expired,
      expirationDate: "2026-04-30",
    });
    expect(extended).toMatchObject({
      status: 200,
      body: { status: "pending", submissionToken: marked.submissionToken, expirationDate: "2026-04-30" },
    });
    expect((await api.anonymous().get(linkOf(marked))).status).toBe(200);
    const after = await timelineOf(api, owner, marked.id);
    expect(after.filter(({ kind }) => kind === "extended")).toMatchObject([{ detail: "2026-04-30" }]);
    expect(kinds(after)).toContain("delivery update");

    const unmarked = await sendEnvelope(owner, { expirationDate: "2026-04-02" });
    await api.setClock("2026-04-03T00:00:00.000Z");
    const { body: passed } = await owner.get(`/api/requests/${unmarked.id}`);
    await owner.put(`/api/requests/${unmarked.id}`, { ...passed, expirationDate: null });
    const open = await timelineOf(api, owner, unmarked.id);
    expect(open.filter(({ kind }) => kind === "extended")).toMatchObject([{ detail: null }]);
    await api.setClock(TEST_START);
  });

  test("failed actions are not recorded, and a deleted envelope leaves no entries", async () => {
    const owner = await api.signUp();
    const sent = await sendEnvelope(owner);
    const before = await timelineOf(api, owner, sent.id);
    expect((await owner.put(`/api/requests/${sent.id}`, { isDraft: true })).status).toBe(409);
    expect((await api.anonymous().post(linkOf(sent), form({ Other: pdfFile() }))).status).toBe(400);
    expect(await timelineOf(api, owner, sent.id)).toEqual(before);
    const responses = await Promise.all([
      api.anonymous().post(linkOf(sent), form({ Contract: pdfFile() })),
      api.anonymous().post(linkOf(sent), form({ Contract: pdfFile() })),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 410]);
    const after = kinds(await timelineOf(api, owner, sent.id));
    expect(after.filter((kind) => kind === "submitted")).toHaveLength(1);
    expect((await (await api.signUp()).get(`/api/requests/${sent.id}/timeline`)).status).toBe(404);
    await owner.delete(`/api/requests/${sent.id}`);
    expect(await api.select(`select id from envelope_events where envelope_id = ${sent.id}`)).toEqual([]);
  });
});
