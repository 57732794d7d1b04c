import { Database } from "bun:sqlite";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { type Client, createClient } from "../../support/api/client";
import { form, linkOf, sendEnvelope } from "../../support/api/envelopes";
import { largePdfFile } from "../../support/files/files";
import { spawnServer } from "../../support/processes/bun-process";
import { createRandom } from "../../support/random";
import { startCloudProviders } from "../../support/servers/cloud";
import { MY_DRIVE } from "../../support/servers/cloud/graph";
import type { Outcome, RowOptions } from "../row";

const MIB = 1024 * 1024;
const ACCOUNT = { email: "kills@example.com", password: "long enough" };
const DOCUMENTS = ["Passport", "Contract", "Payslip", "Photo", "Statement"];
/** So many recipients have one name, and so one folder. */
const NAMESAKES = 4;
/** As over a network, so that kills hit every step. */
const LATENCY_MS = 40;
const MAX_WAIT_MS = 600_000;

type Kind = "microsoft" | "google";
type Delivery = { state: string; path: string; failure: string | null };

/**
 * Kills a server at random moments while files go to OneDrive and to Google Drive. In the end each of them is there once,
 * byte for byte, under a name of its own.
 */
export async function deliveryKills(options: RowOptions): Promise<Outcome> {
  const measured: Outcome["measured"] = {};
  const problems: string[] = [];
  for (const kind of ["microsoft", "google"] as const) {
    const folder = join(options.folder, kind);
    const row = await killsOf(kind, { ...options, folder });
    for (const [name, value] of Object.entries(row.measured)) measured[`${kind}, ${name}`] = value;
    problems.push(...row.problems.map((problem) => `${kind}: ${problem}`));
  }
  return { measured, problems };
}

async function killsOf(kind: Kind, { folder, seed, long, kills }: RowOptions): Promise<Outcome> {
  const random = createRandom(seed);
  const cloud = startCloudProviders({ latencyMs: LATENCY_MS });
  const variables = { ...cloud.variables, DATA_DIR: folder, MIN_FREE_MB: "0" };
  const planned = kills ?? (long ? 50 : 4);
  const count = long ? 200 : 20;
  const largest = long ? 100 * MIB : 25 * MIB;
  const first = await start(variables);
  const id = await connect(first.client, kind, cloud);
  const sent = new Map<string, number>();
  let bytes = 0;
  for (let done = 0; done < count; done += DOCUMENTS.length) {
    const files = DOCUMENTS.map((name, index) => {
      // Mostly small, a few as large as may be.
      const size = Math.ceil(1000 + (largest - 2000) * (random.below(1000) / 1000) ** 8);
      return [
        name,
        new File([largePdfFile(size), `${done + index}`], `${name}.pdf`, { type: "application/pdf" }),
      ];
    });
    const submitted: Record<string, File> = Object.fromEntries(files);
    for (const file of Object.values(submitted)) {
      sent.set(hashOf(await file.bytes()), file.size);
      bytes += file.size;
    }
    const envelope = await sendEnvelope(first.client, {
      recipientName: `Person ${Math.floor(done / DOCUMENTS.length / NAMESAKES)}`,
      documents: DOCUMENTS.map((name) => ({ name })),
    });
    const { status, text } = await first.client.post(linkOf(envelope), form(submitted));
    if (status !== 201) throw new Error(`not submitted: ${status} ${text}`);
  }
  await first.client.patch(`/api/destinations/${id}`, { state: "active" });
  await Bun.sleep(random.below(300));
  await first.kill();
  let killed = 1;
  for (; killed < planned && waiting(folder) > 0; killed += 1) {
    endClaims(folder);
    const server = await start(variables);
    await Bun.sleep(200 + random.below(long ? 1500 : 600));
    await server.kill();
  }
  const left = waiting(folder);
  endClaims(folder);
  const last = await start(variables);
  for (const end = Date.now() + MAX_WAIT_MS; waiting(folder) > 0 && Date.now() < end; ) await Bun.sleep(100);
  const log = rowsOf<Delivery>(folder, "select state, path, failure from file_deliveries");
  await last.stop();
  const found = kind === "microsoft" ? cloud.graph.files() : cloud.drive.files();
  await cloud.stop();
  return {
    measured: { kills: killed, "waiting after them": left, files: found.length, MB: Math.round(bytes / MIB) },
    problems: problemsOf(sent, found, log),
  };
}

