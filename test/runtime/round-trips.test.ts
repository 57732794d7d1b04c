import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { type ApiResponse, type Client, createClient } from "../support/api/client";
import { form } from "../support/api/envelopes";
import { pdfFile } from "../support/files/files";
import { readZip } from "../support/files/zip";
import { startInstance, type WorkerdInstance } from "../support/runtime/workerd";

setDefaultTimeout(240_000);

/** How many round trips a request needs; D1 may be an ocean away. */
let instance: WorkerdInstance;
let client: Client;

beforeAll(async () => {
  instance = await startInstance({
    rateLimits: "on",
    variables: { UNVERIFIED_ENVELOPES: "1000", NEW_ACCOUNT_INVITATIONS_PER_DAY: "1000" },
  });
  client = createClient({ fetch: instance.fetch, origin: instance.publicUrl });
  await client.post("/api/register", { email: "owner@example.com", password: "correct horse" });
});

/** The round trips of the request and of its background work. */
async function roundTripsOf(request: () => Promise<ApiResponse>): Promise<number> {
  await instance.command("finishBackgroundWork");
  const before = await instance.command("roundTrips");
  const response = await request();
  expect([200, 201, 202]).toContain(response.status);
  await instance.command("finishBackgroundWork");
  return (await instance.command("roundTrips")) - before;
}

async function sendEnvelopeLink(): Promise<string> {
  const { body } = await client.post("/api/requests", {
    recipientName: "Rita Recipient",
    recipientEmail: "rita@example.com",
    subject: "Papers",
    documents: [{ name: "Contract", required: true }, { name: "Letter" }],
  });
  return `/api/submissions/${body.submissionToken}`;
}

test("a recipient's link needs one round trip", async () => {
  const link = await sendEnvelopeLink();
  expect(await roundTripsOf(() => client.get(link))).toBe(1);
});

/** Those for session and rates, of which lists have one more, and what the call itself asks. */
const READS = {
  "/api/workspaces": 2 + 1,
  "/api/requests/bulk": 2 + 1,
  "/api/requests": 3 + 1,
  "/api/requests?view=row": 3 + 1,
  "/api/requests?view=row&limit=2&sort=subject": 3 + 1,
  "/api/requests?view=row&limit=1&counts=1": 3 + 2,
};

test("home and a list need one beside those for session and rates, however long it is, and one for counts", async () => {
  for (let count = 0; count < 5; count += 1) await sendEnvelopeLink();
  await instance.command("finishBackgroundWork");
  const found: Record<string, number> = {};
  for (const path of Object.keys(READS)) found[path] = await roundTripsOf(() => client.get(path));
  expect(found).toEqual(READS);
});

test("a submission with its notices needs the same number, however many files it has", async () => {
  const tripsWith = async (files: Record<string, File>) => {
    const link = await sendEnvelopeLink();
    return roundTripsOf(() => client.post(link, form(files)));
  };
  const one = await tripsWith({ Contract: pdfFile() });
  const two = await tripsWith({ Contract: pdfFile(), Letter: pdfFile("letter.pdf") });
  expect(two).toBe(one);
});

test("the export of an account needs few for each hundred envelopes, however much happened to them", async () => {
  const { body } = await client.post("/api/requests", { isDraft: true });
  const columnsOf = async (table: string, ...own: string[]) => {
    const columns = await instance.command("select", `select name from pragma_table_info('${table}')`);
    const names: string[] = columns.map(({ name }: { name: string }) => name);
    return names.filter((name) => !own.includes(name)).join(", ");
  };
  const columns = await columnsOf("envelopes", "id", "submission_token");
  const counted = (to: number) =>
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${to})`;
  await instance.command(
    "execute",
    `insert into envelopes (id, submission_token, ${columns}) ${counted(300)}
     select 1000 + i, hex(randomblob(16)), ${columns} from n cross join envelopes where id = ${body.id}`,
  );
  await instance.command(
    "execute",
    `insert into envelope_events (envelope_id, kind, actor, detail, at) ${counted(14)}
     select id, 'downloaded', 'requestor', i, '2026-03-14T09:26:53.000Z' from n cross join envelopes where id > 1000`,
  );
  const exported = async () => {
    const files = readZip(await client.bytes("/api/user/export"));
    const { envelopes } = JSON.parse(new TextDecoder().decode(files.get("data.json")));
    const long = envelopes.filter(({ events }: { events: [] }) => events.length >= 14);
    expect(long).toHaveLength(300);
    return { status: 200 } as ApiResponse;
  };
  expect(await roundTripsOf(exported)).toBeLessThanOrEqual(40);
  await instance.command("execute", "delete from envelopes where id > 1000");
});

test("a call for 500 recipients and its work need at most 50, and the schedule sends the mails in runs of 100", async () => {
  await instance.command("execute", "update users set is_verified = 1");
  await instance.command("runJobs");
  const recipients = Array.from({ length: 500 }, (_, index) => ({
    recipientName: `Person ${index}`,
    recipientEmail: `far${index}@example.com`,
  }));
  const envelope = { subject: "Papers for {name}", documents: [{ name: "Contract" }] };
  const call = await roundTripsOf(() => client.post("/api/requests/bulk", { envelope, recipients }));
  expect(call).toBeLessThanOrEqual(50);
  const [bulk] = (await client.get("/api/requests/bulk")).body;
  expect(bulk).toMatchObject({ total: 500, created: 500, failed: [], finished: true });
  const mails = async () =>
    (await instance.command("mails")).filter(({ to }: { to: string }) => to.startsWith("far")).length;
  expect(await mails()).toBe(0);
  for (let run = 1; run <= 5; run += 1) {
    const before = await instance.command("roundTrips");
    await instance.command("runJobs");
    await instance.command("finishBackgroundWork");
    // D1 allows 1,000 calls an invocation.
    expect((await instance.command("roundTrips")) - before).toBeLessThan(500);
    expect(await mails()).toBe(run * 100);
  }
}, 240_000);
