import { afterEach, beforeEach, expect, test } from "bun:test";
import { type ApiResponse, describeApi, type SignedUp } from "../support/api/client";
import { ENVELOPE, linkOf, sendEnvelope } from "../support/api/envelopes";
import { pdfFile } from "../support/files/files";
import { readZip } from "../support/files/zip";
import { TEST_START } from "../support/runtime/runtime";
import { startGateway, type TestGateway } from "../support/servers/http-gateway";

const QUESTIONS = Array.from({ length: 100 }, (_, index) => ({
  ...{ name: `Question ${index}`, kind: "longText", required: true },
}));
const LENGTH = 10_000;
/** As many as a call takes. */
const KEPT_AT_ONCE = 30;

/** 10,000 characters of three bytes. */
const storyOf = (round: number) => "一二三四五六七八九十"[round]?.repeat(LENGTH) ?? "";

function answersOf(story: string): FormData {
  const body = new FormData();
  for (const { name } of QUESTIONS) body.append(name, story);
  return body;
}

const textOf = (zip: ReturnType<typeof readZip>, name: string) => new TextDecoder().decode(zip.get(name));

type Document = { id: number; answer: { value: string } | null; earlier: { value: string }[] };

describeApi("more than a row of D1 takes", { variables: { WEBHOOK_ALLOW_PRIVATE: "on" } }, (api) => {
  let receiver: TestGateway;
  beforeEach(async () => {
    await api.setClock(TEST_START);
    receiver = startGateway();
  });
  afterEach(() => receiver.stop());

  /** Deletes an envelope of which a webhook is told at the second attempt. @returns what it is told */
  async function deleteAndReceive(owner: SignedUp, url: string) {
    const hook = { url: receiver.url, events: ["request.deleted"] };
    expect((await owner.post("/api/webhooks", hook)).status).toBe(201);
    receiver.respond = () => new Response("broken", { status: 500 });
    expect((await owner.delete(url)).status).toBe(204);
    await api.finishBackgroundWork();
    receiver.respond = () => new Response();
    await api.runJobs(new Date(Date.parse(TEST_START) + 3_600_000).toISOString());
    await api.finishBackgroundWork();
    expect(await api.select("select envelope_id from webhook_snapshots")).toEqual([]);
    expect(await api.select("select envelope_id from webhook_snapshot_parts")).toEqual([]);
    const [failed, sent] = receiver.requests.map(({ body }) => body);
    expect(sent === failed).toBe(true);
    return JSON.parse(sent ?? "{}").data;
  }

  async function keepAll(link: string, documents: readonly { id: number }[], story: string) {
    for (let start = 0; start < documents.length; start += KEPT_AT_ONCE) {
      const some = documents.slice(start, start + KEPT_AT_ONCE);
      const answers = Object.fromEntries(some.map(({ id }) => [id, story]));
      expect((await api.anonymous().put(`${link}/answers`, { answers })).status).toBe(204);
    }
  }

  /** What is read of the envelope by whoever has asked. */
  async function readAll(owner: SignedUp, id: number) {
    const { body } = await owner.get(`/api/requests/${id}`);
    const documents: Document[] = body.documents;
    const list = await owner.get("/api/requests");
    expect(list.body.map((row: ApiResponse["body"]) => row.id)).toEqual([id]);
    const csv = await owner.get(`/api/requests/answers.csv?ids=${id}`);
    const zip = readZip(await owner.bytes(`/api/requests/${id}/files.zip`));
    const exported = readZip(await owner.bytes("/api/user/export"));
    return { documents, csv, zip, exported: JSON.parse(textOf(exported, "data.json")) };
  }

  test("an envelope with the longest answers, and those before them, is submitted, read, listed, exported and deleted", async () => {
    const owner = await api.signUp();
    const envelope = await sendEnvelope(owner, { documents: QUESTIONS });
    const link = linkOf(envelope);
    const url = `/api/requests/${envelope.id}`;
    const returned = envelope.documents.map(({ id }: Document) => ({ documentId: id, reason: "More" }));

    await keepAll(link, envelope.documents, storyOf(0));
    const { body } = await api.anonymous().get(link);
    expect(body.documents.map(({ answer }: { answer: string }) => answer)).toEqual(
      QUESTIONS.map(() => storyOf(0)),
    );
    expect((await owner.get("/api/requests")).body[0].progress).toEqual({ uploaded: 100, total: 100 });
    expect((await api.anonymous().post(`${link}/submit`, { answers: {} })).status).toBe(201);
    for (const round of [1, 2]) {
      expect((await owner.post(`${url}/review`, { return: returned })).status).toBe(200);
      expect((await api.anonymous().post(link, answersOf(storyOf(round)))).status).toBe(201);
    }

    const { documents, csv, zip, exported } = await readAll(owner, envelope.id);
    const answers = [storyOf(0), storyOf(1), storyOf(2)];
    for (const { answer, earlier } of documents)
      expect([...earlier, answer].map((one) => one?.value)).toEqual(answers);
    expect(csv.text.split(storyOf(2))).toHaveLength(QUESTIONS.length + 1);
    expect(textOf(zip, "answers.csv").split(storyOf(2))).toHaveLength(QUESTIONS.length + 1);
    expect(exported.envelopes[0].answers).toHaveLength(3 * QUESTIONS.length);

    const told = await deleteAndReceive(owner, url);
    expect(told.documents.map(({ answer, earlier }: Document) => [...earlier, answer])).toEqual(
      documents.map(({ answer, earlier }) => [...earlier, answer]),
    );
    expect((await owner.get(url)).status).toBe(404);
  }, 240_000);

  test("an envelope with as many files as it takes, of the longest names, is read, listed, returned and deleted", async () => {
    const owner = await api.signUp();
    const documents = [{ name: "Passport", required: true, multiple: true }];
    const envelope = await sendEnvelope(owner, { documents });
    const url = `/api/requests/${envelope.id}`;
    const body = new FormData();
    body.append("Passport", pdfFile());
    expect((await api.anonymous().post(linkOf(envelope), body)).status).toBe(201);
    const { id } = envelope.documents[0];
    const name = `replace(hex(zeroblob(125)), '0', 'é') || '.pdf'`;
    await api.execute(
      `insert into submissions (envelope_id, envelope_document_id, superseded, created_at, document_name, file_path, file_name, file_size, mime_type) select ${envelope.id}, ${id}, 0, '${TEST_START}', 'Passport', 'old' || i, ${name}, 1, 'application/pdf' from (with recursive n(i) as (select 1 union all select i + 1 from n where i < 5999) select i from n)`,
    );
    expect((await owner.get(url)).body.submissions).toHaveLength(6000);
    expect((await owner.get("/api/requests")).body[0].submissions).toHaveLength(6000);
    const review = await owner.post(`${url}/review`, { return: [{ documentId: id, reason: "Blurred" }] });
    expect(review.body.submissions).toHaveLength(6000);
    expect((await api.anonymous().get(linkOf(envelope))).status).toBe(200);
    expect((await deleteAndReceive(owner, url)).submissions).toHaveLength(6000);
  }, 240_000);

  test("a thousand rows of envelopes with the longest subjects are listed", async () => {
    const owner = await api.signUp();
    const { id } = await sendEnvelope(owner, { subject: "題".repeat(500) });
    const columns =
      "user_id, created_by, workspace_id, title, description, customer_email, recipient_name, subject, subject_key, recipient_key, filter_text, status, created_at, updated_at";
    await api.execute(
      `insert into envelopes (submission_token, ${columns}) select 'copy' || i, ${columns} from envelopes cross join (with recursive n(i) as (select 1 union all select i + 1 from n where i < 999) select i from n) where id = ${id}`,
    );
    const found: number[] = [];
    for (let next = "/api/requests?view=row&limit=1000"; next !== ""; ) {
      const { status, body, headers } = await owner.get(next);
      expect(status).toBe(200);
      found.push(...body.map((row: { id: number }) => row.id));
      next = /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1] ?? "";
    }
    expect(new Set(found).size).toBe(1000);
  });

  test("contacts with the most and longest tags have them listed", async () => {
    const owner = await api.signUp();
    const { body } = await owner.post("/api/contacts", { firstName: "Ada", workspaceId: owner.workspaceId });
    const columns = "user_id, workspace_id, first_name, created_at, updated_at";
    const count = (most: number) =>
      `(with recursive n(i) as (select 1 union all select i + 1 from n where i < ${most}) select i from n)`;
    await api.execute(
      `insert into contacts (tags, ${columns}) select (select json_group_array(replace(hex(zeroblob(22)), '0', '札') || n.i || '-' || k.i) from ${count(20)} as k), ${columns} from contacts cross join ${count(999)} as n where id = ${body.id}`,
    );
    expect((await owner.get("/api/contacts/tags")).body).toHaveLength(500);
  });

  test("an envelope whose filled texts are longer than a call that edits it is rejected", async () => {
    const owner = await api.signUp();
    const { workspaceId } = owner;
    const contact = { firstName: "Ada", company: "社".repeat(200), workspaceId };
    const { body } = await owner.post("/api/contacts", contact);
    const documents = QUESTIONS.map(({ name }) => ({ name, description: "{company}".repeat(50) }));
    const sent = await owner.post("/api/requests", {
      ...ENVELOPE,
      contactId: body.id,
      workspaceId,
      documents,
    });
    expect(sent).toMatchObject({ status: 400, body: { issues: [{ path: "documents" }] } });
    const few = await owner.post("/api/requests", {
      ...ENVELOPE,
      ...{ contactId: body.id, workspaceId, documents: documents.slice(0, 30) },
    });
    expect(few.status).toBe(201);
  });
});
