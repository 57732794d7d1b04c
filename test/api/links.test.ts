import { describe, expect, test } from "bun:test";
import { type Api, type ApiResponse, describeApi, programOf, type SignedUp } from "../support/api/client";
import { ENVELOPE, form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { pausing } from "../support/api/multipart";
import { joinAs } from "../support/api/team";
import { CHUNK_TYPE, createTus, locationOf, TUS } from "../support/api/tus";
import { largePdfFile, pdfFile } from "../support/files/files";
import { TEST_START } from "../support/runtime/runtime";
import { waitFor } from "../support/wait";

const HOUR_MS = 60 * 60 * 1000;
const after = (hours: number) => new Date(Date.parse(TEST_START) + hours * HOUR_MS).toISOString();
const SENTENCE = "This link was replaced. A newer message has the new link.";
const PHONE = { recipientPhone: "+14155550123", notificationPreference: "both" };

const outcome = ({ status, body }: ApiResponse) => [status, body?.code ?? null];
const REPLACED = [410, "link_replaced"];

/** The links in the messages to the recipient, oldest first. */
async function sentLinks(api: Api, to: string): Promise<string[]> {
  await api.finishBackgroundWork();
  const messages = [...(await api.mails()), ...(await api.texts())].filter((message) => message.to === to);
  return messages.flatMap(({ text }) => /\/submit\/([\w-]+)/.exec(text)?.[1] ?? []);
}

let recipients = 0;
const newAddress = () => {
  recipients += 1;
  return `recipient${recipients}@example.org`;
};

async function uploaded(api: Api, owner: SignedUp) {
  const envelope = await sendEnvelope(owner, { recipientEmail: newAddress() });
  const location = await createTus(api, envelope).upload(envelope.documents[0].id, pdfFile());
  return { envelope, location };
}

describeApi("a recipient's link", (api) => {
  describe("is replaced when an address that has it changes", () => {
    const CASES = [
      ["another e-mail address", {}, { recipientEmail: "right@example.org" }, true],
      ["another number", PHONE, { ...PHONE, recipientPhone: "+14155550199" }, true],
      ["no number any more", PHONE, { recipientPhone: null }, true],
      ["another name and subject", {}, { recipientName: "Rita R.", subject: "More papers" }, false],
      ["an address added", {}, PHONE, false],
      ["the number of somebody who gets mails only", { recipientPhone: "+14155550123" }, PHONE, false],
      [
        "a number that never got a message",
        { recipientPhone: "+14155550123" },
        { recipientPhone: "+14155550199" },
        false,
      ],
    ] as const;
    test.each(CASES)("%s", async (_, before, after, isReplaced) => {
      const owner = await api.signUp();
      const recipientEmail = newAddress();
      const { id, submissionToken } = await sendEnvelope(owner, { recipientEmail, ...before });
      const sent = { ...ENVELOPE, recipientEmail, ...after };
      const { status, body } = await owner.put(`/api/requests/${id}`, sent);
      expect([status, body.submissionToken !== submissionToken]).toEqual([200, isReplaced]);
      const old = await api.anonymous().get(linkOf({ submissionToken }));
      expect(outcome(old)).toEqual(isReplaced ? REPLACED : [200, null]);
      expect((await api.anonymous().get(linkOf(body))).status).toBe(200);
      expect((await sentLinks(api, sent.recipientEmail)).at(-1)).toBe(body.submissionToken);
    });

    test("also if the address was written to before and is not any more", async () => {
      const owner = await api.signUp();
      const recipientEmail = newAddress();
      const { id, submissionToken } = await sendEnvelope(owner, { recipientEmail });
      const path = `/api/requests/${id}`;
      const bySms = { ...ENVELOPE, ...PHONE, notificationPreference: "sms", recipientEmail };
      expect((await owner.put(path, bySms)).body.submissionToken).toBe(submissionToken);
      const { body } = await owner.put(path, { ...bySms, recipientEmail: newAddress() });
      expect(body.submissionToken).not.toBe(submissionToken);
    });

    test("but not that of a draft, which nobody has", async () => {
      const owner = await api.signUp();
      const { id, submissionToken } = await sendEnvelope(owner, { isDraft: true });
      const changed = { ...ENVELOPE, recipientEmail: newAddress() };
      for (const isDraft of [true, false]) {
        const { body } = await owner.put(`/api/requests/${id}`, { ...changed, isDraft });
        expect(body.submissionToken).toBe(submissionToken);
      }
    });

    test("and the timeline says so", async () => {
      const owner = await api.signUp();
      const { id } = await sendEnvelope(owner, { recipientEmail: newAddress() });
      await owner.put(`/api/requests/${id}`, { ...ENVELOPE, recipientEmail: newAddress() });
      const { body } = await owner.get(`/api/requests/${id}/timeline`);
      const kinds = body
        .map(({ kind }: { kind: string }) => kind)
        .filter((kind: string) => kind !== "delivery");
      expect(kinds).toEqual(["created", "sent", "updated", "link_replaced"]);
    });
  });

  test("is copied by members, and the timeline says by whom, once an hour and for each link", async () => {
    const owner = await api.signUp();
    const member = await joinAs(api, owner, "member");
    const viewer = await joinAs(api, owner, "viewer");
    const { id, submissionToken } = await sendEnvelope(owner, { recipientEmail: newAddress() });
    const copies = async () => {
      const { body } = await owner.get(`/api/requests/${id}/timeline`);
      const events: { kind: string; name: string }[] = body;
      return events.flatMap(({ kind, name }) => (kind === "link_copied" ? [name] : []));
    };
    const copy = (client: SignedUp) => client.post(`/api/requests/${id}/link-copies`);
    for (const client of [member, member, owner]) {
      const { status, body } = await copy(client);
      expect([status, body]).toEqual([200, { submissionToken }]);
    }
    expect(await copies()).toEqual([member.email, owner.email]);
    expect(outcome(await copy(viewer))).toEqual([403, "role_required"]);
    expect(outcome(await copy(await api.signUp()))).toEqual([404, "envelope_not_found"]);
    const replaced = await owner.post(`/api/requests/${id}/link`);
    expect((await copy(owner)).body).toEqual({ submissionToken: replaced.body.submissionToken });
    expect(await copies()).toEqual([member.email, owner.email, owner.email]);
    await api.setClock(after(2));
    await Promise.all([copy(owner), copy(owner)]);
    await api.setClock(TEST_START);
    expect(await copies()).toEqual([member.email, owner.email, owner.email, owner.email]);
  });

  describe("is replaced on demand", () => {
    test("and the recipient gets the new one, with which what was uploaded is submitted", async () => {
      const owner = await api.signUp();
      const { envelope } = await uploaded(api, owner);
      const { status, body } = await owner.post(`/api/requests/${envelope.id}/link`);
      expect(status).toBe(200);
      const links = await sentLinks(api, envelope.recipientEmail);
      expect(links).toEqual([envelope.submissionToken, body.submissionToken]);
      expect((await owner.get("/api/requests")).body[0].submissionToken).toBe(body.submissionToken);
      const submitted = await createTus(api, body).submit();
      expect([submitted.status, submitted.body.submissions.length]).toEqual([201, 1]);
      const timeline = await owner.get(`/api/requests/${envelope.id}/timeline`);
      expect(timeline.body.map(({ kind }: { kind: string }) => kind)).toContain("link_replaced");
      expect(outcome(await api.anonymous().get(linkOf(envelope)))).toEqual(REPLACED);
    });

    test("and every call of the old one says nothing but that", async () => {
      const owner = await api.signUp();
      const { envelope, location } = await uploaded(api, owner);
      const { body } = await owner.post(`/api/requests/${envelope.id}/link`);
      const link = linkOf(envelope);
      const chunk = { ...TUS, "Content-Type": CHUNK_TYPE, "Upload-Offset": "0" };
      const client = api.anonymous();
      const responses = [
        await client.get(link),
        await client.get(`${link}/picture`),
        await client.get(`${link}/logo`),
        await client.post(`${link}/opened`),
        await client.post(`${link}/messages`, { text: "Hello" }),
        await client.post(link, form({ Contract: pdfFile() })),
        await client.post(`${link}/submit`, {}),
        await client.send("POST", `${link}/uploads`, undefined, { ...TUS, "Upload-Length": "5" }),
        await client.send("PATCH", location, new Uint8Array(1), chunk),
        await client.send("DELETE", location, undefined, TUS),
      ];
      for (const response of responses) {
        expect(response.status).toBe(410);
        expect(response.body).toEqual({ message: SENTENCE, code: "link_replaced" });
      }
      expect((await client.send("HEAD", location, undefined, TUS)).status).toBe(410);
      expect((await createTus(api, body).document(envelope.documents[0].id)).files).toHaveLength(1);
    });

    test("and a request that still sends bytes with the old one adds nothing from then on", async () => {
      const owner = await api.signUp();
      const envelope = await sendEnvelope(owner, { recipientEmail: newAddress() });
      const [{ id: documentId }] = envelope.documents;
      const bytes = await largePdfFile(200_000).bytes();
      const tus = createTus(api, envelope);
      const location = locationOf(await tus.create(documentId, "a.pdf", bytes.length));
      const { stream, resume } = pausing(bytes, 100_000);
      const response = tus.patch(location, 0, stream);
      const row = `select locked_by from uploads where id = '${location.split("/").at(-1)}'`;
      await waitFor("the lock", async () => (await api.select(row))[0]?.locked_by);
      const { body } = await owner.post(`/api/requests/${envelope.id}/link`);
      resume();
      expect((await response).status).toBe(404);
      const [file] = (await createTus(api, body).document(documentId)).files;
      expect(file.uploadedBytes).toBeLessThan(bytes.length - 1);
    });

    test("and a submission at the same moment happens with one of the two, or not at all", async () => {
      const owner = await api.signUp();
      const { envelope } = await uploaded(api, owner);
      const [submitted, replaced] = await Promise.all([
        createTus(api, envelope).submit(),
        owner.post(`/api/requests/${envelope.id}/link`),
      ]);
      const { body } = await owner.get(`/api/requests/${envelope.id}`);
      expect([submitted.status, replaced.status, body.status]).toBeOneOf([
        [201, 409, "completed"],
        [410, 200, "pending"],
      ]);
    });

    test("in the language of the messages", async () => {
      const owner = await api.signUp();
      await owner.patch("/api/user/profile", { languagePreference: "de" });
      const messageOf = async (changes: object) => {
        const envelope = await sendEnvelope(owner, { recipientEmail: newAddress(), ...changes });
        await owner.post(`/api/requests/${envelope.id}/link`);
        return (await api.anonymous().get(linkOf(envelope))).body.message;
      };
      expect(await messageOf({})).toStartWith("Dieser Link wurde ersetzt.");
      expect(await messageOf({ language: "fr" })).toStartWith("Ce lien a été remplacé.");
    });

    test("only while the recipient may submit", async () => {
      const owner = await api.signUp();
      const draft = await sendEnvelope(owner, { isDraft: true });
      const completed = await sendEnvelope(owner, { recipientEmail: newAddress() });
      await api.anonymous().post(linkOf(completed), form({ Contract: pdfFile() }));
      for (const { id } of [draft, completed])
        expect(outcome(await owner.post(`/api/requests/${id}/link`))).toEqual([409, "envelope_not_open"]);
    });

    test("even if the recipient does not want mails, of which none is sent", async () => {
      const owner = await api.signUp();
      const envelope = await sendEnvelope(owner, { recipientEmail: newAddress() });
      await api.finishBackgroundWork();
      const mail = (await api.mails()).findLast(({ to }) => to === envelope.recipientEmail);
      const { pathname } = new URL(mail?.unsubscribeUrl ?? "");
      const form = { "Content-Type": "application/x-www-form-urlencoded" };
      await api.anonymous().send("POST", pathname, "List-Unsubscribe=One-Click", form);
      const { status, body } = await owner.post(`/api/requests/${envelope.id}/link`);
      expect(status).toBe(200);
      expect(await sentLinks(api, envelope.recipientEmail)).toEqual([envelope.submissionToken]);
      expect(outcome(await api.anonymous().get(linkOf(envelope)))).toEqual(REPLACED);
      expect((await api.anonymous().get(linkOf(body))).status).toBe(200);
    });

    test("of an envelope of somebody else only after a recent sign-in", async () => {
      await api.setClock(TEST_START);
      const owner = await api.signUp();
      const [member, viewer] = [await joinAs(api, owner, "member"), await joinAs(api, owner, "viewer")];
      const theirs = await sendEnvelope(owner, { recipientEmail: newAddress() });
      const own = await sendEnvelope(member, {
        workspaceId: owner.workspaceId,
        recipientEmail: newAddress(),
      });
      const { token } = (await owner.post("/api/tokens", { name: "Sync", scope: "write" })).body;
      await api.setClock(after(1));
      const replace = (who: Pick<SignedUp, "post">, { id }: { id: number }) =>
        who.post(`/api/requests/${id}/link`);
      expect((await replace(member, own)).status).toBe(200);
      expect(outcome(await replace(owner, own))).toEqual([403, "reauthentication_required"]);
      expect(outcome(await replace(member, theirs))).toEqual([403, "reauthentication_required"]);
      expect(outcome(await replace(viewer, own))).toEqual([403, "role_required"]);
      await member.post("/api/reauthenticate", { password: member.password });
      expect((await replace(member, theirs)).status).toBe(200);
      expect((await replace(programOf(api, token), own)).status).toBe(200);
    });

    test("again and again: the database has hashes of the latest twenty, which go with the envelope", async () => {
      const owner = await api.signUp();
      const envelope = await sendEnvelope(owner, { recipientEmail: newAddress() });
      const tokens = [envelope.submissionToken];
      for (let count = 0; count < 22; count += 1) {
        await api.setClock(after(count));
        tokens.push((await owner.post(`/api/requests/${envelope.id}/link`)).body.submissionToken);
      }
      const stored = `select token_hash from replaced_links where envelope_id = ${envelope.id}`;
      const rows = await api.select(stored);
      expect(rows).toHaveLength(20);
      for (const token of tokens) expect(JSON.stringify(rows)).not.toContain(token);
      const responses = await Promise.all(
        tokens.map((submissionToken) => api.anonymous().get(linkOf({ submissionToken }))),
      );
      expect(responses.map(({ status }) => status)).toEqual([404, 404, ...Array(20).fill(410), 200]);
      await owner.delete(`/api/requests/${envelope.id}`);
      expect(await api.select(stored)).toEqual([]);
      expect((await api.anonymous().get(linkOf({ submissionToken: tokens[5] }))).status).toBe(404);
    });

    test("at the same moment by two people gives one new link", async () => {
      const owner = await api.signUp();
      const envelope = await sendEnvelope(owner, { recipientEmail: newAddress() });
      const path = `/api/requests/${envelope.id}/link`;
      const responses = await Promise.all([owner.post(path), owner.post(path)]);
      const statuses = responses.map(({ status }) => status).sort();
      expect(statuses).toBeOneOf([
        [200, 200],
        [200, 409],
      ]);
      const { submissionToken } = (await owner.get(`/api/requests/${envelope.id}`)).body;
      expect((await api.anonymous().get(linkOf({ submissionToken }))).status).toBe(200);
      const links = new Set(await sentLinks(api, envelope.recipientEmail));
      expect(links).toContain(submissionToken);
    });
  });

  describe("that somebody was given who loses their part in the workspace", () => {
    const CHANGES = {
      removal: (owner: SignedUp, path: string, links?: "own" | "all") =>
        owner.delete(`${path}${links ? `?replaceLinks=${links}` : ""}`),
      demotion: (owner: SignedUp, path: string, replaceLinks?: "own" | "all") =>
        owner.patch(path, { role: "viewer", replaceLinks }),
    };
    const changes = Object.entries(CHANGES);

    async function team() {
      const owner = await api.signUp();
      const member = await joinAs(api, owner, "member");
      const { workspaceId } = owner;
      const send = (who: SignedUp, more: object = {}) =>
        sendEnvelope(who, { workspaceId, recipientEmail: newAddress(), ...more });
      const envelopes = {
        created: await send(member, { assigneeId: owner.id }),
        assigned: await send(owner, { assigneeId: member.id }),
        draft: await send(member, { isDraft: true }),
        expired: await send(member, { expirationDate: "2026-03-20" }),
        completed: await send(member),
        others: await send(owner),
      };
      await api.anonymous().post(linkOf(envelopes.completed), form({ Contract: pdfFile() }));
      return { owner, member, envelopes, path: `/api/workspaces/${workspaceId}/members/${member.id}` };
    }
    const statusOf = async (link: { submissionToken: string }) =>
      (await api.anonymous().get(linkOf(link))).status;

    test.each(changes)("is replaced with the %s, if an owner says so", async (_, change) => {
      await api.setClock(TEST_START);
      const { owner, member, envelopes, path } = await team();
      await api.setClock("2026-03-25T09:00:00.000Z");
      await owner.post("/api/reauthenticate", { password: owner.password });
      expect((await owner.get(`${path}/links`)).body).toEqual({ own: 2, all: 3 });
      expect((await member.get(`${path}/links`)).status).toBe(403);
      const { created, assigned, draft, expired, completed, others } = envelopes;
      const before = await sentLinks(api, expired.recipientEmail);
      expect((await change(owner, path, "own")).status).toBeLessThan(300);
      await api.finishBackgroundWork();
      for (const link of [created, assigned]) {
        expect(await statusOf(link)).toBe(410);
        const { body } = await owner.get(`/api/requests/${link.id}`);
        expect(await sentLinks(api, link.recipientEmail)).toEqual([
          link.submissionToken,
          body.submissionToken,
        ]);
        const timeline = (await owner.get(`/api/requests/${link.id}/timeline`)).body;
        expect(timeline.map(({ kind }: { kind: string }) => kind)).toContain("link_replaced");
      }
      // Without a message: nobody can submit with them now, but somebody could later.
      for (const link of [draft, expired]) {
        const { body } = await owner.get(`/api/requests/${link.id}`);
        expect(body.submissionToken).not.toBe(link.submissionToken);
      }
      expect(await sentLinks(api, expired.recipientEmail)).toEqual(before);
      expect([await statusOf(completed), await statusOf(others)]).toEqual([410, 200]);
      expect((await owner.get(`/api/requests/${others.id}`)).body.submissionToken).toBe(
        others.submissionToken,
      );
      expect(await api.select("select * from due_links")).toEqual([]);
    });

    test.each(changes)("stays with the %s otherwise", async (_, change) => {
      await api.setClock(TEST_START);
      const { owner, envelopes, path } = await team();
      expect((await change(owner, path)).status).toBeLessThan(300);
      await api.finishBackgroundWork();
      expect(await statusOf(envelopes.created)).toBe(200);
    });

    test.each(changes)("is replaced with the %s even if only read, if an owner asks", async (_, change) => {
      await api.setClock(TEST_START);
      const { owner, member, envelopes, path } = await team();
      const { others } = envelopes;
      const read = (await member.get(`/api/requests/${others.id}`)).body.submissionToken;
      expect((await change(owner, path, "all")).status).toBeLessThan(300);
      await api.finishBackgroundWork();
      expect(outcome(await api.anonymous().get(linkOf({ submissionToken: read })))).toEqual(REPLACED);
      const { submissionToken } = (await owner.get(`/api/requests/${others.id}`)).body;
      expect((await sentLinks(api, others.recipientEmail)).at(-1)).toBe(submissionToken);
    });

    test("is replaced however much was done with the envelope, and one that fails keeps no other waiting", async () => {
      await api.setClock(TEST_START);
      const { owner, envelopes } = await team();
      const { created, assigned, completed } = envelopes;
      await api.execute(
        `insert into envelope_events (envelope_id, kind, actor, at, actor_id) select ${assigned.id}, 'updated', 'requestor', '${TEST_START}', ${owner.id} from (with recursive n(i) as (select 1 union all select i + 1 from n where i < 10001) select i from n)`,
      );
      for (const { id } of [created, assigned, completed])
        await api.execute(`insert into due_links values (${id}, ${owner.id}, '192.0.2.1')`);
      // The message to its recipient cannot be queued.
      const refuse = "create unique index refuse on notifications (envelope_id) where envelope_id =";
      await api.execute(`${refuse} ${created.id}`);
      await api.runJobs();
      await api.execute("drop index refuse");
      const statuses = () => Promise.all([created, assigned, completed].map(statusOf));
      expect(await statuses()).toEqual([200, 410, 410]);
      expect(await api.select("select envelope_id from due_links")).toEqual([{ envelope_id: created.id }]);
      await api.runJobs();
      expect(await statuses()).toEqual([410, 410, 410]);
    });

    test("is replaced however many fail before it", async () => {
      await api.setClock(TEST_START);
      const owner = await api.signUp();
      const envelopes = [];
      for (let count = 0; count < 21; count += 1) envelopes.push(await sendEnvelope(owner));
      const last = envelopes.at(-1);
      for (const { id } of envelopes)
        await api.execute(`insert into due_links values (${id}, ${owner.id}, '192.0.2.1')`);
      await api.execute(
        `create trigger refuse before update of submission_token on envelopes when new.id <> ${last.id} begin select raise(abort, 'refused'); end`,
      );
      // A Worker tries some of them in each run.
      for (let run = 0; run < 8; run += 1) await api.runJobs();
      await api.execute("drop trigger refuse");
      expect(await statusOf(last)).toBe(410);
      expect(await api.select("select envelope_id from due_links")).toHaveLength(20);
      await api.execute("delete from due_links");
    });

    test("is replaced by the schedule if the process stopped before", async () => {
      await api.setClock(TEST_START);
      const { owner, envelopes } = await team();
      const { created, completed } = envelopes;
      for (const { id } of [created, completed])
        await api.execute(`insert into due_links values (${id}, ${owner.id}, '192.0.2.1')`);
      await api.runJobs();
      expect([await statusOf(created), await statusOf(completed)]).toEqual([410, 410]);
      expect((await api.anonymous().get(linkOf(completed))).body.code).toBe("completed");
      expect(await api.select("select * from due_links")).toEqual([]);
    });
  });

  test.each([
    ["a draft, when it is sent", { isDraft: true }],
    ["an expired envelope, when it gets another date", { expirationDate: "2026-03-20" }],
  ])("of %s, is replaced if somebody who knew it has left", async (_, changes) => {
    await api.setClock(TEST_START);
    const owner = await api.signUp();
    const member = await joinAs(api, owner, "member");
    const { workspaceId } = owner;
    const recipientEmail = newAddress();
    const send = (more: object) => sendEnvelope(owner, { workspaceId, recipientEmail, ...more });
    const envelope = await send(changes);
    expect((await member.get(`/api/requests/${envelope.id}`)).body.submissionToken).toBe(
      envelope.submissionToken,
    );
    await api.setClock("2026-03-25T09:00:00.000Z");
    await owner.post("/api/login", owner);
    expect((await owner.delete(`/api/workspaces/${workspaceId}/members/${member.id}`)).status).toBe(204);
    const input = { ...ENVELOPE, workspaceId, recipientEmail, expirationDate: "2026-05-01" };
    const { status, body } = await owner.put(`/api/requests/${envelope.id}`, input);
    expect([status, body.status]).toEqual([200, "pending"]);
    expect(outcome(await api.anonymous().get(linkOf(envelope)))).toEqual(REPLACED);
    expect((await api.anonymous().get(linkOf(body))).status).toBe(200);
    expect((await sentLinks(api, recipientEmail)).at(-1)).toBe(body.submissionToken);
  });

  test("of an envelope that moves to another workspace is replaced if its members are not all there, at once", async () => {
    await api.setClock(TEST_START);
    const owner = await api.signUp();
    const { body: second } = await owner.post("/api/workspaces", { name: "Taxes" });
    const { body: third } = await owner.post("/api/workspaces", { name: "Private" });
    const recipientEmail = newAddress();
    const envelope = await sendEnvelope(owner, { workspaceId: owner.workspaceId, recipientEmail });
    const moveTo = async (workspaceId: number) =>
      (await owner.put(`/api/requests/${envelope.id}`, { ...ENVELOPE, recipientEmail, workspaceId })).body;
    const alone = await moveTo(second.id);
    expect([alone.workspaceId, alone.submissionToken]).toEqual([second.id, envelope.submissionToken]);
    await joinAs(api, { ...owner, workspaceId: second.id }, "member");
    await joinAs(api, { ...owner, workspaceId: second.id }, "viewer");
    const moved = await moveTo(third.id);
    expect(moved.submissionToken).not.toBe(envelope.submissionToken);
    expect(outcome(await api.anonymous().get(linkOf(envelope)))).toEqual(REPLACED);
    expect((await sentLinks(api, recipientEmail)).at(-1)).toBe(moved.submissionToken);
  });

  describe("of a completed envelope, when a document is returned,", () => {
    type Team = { owner: SignedUp; administrator: SignedUp; member: SignedUp };
    const pathOf = ({ owner, member }: Team) => `/api/workspaces/${owner.workspaceId}/members/${member.id}`;
    const CASES: [string, (team: Team) => Promise<unknown>, boolean][] = [
      ["somebody was removed", (team) => team.owner.delete(pathOf(team)), true],
      ["somebody was demoted", (team) => team.owner.patch(pathOf(team), { role: "viewer" }), true],
      ["somebody has left", (team) => team.member.delete(pathOf(team)), true],
      [
        "an account was disabled",
        ({ administrator, member }) =>
          administrator.post(`/api/administration/accounts/${member.id}/disable`),
        true,
      ],
      ["an account was deleted", ({ member }) => member.delete("/api/user/account"), true],
      ["a year has passed", () => api.setClock(after(24 * 366)), true],
      ["somebody was promoted", (team) => team.owner.patch(pathOf(team), { role: "owner" }), false],
    ];
    const again = async (person: SignedUp) => {
      await person.post("/api/login", person);
      return person;
    };
    test.each(CASES)("is replaced as needed if %s since it was sent", async (_, change, isReplaced) => {
      await api.setClock(TEST_START);
      const administrator = await api.signUp();
      await api.execute(`update users set is_administrator = 1 where id = ${administrator.id}`);
      const owner = await api.signUp();
      const member = await joinAs(api, owner, "member");
      const { workspaceId } = owner;
      const envelope = await sendEnvelope(owner, { workspaceId, recipientEmail: newAddress() });
      await api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }));
      await api.setClock(after(1));
      await change({ owner: await again(owner), administrator: await again(administrator), member });
      await api.finishBackgroundWork();
      await again(owner);
      const path = `/api/requests/${envelope.id}/review`;
      const back = { return: [{ documentId: envelope.documents[0].id, reason: "Blurred" }] };
      const { status, body } = await owner.post(path, back);
      expect([status, body.submissionToken !== envelope.submissionToken]).toEqual([200, isReplaced]);
      expect(outcome(await api.anonymous().get(linkOf(envelope)))).toEqual(
        isReplaced ? REPLACED : [200, null],
      );
      expect((await sentLinks(api, envelope.recipientEmail)).at(-1)).toBe(body.submissionToken);
      const submitted = await api.anonymous().post(linkOf(body), form({ Contract: pdfFile() }));
      expect(submitted.status).toBe(201);
    });
  });
});
