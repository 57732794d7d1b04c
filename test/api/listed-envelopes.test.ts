import { expect, test } from "bun:test";
import { type ApiResponse, describeApi, type SignedUp } from "../support/api/client";
import { form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { joinAs } from "../support/api/team";
import { createTus } from "../support/api/tus";
import { pdfFile } from "../support/files/files";
import { createRandom } from "../support/random";
import { TEST_START } from "../support/runtime/runtime";

type Envelope = ApiResponse["body"];

const STEPS = 60;
const later = (hours: number) => new Date(Date.parse(TEST_START) + hours * 3_600_000).toISOString();

describeApi("what a list remembers", (api) => {
  /** The list, after checking that each of its envelopes is as it is read by itself, which remembers nothing. */
  const readList = async (person: SignedUp, query = ""): Promise<Envelope[]> => {
    const { status, body } = await person.get(`/api/requests${query}`);
    expect(status).toBe(200);
    for (const envelope of body) {
      const alone = await person.get(`/api/requests/${envelope.id}`);
      expect([alone.status, alone.body]).toEqual([200, envelope]);
    }
    return body;
  };

  /** What people were last shown, by person and query. */
  const shown = new Map<string, ApiResponse>();
  let unchanged = 0;
  const wholeOf = ({ text, headers }: ApiResponse) => [
    text,
    headers.get("link"),
    headers.get("envelope-counts"),
  ];

  /** Lists with the entity tag of the last response, after checking that it is right if it counts as unchanged. */
  const listAgain = async (person: SignedUp, query: string): Promise<void> => {
    const path = `/api/requests${query}`;
    const last = shown.get(person.id + query);
    const etag = last?.headers.get("etag");
    const again = etag ? await person.get(path, { "if-none-match": etag }) : undefined;
    const now = await person.get(path);
    if (again && last) {
      if (again.status === 304) expect(wholeOf(last)).toEqual(wholeOf(now));
      else expect(wholeOf(again)).toEqual(wholeOf(now));
      if (again.status === 304) unchanged += 1;
    }
    const tag = now.headers.get("etag");
    if (tag) expect((await person.get(path, { "if-none-match": tag })).status).toBe(304);
    shown.set(person.id + query, now);
  };

  test("it shows every change of an envelope, its documents, files, uploads, contact and people", async () => {
    const random = createRandom(28);
    const owner = await api.signUp();
    const members = [await joinAs(api, owner, "member"), await joinAs(api, owner, "member")];
    const viewer = await joinAs(api, owner, "viewer");
    const people = [owner, ...members];
    const { body: contact } = await owner.post("/api/contacts", {
      firstName: "Rita",
      email: "rita@example.com",
    });
    let hours = 0;
    type Step = {
      of?: (envelope: Envelope) => boolean;
      run(person: SignedUp, envelope: Envelope): Promise<unknown>;
    };
    const isPending = ({ status }: Envelope) => status === "pending";
    const isCompleted = ({ status }: Envelope) => status === "completed";
    const review = (person: SignedUp, { id }: Envelope, body: object) =>
      person.post(`/api/requests/${id}/review`, body);
    const input = () => ({
      ...{ recipientName: "Rita", recipientEmail: "rita@example.com", subject: `Papers ${hours}` },
      ...{ workspaceId: owner.workspaceId, contactId: random.chance(0.5) ? contact.id : null },
      dueDate: random.chance(0.5) ? later(hours + 48).slice(0, 10) : null,
      expirationDate: random.chance(0.5) ? later(hours + 96).slice(0, 10) : null,
      documents: [{ name: "Contract", required: true, reasonAllowed: true }, { name: "Plan" }],
    });
    const steps: Record<string, Step> = {
      draft: { run: (person) => person.post("/api/requests", { ...input(), isDraft: true }) },
      send: { run: (person) => person.post("/api/requests", input()) },
      sendAgain: { run: (person) => person.post("/api/requests", input()) },
      edit: { of: isPending, run: (person, { id }) => person.put(`/api/requests/${id}`, input()) },
      upload: {
        of: isPending,
        run: (_, envelope) => createTus(api, envelope).upload(envelope.documents[0].id, pdfFile()),
      },
      submitUploads: {
        of: ({ status, progress }) => status === "pending" && progress.uploaded > 0,
        run: (_, envelope) => createTus(api, envelope).submit({}),
      },
      submit: {
        of: isPending,
        run: (_, envelope) =>
          api
            .anonymous()
            .post(linkOf(envelope), form({ Contract: pdfFile(), Plan: pdfFile(`${hours}.pdf`) })),
      },
      accept: {
        of: isCompleted,
        run: (person, envelope) => review(person, envelope, { accept: [envelope.documents[0].id] }),
      },
      return: {
        of: isCompleted,
        run: (person, envelope) =>
          review(person, envelope, { return: [{ documentId: envelope.documents[0].id, reason: "Blurred" }] }),
      },
      see: {
        of: isCompleted,
        run: (person, { id, completedAt }) => person.post(`/api/requests/${id}/seen`, { completedAt }),
      },
      assign: {
        run: (person, { id }) => person.patch(`/api/requests/${id}`, { assigneeId: random.pick(people).id }),
      },
      watch: { run: (person, { id }) => person.post(`/api/requests/${id}/watch`) },
      unwatch: { run: (person, { id }) => person.delete(`/api/requests/${id}/watch`) },
      remind: { of: isPending, run: (person, { id }) => person.post(`/api/requests/${id}/remind`) },
      rename: {
        run: (person) => person.patch("/api/user/profile", { firstName: `Name ${hours}`, lastName: "Smith" }),
      },
      renameContact: {
        run: (person) => person.patch(`/api/contacts/${contact.id}`, { firstName: `Rita ${hours}` }),
      },
      retain: {
        run: () =>
          owner.patch(`/api/workspaces/${owner.workspaceId}`, { retentionDays: random.pick([7, 30, 90]) }),
      },
      remove: {
        of: ({ status }) => status !== "completed",
        run: (person, { id }) => person.delete(`/api/requests/${id}`),
      },
      wait: {
        run: () => {
          hours += random.below(72);
          return api.setClock(later(hours));
        },
      },
      runJobs: { run: () => api.runJobs() },
      quarantine: {
        of: isCompleted,
        run: (_, { id }) =>
          api.execute(`update submissions set scan_due_at = '${later(9999)}' where envelope_id = ${id}`),
      },
    };
    const tried = new Set<string>();
    for (let step = 0; step < STEPS; step += 1) {
      const listed: Envelope[] = (await owner.get("/api/requests")).body;
      const names = Object.keys(steps).filter((name) => {
        const { of = () => true } = steps[name] as Step;
        return listed.length === 0 ? name === "send" : listed.some(of);
      });
      const untried = names.filter((name) => !tried.has(name));
      const name = random.pick(untried.length > 0 && random.chance(0.7) ? untried : names);
      const { of = () => true, run } = steps[name] as Step;
      // Some are rejected, such as a second reminder in an hour: they change nothing.
      const result = (await run(random.pick(people), random.pick(listed.filter(of)))) as
        | ApiResponse
        | null
        | undefined;
      if ((result?.status ?? 0) < 300) tried.add(name);
      await api.finishBackgroundWork();
      for (const reader of [random.pick(people), viewer]) await readList(reader);
      const queries = ["?limit=2", "?assignee=me&counts=1", `?contactId=${contact.id}`];
      for (const query of ["?counts=1", queries[step % queries.length] ?? ""])
        for (const reader of [owner, viewer]) await listAgain(reader, query);
      if (random.chance(0.2)) await readList(owner, `?limit=2&contactId=${contact.id}`);
    }
    expect([...tried].sort()).toEqual(Object.keys(steps).sort());
    expect(unchanged).toBeGreaterThan(10);
    await api.setClock(TEST_START);
  }, 120_000);

  test("an envelope is read again after each change of a column that it shows, and only then", async () => {
    const owner = await api.signUp();
    const { id } = await sendEnvelope(owner);
    await api.finishBackgroundWork();
    await owner.post(`/api/requests/${id}/remind`);
    const version = async () => (await api.select(`select version from requests where id = ${id}`))[0];
    const shown = await version();
    const statements = [
      `update requests set title = title where id = ${id}`,
      `insert into request_documents (request_id, position, name, allowed_file_types) values (${id}, 9, 'Plan', '[]')`,
      `update request_documents set review_reason = review_reason where request_id = ${id}`,
      `insert into submissions (envelope_id, document_name, file_path, file_name, file_size, mime_type, created_at)
        values (${id}, 'Plan', 'key', 'plan.pdf', 1, 'application/pdf', '${TEST_START}')`,
      `update submissions set virus = virus where envelope_id = ${id}`,
      `delete from submissions where envelope_id = ${id}`,
      `insert into uploads (id, envelope_id, request_document_id, file_name, file_size, metadata, file_path, created_at, last_byte_at, completed_at)
        select 'listed', ${id}, max(id), 'plan.pdf', 1, '', 'listed', '${TEST_START}', '${TEST_START}', '${TEST_START}' from request_documents where request_id = ${id}`,
      `update uploads set completed_at = null where envelope_id = ${id}`,
      `update uploads set completed_at = '${TEST_START}' where envelope_id = ${id}`,
      `delete from uploads where envelope_id = ${id}`,
      `delete from request_documents where request_id = ${id} and position = 9`,
      `delete from notifications where request_id = ${id} and kind = 'reminder'`,
    ];
    const seen = new Set([JSON.stringify(shown)]);
    for (const statement of statements) {
      await api.execute(statement);
      seen.add(JSON.stringify(await version()));
    }
    expect(seen.size).toBe(1 + statements.length);
    const last = await version();
    await owner.get("/api/requests");
    await owner.post(`/api/requests/${id}/watch`);
    expect(await version()).toEqual(last);
    await readList(owner);
  });

  test("a person sees only envelopes of their own workspaces, whatever others have listed", async () => {
    const [alice, bob] = [await api.signUp(), await api.signUp()];
    const envelope = await sendEnvelope(alice);
    const member = await joinAs(api, alice, "member");
    expect(await readList(alice)).toHaveLength(1);
    expect((await readList(member))[0].submissionToken).toBe(envelope.submissionToken);
    expect(await readList(bob)).toEqual([]);
    const path = `/api/workspaces/${alice.workspaceId}/members/${member.id}`;
    expect((await alice.patch(path, { role: "viewer" })).status).toBe(200);
    expect((await readList(member))[0].submissionToken).toBeNull();
    expect((await alice.delete(path)).status).toBe(204);
    expect(await readList(member)).toEqual([]);
  });
});
