import { expect, test } from "bun:test";
import { type ApiResponse, describeApi, programOf, type SignedUp } from "../support/api/client";
import { form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { joinAs } from "../support/api/team";
import { pdfFile } from "../support/files/files";
import { TEST_START } from "../support/runtime/runtime";

const later = (hours: number) => new Date(Date.parse(TEST_START) + hours * 3_600_000).toISOString();
const dayAfter = (days: number) => later(24 * days).slice(0, 10);

describeApi("conditional lists of envelopes", (api) => {
  const list = (person: Pick<SignedUp, "send">, query = "", etag = "") =>
    person.send("GET", `/api/requests${query}`, undefined, etag ? { "if-none-match": etag } : {});
  const etagOf = ({ headers }: ApiResponse) => headers.get("etag") ?? "";

  /** The list's tag, with which it counts as unchanged. */
  async function knownTag(person: Pick<SignedUp, "send">, query = ""): Promise<string> {
    const listed = await list(person, query);
    const etag = etagOf(listed);
    expect([listed.status, etag]).toEqual([200, expect.stringMatching(/^W\/"[\w/:.-]+"$/)]);
    const again = await list(person, query, etag);
    expect([again.status, again.text, etagOf(again)]).toEqual([304, "", etag]);
    return etag;
  }

  test("an unchanged list is 304 for any of the tags that the client knows, not for others", async () => {
    const owner = await api.signUp();
    await sendEnvelope(owner);
    await api.finishBackgroundWork();
    const etag = await knownTag(owner);
    expect(etagOf(await list(owner))).toBe(etag);
    for (const known of [`"a", ${etag}`, etag.replace("W/", "")])
      expect((await list(owner, "", known)).status).toBe(304);
    const hash = etag.slice('W/"'.length).split("/")[0];
    for (const unknown of ["*", '"a"', `W/"${hash}/0/Z1"`, `W/"${hash}"`, `W/"${"0".repeat(64)}/0/Z"`]) {
      const { status, body } = await list(owner, "", unknown);
      expect([unknown, status, body.length]).toEqual([unknown, 200, 1]);
    }
    const { headers } = await list(owner, "", etag);
    expect(headers.get("cache-control")).toBe("no-store");
  });

  test("a list has other tags for other queries, people, roles and tokens; empty ones and searches have none", async () => {
    const owner = await api.signUp();
    const [member, viewer] = [await joinAs(api, owner, "member"), await joinAs(api, owner, "viewer")];
    const contact = (await owner.post("/api/contacts", { firstName: "Rita", email: "rita@example.com" }))
      .body;
    for (let count = 0; count < 3; count += 1) await sendEnvelope(owner);
    await api.finishBackgroundWork();
    const first = (await list(owner)).body[0].id;
    const { workspaceId } = owner;
    const queries = ["", "?counts=1", "?limit=2", `?cursor=${first}`, `?workspaceId=${workspaceId}`];
    const filters = ["?assignee=me", `?assignee=${owner.id}`, `?contactId=${contact.id}`];
    const tags = new Map<string, string>();
    for (const query of [...queries, ...filters]) tags.set(await knownTag(owner, query), query);
    for (const person of [member, viewer]) tags.set(await knownTag(person), String(person.id));
    for (const limits of [{ scope: "read" }, { scope: "write", workspaceId }]) {
      const { body } = await owner.post("/api/tokens", { name: "One", ...limits });
      tags.set(await knownTag(programOf(api, body.token)), limits.scope);
    }
    expect(tags.size).toBe(queries.length + filters.length + 4);
    for (const etag of tags.keys()) {
      const unlike = [...queries, ...filters].filter((query) => query !== tags.get(etag));
      for (const query of unlike) expect((await list(owner, query, etag)).status).toBe(200);
    }
    for (const query of ["?search=Papers", "?search=Papers&counts=1", `?cursor=1`])
      expect((await list(owner, query)).headers.get("etag")).toBeNull();
  });

  test("each input of the response changes the tag", async () => {
    const owner = await api.signUp();
    const [member, viewer] = [await joinAs(api, owner, "member"), await joinAs(api, owner, "viewer")];
    const leaver = await joinAs(api, owner, "member");
    const { workspaceId } = owner;
    const contact = (await owner.post("/api/contacts", { firstName: "Rita", email: "sent@example.com" }))
      .body;
    const created = await sendEnvelope(leaver, { workspaceId });
    const sent = await sendEnvelope(owner, {
      ...{ contactId: contact.id, recipientEmail: "sent@example.com", dueDate: dayAfter(5) },
    });
    const draft = await sendEnvelope(owner, { isDraft: true });
    await api.finishBackgroundWork();
    const mail = (await api.mails()).find(({ to }) => to === "sent@example.com");
    const link = new URL(mail?.unsubscribeUrl ?? "http://none").pathname;
    const path = `/api/requests/${sent.id}`;
    const ofWorkspace = `/api/workspaces/${workspaceId}`;
    const submit = () => api.anonymous().post(linkOf(sent), form({ Contract: pdfFile() }));
    const ok = async (response: Promise<ApiResponse>) => {
      const { status, body } = await response;
      expect([status < 300, body]).toEqual([true, body]);
    };
    const steps: Record<string, () => Promise<unknown>> = {
      "an envelope that is created": () => ok(owner.post("/api/requests", { isDraft: true, workspaceId })),
      "one that is edited": () =>
        ok(owner.put(`/api/requests/${draft.id}`, { isDraft: true, subject: "Plans" })),
      "one that is deleted": () => ok(owner.delete(`/api/requests/${draft.id}`)),
      "one that is assigned": () => ok(owner.patch(path, { assigneeId: member.id })),
      "one that is assigned back": () => ok(owner.patch(path, { assigneeId: owner.id })),
      "one that is watched": () => ok(owner.post(`${path}/watch`)),
      "one that is no longer watched": () => ok(owner.delete(`${path}/watch`)),
      "a reminder": () => ok(owner.post(`${path}/remind`)),
      "the contact's name": () =>
        ok(owner.patch(`/api/contacts/${contact.id}`, { firstName: "Rita", lastName: "R." })),
      "the contact's address": () =>
        ok(owner.patch(`/api/contacts/${contact.id}`, { email: "r@example.com" })),
      "a deleted contact": () => ok(owner.delete(`/api/contacts/${contact.id}`)),
      "the caller's name": () =>
        ok(owner.patch("/api/user/profile", { firstName: "Olga", lastName: "Owner" })),
      "an assignee's name": () => ok(member.patch("/api/user/profile", { firstName: "Max", lastName: "M." })),
      "a member who leaves": () => ok(leaver.delete(`${ofWorkspace}/members/${leaver.id}`)),
      "the name of a creator who has left": () =>
        ok(leaver.patch("/api/user/profile", { firstName: "Lea", lastName: "Left" })),
      "a creator who is gone": () => ok(leaver.delete("/api/user/account")),
      "a recipient who stops mails": () => ok(api.anonymous().post(link)),
      "and allows them": () => ok(api.anonymous().delete(link)),
      "an envelope that is submitted": () => ok(submit()),
      "a submission that was seen": async () => {
        const { completedAt } = (await owner.get(path)).body;
        await ok(owner.post(`${path}/seen`, { completedAt }));
      },
      "a review": () => ok(owner.post(`${path}/review`, { accept: [sent.documents[0].id] })),
      "the workspace's retention": () => ok(owner.patch(ofWorkspace, { retentionDays: 90 })),
      "a file that is quarantined": () =>
        api.execute(`update submissions set scan_due_at = '${later(9999)}' where envelope_id = ${sent.id}`),
      "the caller's role": () => ok(owner.patch(`${ofWorkspace}/members/${viewer.id}`, { role: "member" })),
      "an envelope that expires by a job": () =>
        api.execute(`update requests set status = 'expired' where id = ${created.id}`),
    };
    const queries = ["?counts=1", `?workspaceId=${workspaceId}`, "?assignee=me", "?limit=1"];
    for (const [what, run] of Object.entries(steps)) {
      await api.finishBackgroundWork();
      const people = [owner, viewer].flatMap((person) => queries.map((query) => ({ person, query })));
      const before: { person: SignedUp; query: string; etag: string }[] = [];
      for (const { person, query } of people)
        if ((await list(person, query)).body.length > 0)
          before.push({ person, query, etag: await knownTag(person, query) });
      expect(before.length).toBeGreaterThan(4);
      await run();
      for (const { person, query, etag } of before)
        expect([what, query, (await list(person, query, etag)).status]).toEqual([what, query, 200]);
    }
  }, 60_000);

  test("who is removed from a workspace, or loses it, gets what is there now", async () => {
    const owner = await api.signUp();
    const member = await joinAs(api, owner, "member");
    await sendEnvelope(owner);
    await api.finishBackgroundWork();
    const query = `?workspaceId=${owner.workspaceId}`;
    const tags = [await knownTag(member), await knownTag(member, query)];
    await owner.delete(`/api/workspaces/${owner.workspaceId}/members/${member.id}`);
    expect((await list(member, "", tags[0])).body).toEqual([]);
    expect((await list(member, query, tags[1])).status).toBe(404);
  });

  test("an envelope that moves changes the lists of both workspaces", async () => {
    const owner = await api.signUp();
    const other = (await owner.post("/api/workspaces", { name: "Other" })).body.id;
    const moved = await sendEnvelope(owner, { isDraft: true });
    for (const workspaceId of [owner.workspaceId, other])
      await sendEnvelope(owner, { isDraft: true, workspaceId });
    const queries = [`?workspaceId=${owner.workspaceId}`, `?workspaceId=${other}`];
    const tags = [await knownTag(owner, queries[0]), await knownTag(owner, queries[1])];
    await owner.put(`/api/requests/${moved.id}`, { isDraft: true, workspaceId: other });
    for (const [index, query] of queries.entries())
      expect((await list(owner, query, tags[index])).status).toBe(200);
    expect((await list(owner, queries[1])).body).toHaveLength(2);
  });

  test("a change elsewhere keeps the tag", async () => {
    const [owner, stranger] = [await api.signUp(), await api.signUp()];
    await sendEnvelope(owner);
    await api.finishBackgroundWork();
    const query = `?workspaceId=${owner.workspaceId}&counts=1`;
    const etag = await knownTag(owner, query);
    await sendEnvelope(stranger);
    const { id } = (await owner.post("/api/workspaces", { name: "Other" })).body;
    await sendEnvelope(owner, { workspaceId: id });
    await owner.post("/api/contacts", { firstName: "New" });
    await api.finishBackgroundWork();
    expect((await list(owner, query, etag)).status).toBe(304);
  });

  test("a list changes when a due day or a link ends, on its page or among its counts, also if the clock goes back", async () => {
    await api.setClock(TEST_START);
    const owner = await api.signUp();
    await sendEnvelope(owner, { dueDate: dayAfter(2), expirationDate: dayAfter(4) });
    await sendEnvelope(owner);
    await api.finishBackgroundWork();
    const ends = [2, 4].map((days) => Date.parse(`${dayAfter(days)}T23:59:59.999Z`));
    const queries = ["", "?counts=1", "?limit=1", "?limit=1&counts=1"];
    const unaffected = ["?limit=1"];
    for (const end of ends) {
      await api.setClock(new Date(end).toISOString());
      const before = await Promise.all(queries.map((query) => knownTag(owner, query)));
      await api.setClock(new Date(end + 1).toISOString());
      const after = await Promise.all(queries.map((query) => knownTag(owner, query)));
      for (const [index, query] of queries.entries()) {
        const expected = unaffected.includes(query) ? 304 : 200;
        expect([query, (await list(owner, query, before[index])).status]).toEqual([query, expected]);
      }
      await api.setClock(new Date(end).toISOString());
      for (const [index, query] of queries.entries()) {
        const expected = unaffected.includes(query) ? 304 : 200;
        expect([query, (await list(owner, query, after[index])).status]).toEqual([query, expected]);
        expect(etagOf(await list(owner, query))).toBe(before[index] ?? "");
      }
    }
    await api.setClock(TEST_START);
  });

  test("a list has no tag while the time of a deletion moves with the clock", async () => {
    await api.setClock(TEST_START);
    const owner = await api.signUp();
    await owner.patch(`/api/workspaces/${owner.workspaceId}`, { retentionDays: 30 });
    const envelope = await sendEnvelope(owner);
    await api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }));
    await api.finishBackgroundWork();
    const last = (30 - 7) * 24;
    await api.setClock(later(last));
    const etag = await knownTag(owner);
    const at = new Date(Date.parse(later(last)) + 1).toISOString();
    await api.setClock(at);
    const moving = await list(owner, "", etag);
    expect([moving.status, moving.headers.get("etag")]).toEqual([200, null]);
    expect(moving.body[0].filesDeletionAt).toBe(new Date(Date.parse(at) + 7 * 86_400_000).toISOString());
    await api.setClock(TEST_START);
  });
});