/** Whatever is not there exactly once, under a name of its own, as the log says. */
function problemsOf(
  sent: ReadonlyMap<string, number>,
  found: readonly { path: string; bytes: Uint8Array }[],
  log: readonly Delivery[],
): string[] {
  const hashes = found.map(({ bytes }) => hashOf(bytes));
  const paths = found.map(({ path }) => path.replace(/^Clients\//, "")).sort();
  const logged = log.map(({ path }) => path).sort();
  return [
    ...log.flatMap(({ state, failure }) => (state === "delivered" ? [] : [`${state}: ${failure}`])),
    ...[...sent.keys()].filter((hash) => !hashes.includes(hash)).map((hash) => `${hash} is missing`),
    ...hashes.filter((hash) => !sent.has(hash)).map((hash) => `${hash} was not sent`),
    ...(found.length === sent.size ? [] : [`${found.length} files instead of ${sent.size}`]),
    ...(new Set(paths).size === paths.length ? [] : ["two files have one name"]),
    ...(JSON.stringify(paths) === JSON.stringify(logged) ? [] : ["the log names other files"]),
  ];
}

const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Connects a destination, which stays paused until all files wait. */
async function connect(client: Client, kind: Kind, cloud: ReturnType<typeof startCloudProviders>) {
  const { body: workspaces } = await client.get("/api/workspaces");
  const workspaceId = workspaces[0].id;
  const { body } = await client.post("/api/destinations/connect", { workspaceId, kind });
  const page = new URL(body.url);
  const side = kind === "microsoft" ? cloud.graph : cloud.drive;
  const query = new URLSearchParams({
    code: side.grants.agree(page),
    state: page.searchParams.get("state") ?? "",
  });
  await client.get(`/api/destinations/callback/${kind}?${query}`);
  const [{ id }] = (await client.get(`/api/destinations?workspaceId=${workspaceId}`)).body;
  const settings =
    kind === "microsoft"
      ? { driveId: MY_DRIVE, folderId: cloud.graph.addFolder(MY_DRIVE, "Clients").id }
      : { folderName: "Clients" };
  const rules = { folderRule: "{recipient}", includeAnswers: false, state: "paused" };
  const { status, text } = await client.patch(`/api/destinations/${id}`, { settings, ...rules });
  if (status !== 200) throw new Error(`not set up: ${status} ${text}`);
  return id;
}

async function start(variables: Record<string, string>) {
  const server = spawnServer(variables);
  const url = await server.url;
  const client = createClient({ fetch: (request) => fetch(request), origin: url });
  const { status } = await client.post("/api/login", ACCOUNT);
  if (status !== 200) await client.post("/api/register", ACCOUNT);
  const end = async (signal: "SIGKILL" | "SIGTERM") => {
    server.child.kill(signal);
    await server.child.exited;
  };
  return { client, kill: () => end("SIGKILL"), stop: () => end("SIGTERM") };
}

const waiting = (folder: string): number =>
  rowsOf(folder, "select id from file_deliveries where state = 'waiting'").length;

function rowsOf<Row>(folder: string, statement: string): Row[] {
  const db = new Database(join(folder, "doculopes.db"), { readonly: true });
  try {
    return db.query<Row, []>(statement).all();
  } finally {
    db.close();
  }
}

/** As if the time had passed that what a killed server was sending waits. */
function endClaims(folder: string): void {
  const db = new Database(join(folder, "doculopes.db"));
  db.run(
    "update file_deliveries set claimed_until = null, next_attempt_at = '2026-01-01T00:00:00.000Z' where state = 'waiting'",
  );
  db.close();
}
