import { Database } from "bun:sqlite";
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Client, createClient } from "../../support/api/client";
import { form, linkOf, sendEnvelope } from "../../support/api/envelopes";
import { largePdfFile } from "../../support/files/files";
import { spawnServer } from "../../support/processes/bun-process";
import { createRandom } from "../../support/random";
import { startCloudProviders } from "../../support/servers/cloud";
import { MY_DRIVE } from "../../support/servers/cloud/graph";
import { startS3Server } from "../../support/servers/s3-server";
import { startWebdavServer } from "../../support/servers/webdav-server";
import { makeFolder } from "../../support/temporary-folder";
import type { Outcome, RowOptions } from "../row";

const MIB = 1024 * 1024;
const ACCOUNT = { email: "kills@example.com", password: "long enough" };
const DOCUMENTS = ["Passport", "Contract", "Payslip", "Photo", "Statement"];
/** So many recipients have one name, and so one folder. */
const NAMESAKES = 4;
/** As over a network, so that kills hit every step. */
const LATENCY_MS = 40;
const MAX_WAIT_MS = 600_000;

type Found = { path: string; bytes: Uint8Array };
/** The other side of a kind, which lives on while servers are killed. */
type Side = {
  variables: Record<string, string>;
  /** Makes a destination, which stays paused until all files wait. */
  connect(client: Client, workspaceId: number): Promise<number>;
  files(): Promise<Found[]>;
  stop(): Promise<void>;
};
type Delivery = { state: string; path: string; failure: string | null };

/**
 * Kills a server at random moments while files go to each kind of destination. In the end each of them is there once, byte for
 * byte, under a name of its own, and nothing else.
 */
export async function deliveryKills(options: RowOptions): Promise<Outcome> {
  const measured: Outcome["measured"] = {};
  const problems: string[] = [];
  for (const [kind, openSide] of Object.entries(SIDES)) {
    const folder = join(options.folder, kind);
    const row = await killsOf(await openSide(), { ...options, folder });
    for (const [name, value] of Object.entries(row.measured)) measured[`${kind}, ${name}`] = value;
    problems.push(...row.problems.map((problem) => `${kind}: ${problem}`));
  }
  return { measured, problems };
}

async function killsOf(side: Side, { folder, seed, long, kills }: RowOptions): Promise<Outcome> {
  const random = createRandom(seed);
  const variables = { ...side.variables, DATA_DIR: folder, MIN_FREE_MB: "0" };
  const planned = kills ?? (long ? 50 : 4);
  const count = long ? 200 : 20;
  const largest = long ? 100 * MIB : 25 * MIB;
  const first = await start(variables);
  const { body: workspaces } = await first.client.get("/api/workspaces");
  const id = await side.connect(first.client, workspaces[0].id);
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
    // Short enough that files still wait after fifty kills.
    await Bun.sleep(random.below(long ? 150 : 600));
    await server.kill();
  }
  const left = waiting(folder);
  endClaims(folder);
  const last = await start(variables);
  for (const end = Date.now() + MAX_WAIT_MS; waiting(folder) > 0 && Date.now() < end; ) await Bun.sleep(100);
  const log = rowsOf<Delivery>(folder, "select state, path, failure from file_deliveries");
  await last.stop();
  const found = await side.files();
  await side.stop();
  return {
    measured: { kills: killed, "waiting after them": left, files: found.length, MB: Math.round(bytes / MIB) },
    problems: problemsOf(sent, found, log),
  };
}

/** Whatever is not there exactly once, under a name of its own, as the log says. */
function problemsOf(
  sent: ReadonlyMap<string, number>,
  found: readonly Found[],
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

const RULES = { folderRule: "{recipient}", includeAnswers: false };

function cloudSide(kind: "microsoft" | "google"): Side {
  const cloud = startCloudProviders({ latencyMs: LATENCY_MS });
  const side = kind === "microsoft" ? cloud.graph : cloud.drive;
  return {
    variables: cloud.variables,
    async connect(client, workspaceId) {
      const { body } = await client.post("/api/destinations/connect", { workspaceId, kind });
      const page = new URL(body.url);
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
      const changes = { settings, ...RULES, state: "paused" };
      const { status, text } = await client.patch(`/api/destinations/${id}`, changes);
      if (status !== 200) throw new Error(`not set up: ${status} ${text}`);
      return id;
    },
    files: async () => side.files(),
    stop: () => cloud.stop(),
  };
}

/** Makes a destination that needs no grant. */
const makeWith =
  (input: object): Side["connect"] =>
  async (client, workspaceId) => {
    const made = await client.post("/api/destinations", { ...RULES, name: "Office", workspaceId, ...input });
    if (made.status !== 201) throw new Error(`not made: ${made.status} ${made.text}`);
    await client.patch(`/api/destinations/${made.body.id}`, { state: "paused" });
    return made.body.id;
  };

const PRIVATE = { WEBHOOK_ALLOW_PRIVATE: "on" };
const SIDES: Record<string, () => Side | Promise<Side>> = {
  microsoft: () => cloudSide("microsoft"),
  google: () => cloudSide("google"),
  s3() {
    const credentials = { accessKeyId: "key", secretAccessKey: "secret" };
    const server = startS3Server("bucket", credentials);
    server.afterPut = () => Bun.sleep(LATENCY_MS);
    const settings = { endpoint: server.endpoint, bucket: "bucket", region: "eu" };
    return {
      variables: PRIVATE,
      connect: makeWith({ kind: "s3", settings, credentials }),
      files: async () => [...server.objects].map(([path, { bytes }]) => ({ path, bytes })),
      stop: server.stop,
    };
  },
  webdav() {
    const server = startWebdavServer({ user: "u", password: "p" });
    server.respond = async () => {
      await Bun.sleep(LATENCY_MS);
      return undefined;
    };
    const credentials = { user: "u", password: "p" };
    return {
      variables: PRIVATE,
      connect: makeWith({ kind: "webdav", settings: { url: server.url }, credentials }),
      files: async () =>
        server.names().map((path) => ({ path, bytes: server.files.get(path) ?? new Uint8Array() })),
      stop: server.stop,
    };
  },
  async folder() {
    const root = makeFolder();
    return {
      variables: { DELIVERY_DIR: root },
      connect: makeWith({ kind: "folder", settings: { path: "" }, credentials: {} }),
      async files() {
        const entries = await readdir(root, { recursive: true, withFileTypes: true });
        const paths = entries
          .filter((entry) => entry.isFile() && entry.name !== ".doculopes")
          .map((entry) => join(entry.parentPath, entry.name));
        return Promise.all(
          paths.map(async (path) => ({ path: path.slice(root.length + 1), bytes: await readFile(path) })),
        );
      },
      stop: async () => {},
    };
  },
};

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
