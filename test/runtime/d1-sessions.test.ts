import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { type Client, createClient, programOf } from "../support/api/client";
import { form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { pdfFile } from "../support/files/files";
import { startInstance, type WorkerdInstance } from "../support/runtime/workerd";

setDefaultTimeout(240_000);

/** The Worker on D1 with a replica that gets changes only when a test, or a bookmark, says so. */
let instance: WorkerdInstance;
let owner: Client;
let accounts = 0;

beforeAll(async () => {
  instance = await startInstance({ replica: true, variables: { UNVERIFIED_ENVELOPES: "1000" } });
  owner = await signUp();
});

const anonymous = () => createClient({ fetch: instance.fetch, origin: instance.publicUrl });

async function signUp(): Promise<Client & { id: number; email: string }> {
  accounts += 1;
  const client = anonymous();
  const email = `person${accounts}@example.com`;
  const { status, body } = await client.post("/api/register", { email, password: PASSWORD });
  expect(status).toBe(201);
  return Object.assign(client, { id: body.id, email });
}

const PASSWORD = "correct horse";
const BOOKMARK = /^bookmark=((?:[\da-f]{8}-){3}[\da-f]{32}); Max-Age=300; Path=\/; HttpOnly; SameSite=Lax$/;
const replicate = () => instance.command("replicate");

/** How many reads of this call the replica serves. */
async function replicaReadsOf(call: () => Promise<unknown>): Promise<number> {
  await instance.command("finishBackgroundWork");
  const before = await instance.command("replicaReads");
  await call();
  return (await instance.command("replicaReads")) - before;
}

/** The cookies of a response that are no session's. */
const bookmarksOf = ({ headers }: { headers: Headers }) =>
  headers.getSetCookie().filter((cookie) => cookie.includes("bookmark="));

async function titleOf(reader: Client, link: string): Promise<string> {
  const { status, body } = await reader.get(link);
  expect(status).toBe(200);
  return body.documents[0].name;
}

const withDocument = (name: string) => ({
  recipientName: "Rita Recipient",
  recipientEmail: "rita@example.com",
  subject: "Papers",
  documents: [{ name }],
});

test("whoever changes something gets a bookmark for five minutes; who reads, fails or has a token does not", async () => {
  const created = await owner.post("/api/contacts", {
    firstName: "Rita",
    lastName: "R",
    email: "r@example.com",
  });
  expect([created.status, bookmarksOf(created)]).toEqual([201, [expect.stringMatching(BOOKMARK)]]);
  const envelope = await sendEnvelope(owner);
  for (const path of ["/api/requests", "/api/user", linkOf(envelope), "/api/health"]) {
    const read = await owner.get(path);
    expect([path, read.status, read.headers.getSetCookie()]).toEqual([path, 200, []]);
  }
  const failed = await owner.post("/api/contacts", {});
  expect([failed.status, bookmarksOf(failed)]).toEqual([400, []]);
  const { body } = await owner.post("/api/tokens", { name: "Program", scope: "write" });
  const program = programOf({ anonymous }, body.token);
  const byToken = await program.post("/api/requests", withDocument("Contract"));
  expect([byToken.status, byToken.headers.getSetCookie()]).toEqual([201, []]);
});

test("with https the bookmark is the host's own and secure", async () => {
  const secure = await startInstance({
    publicUrl: "https://papers.example",
    variables: { ADMIN_EMAILS: "o@example.com" },
  });
  const client = createClient({ fetch: secure.fetch, origin: secure.publicUrl });
  const registered = await client.post("/api/register", { email: "o@example.com", password: PASSWORD });
  expect(bookmarksOf(registered)).toEqual([
    expect.stringMatching(
      /^__Host-bookmark=[\da-f-]{59}; Max-Age=300; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    ),
  ]);
});

test("a link that no replica has yet opens, and one that it has is read there", async () => {
  const link = linkOf(await sendEnvelope(owner));
  expect((await anonymous().get(link)).status).toBe(200);
  await replicate();
  expect(await replicaReadsOf(() => anonymous().get(link))).toBe(1);
  expect((await anonymous().get("/api/submissions/unknown")).status).toBe(404);
});

test("a browser sees what it has written, another one once the replica has it", async () => {
  const envelope = await sendEnvelope(owner, withDocument("Before"));
  await replicate();
  const link = linkOf(envelope);
  expect((await owner.put(`/api/requests/${envelope.id}`, withDocument("After"))).status).toBe(200);
  expect(await titleOf(anonymous(), link)).toBe("Before");
  expect(await titleOf(owner, link)).toBe("After");
  await replicate();
  expect(await titleOf(anonymous(), link)).toBe("After");
});

test("a submitted link is over for who submitted, and whoever still sees it cannot submit again", async () => {
  const link = linkOf(await sendEnvelope(owner));
  await replicate();
  const [recipient, other] = [anonymous(), anonymous()];
  expect((await recipient.post(link, form({ Contract: pdfFile() }))).status).toBe(201);
  expect((await other.get(link)).status).toBe(200);
  const again = await other.post(link, form({ Contract: pdfFile() }));
  expect([again.status, again.body.code]).toEqual([410, "completed"]);
  expect((await recipient.get(link)).status).toBe(410);
});

test("a link that a replica still opens, though the envelope went to somebody else, offers none of their answers", async () => {
  const contactOf = async (firstName: string, email: string) => {
    const { id } = (await owner.post("/api/contacts", { firstName, lastName: "X", email })).body;
    const question = { subject: "Papers", prefill: true, documents: [{ name: "IBAN", kind: "text" }] };
    return { contactId: id, recipientName: `${firstName} X`, recipientEmail: email, ...question };
  };
  const [alice, bob] = [
    await contactOf("Alice", "alice@example.org"),
    await contactOf("Bob", "bob@example.org"),
  ];
  const earlier = await sendEnvelope(owner, bob);
  const answers = { [earlier.documents[0]?.id ?? 0]: "DE02 1203 0000 0000 2020 51" };
  expect((await anonymous().post(`${linkOf(earlier)}/submit`, { answers })).status).toBe(201);
  const envelope = await sendEnvelope(owner, alice);
  await replicate();
  expect((await owner.put(`/api/requests/${envelope.id}`, bob)).status).toBe(200);
  const { status, body } = await anonymous().get(linkOf(envelope));
  expect([status, body.recipient.name, body.documents[0].offered]).toEqual([200, "Alice X", null]);
});

test("what a replica refuses is not refused if the database has become more generous", async () => {
  const { id, submissionToken } = await sendEnvelope(owner, { expirationDate: "2026-03-14" });
  await instance.command("setClock", "2026-03-16T09:00:00.000Z");
  await replicate();
  const link = linkOf({ submissionToken });
  expect((await anonymous().get(link)).status).toBe(410);
  const extended = { ...withDocument("Contract"), expirationDate: "2026-04-01" };
  expect((await owner.put(`/api/requests/${id}`, extended)).status).toBe(200);
  expect((await anonymous().get(link)).status).toBe(200);
});

test("a session that another browser has ended, and a membership that was removed, are over at once", async () => {
  const guest = await signUp();
  const [{ id: workspaceId }] = (await owner.get("/api/workspaces")).body;
  await instance.command(
    "execute",
    `insert into workspace_members values (${workspaceId}, ${guest.id}, 'viewer', '2026-03-14T09:26:53.000Z')`,
  );
  const { id } = await sendEnvelope(owner);
  await replicate();
  expect((await guest.get(`/api/requests/${id}`)).status).toBe(200);
  await owner.post("/api/reauthenticate", { password: PASSWORD });
  expect((await owner.delete(`/api/workspaces/${workspaceId}/members/${guest.id}`)).status).toBe(204);
  expect((await guest.get(`/api/requests/${id}`)).status).toBe(404);
  expect((await guest.get(`/api/requests?workspaceId=${workspaceId}`)).status).toBe(404);

  const elsewhere = anonymous();
  await elsewhere.post("/api/login", { email: guest.email, password: PASSWORD });
  await replicate();
  expect((await guest.get("/api/user")).status).toBe(200);
  expect((await elsewhere.delete("/api/user/sessions")).status).toBe(204);
  expect((await guest.get("/api/user")).status).toBe(401);
});

test("a list begins at the primary, goes on at the replica and shows everything written before it", async () => {
  const { id } = await sendEnvelope(owner);
  let list: { id: number }[] = [];
  const reads = await replicaReadsOf(async () => {
    list = (await owner.get("/api/requests")).body;
  });
  expect(list.map((envelope) => envelope.id)).toContain(id);
  expect(reads).toBeGreaterThan(0);
});

test("changes, programs with a token and scheduled jobs ask no replica", async () => {
  const { body } = await owner.post("/api/tokens", { name: "Program", scope: "read" });
  const program = programOf({ anonymous }, body.token);
  const { id } = await sendEnvelope(owner);
  await replicate();
  const calls = {
    change: () => owner.put(`/api/requests/${id}`, withDocument("Contract")),
    program: () => program.get("/api/requests"),
    jobs: () => instance.command("runJobs"),
  };
  for (const [name, call] of Object.entries(calls))
    expect([name, await replicaReadsOf(call)]).toEqual([name, 0]);
});

test("what is no bookmark of this database is ignored", async () => {
  const link = linkOf(await sendEnvelope(owner));
  const bookmarks = {
    empty: "",
    otherForm: "first-unconstrained",
    long: "0".repeat(5000),
    withMore: `00000000-00000001-00000000-${"0".repeat(32)}0`,
    future: `00000000-ffffffff-00000000-${"0".repeat(32)}`,
  };
  for (const [name, bookmark] of Object.entries(bookmarks)) {
    const cookie = `theme=dark; bookmark=${bookmark}`;
    for (const path of [link, "/api/health"])
      expect([name, (await anonymous().get(path, { cookie })).status]).toEqual([name, 200]);
  }
  const another = { cookie: `__Host-bookmark=x; otherbookmark=x` };
  await replicate();
  expect(await replicaReadsOf(() => anonymous().get(link, another))).toBe(1);
});
