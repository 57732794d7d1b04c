import { Database } from "bun:sqlite";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isFileKey } from "../../../worker/adapters/shared/file-key";
import { type Client, createClient } from "../../support/api/client";
import { sendEnvelope } from "../../support/api/envelopes";
import { trickle } from "../../support/api/multipart";
import { CHUNK_TYPE, createTus, locationOf, TUS } from "../../support/api/tus";
import { largePdfFile, sha256 } from "../../support/files/files";
import { spawnServer } from "../../support/processes/bun-process";
import { createRandom, type Random } from "../../support/random";
import { startS3Server } from "../../support/servers/s3-server";
import { startSqld } from "../../support/servers/sqld";
import type { Outcome, RowOptions } from "../row";

const MIB = 1024 * 1024;
const ACCOUNT = { email: "resume@example.com", password: "long enough" };
const S3 = { bucket: "documents", accessKeyId: "key-id", secretAccessKey: "secret" };
/** The lock of a dead request expires within 20 seconds. */
const TIMEOUT_MS = 40_000;

type Shared = { random: Random; problems: string[] };
/** An upload as its client knows it. */
type Sending = {
  path: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** The last offset that a server reported. */
  reported: number;
  /** The most bytes that were ever sent. */
  sentBytes: number;
};

/** Uploads that are interrupted at random bytes, killed servers, and two servers that alternate on one upload. */
export async function resume({ folder, seed, long, kills }: RowOptions): Promise<Outcome> {
  const shared = { random: createRandom(seed), problems: [] };
  const cuts = await cutAtRandomBytes(join(folder, "cuts"), long ? 100 : 8, shared);
  const killed = await killDuringUploads(join(folder, "kills"), kills ?? (long ? 50 : 3), shared);
  const turns = await takeTurns(join(folder, "turns"), long ? 100 : 8, shared);
  return { measured: { cuts, kills: killed, turns }, problems: shared.problems };
}

async function cutAtRandomBytes(folder: string, rounds: number, shared: Shared): Promise<number> {
  const server = spawnServer({ DATA_DIR: folder, RATE_LIMITS: "off" });
  const url = await server.url;
  const owner = await signUp(url);
  let cuts = 0;
  while (cuts < rounds && shared.problems.length === 0)
    cuts += await uploadOnce([url], owner, shared, { bytes: 3 * MIB, cuts: 5 });
  await server.child.kill("SIGTERM");
  await server.child.exited;
  shared.problems.push(...(await leftOnDisk(folder)));
  return cuts;
}

async function killDuringUploads(folder: string, rounds: number, shared: Shared): Promise<number> {
  const { random, problems } = shared;
  const variables = { DATA_DIR: folder, RATE_LIMITS: "off" };
  let server = spawnServer(variables);
  let owner = await signUp(await server.url);
  let kills = 0;
  while (kills < rounds && problems.length === 0) {
    const { sending, tus, hash } = await begin(owner, 24 * MIB);
    while (sending.reported < sending.bytes.length && problems.length === 0) {
      const url = await server.url;
      const end = Math.min(sending.reported + 8 * MIB, sending.bytes.length);
      const patch = sendPiece(
        url,
        sending,
        end,
        trickle(sending.bytes.slice(sending.reported, end), 256 * 1024),
      );
      if (kills < rounds && random.chance(0.6)) {
        await Bun.sleep(random.below(60));
        server.child.kill("SIGKILL");
        await Promise.all([server.child.exited, patch]);
        server = spawnServer(variables);
        kills += 1;
      } else await patch;
      await readOffset(await server.url, sending, problems);
    }
    owner = await signIn(await server.url);
    await finish(owner, createTus({ anonymous: () => owner }, tus.envelope), hash, problems);
  }
  server.child.kill("SIGTERM");
  await server.child.exited;
  problems.push(...(await leftOnDisk(folder)));
  return kills;
}

/** On a database server and an S3 store; the servers have no data of their own. */
async function takeTurns(folder: string, rounds: number, shared: Shared): Promise<number> {
  const sqld = await startSqld(join(folder, "sqld"));
  const s3 = startS3Server(S3.bucket, S3);
  const servers = ["one", "other"].map((name) =>
    spawnServer({
      ...{ DATA_DIR: join(folder, name), DATABASE_URL: sqld.url.replace("http", "ws"), RATE_LIMITS: "off" },
      ...{ S3_ENDPOINT: s3.endpoint, S3_BUCKET: S3.bucket },
      ...{ S3_ACCESS_KEY_ID: S3.accessKeyId, S3_SECRET_ACCESS_KEY: S3.secretAccessKey },
    }),
  );
  const urls = await Promise.all(servers.map(({ url }) => url));
  const owner = await signUp(urls[0] ?? "");
  let turns = 0;
  let files = 0;
  for (; turns < rounds && shared.problems.length === 0; files += 1)
    turns += await uploadOnce(urls, owner, shared, { bytes: 20 * MIB, cuts: 3 });
  for (const { child } of servers) child.kill("SIGTERM");
  await Promise.all(servers.map(({ child }) => child.exited));
  if (s3.uploads.size > 0) shared.problems.push(`${s3.uploads.size} uploads are left open in the store`);
  if (s3.objects.size !== files) shared.problems.push(`${s3.objects.size} objects for ${files} files`);
  await Promise.all([s3.stop(), sqld.stop()]);
  return turns;
}

/**
 * Uploads a file in chunks of random size, some of them interrupted, to the servers in turn. @returns the number of
 * chunks
 */
async function uploadOnce(
  urls: readonly string[],
  owner: Client,
  { random, problems }: Shared,
  plan: { bytes: number; cuts: number },
): Promise<number> {
  const { sending, tus, hash } = await begin(owner, plan.bytes + random.below(MIB));
  let chunks = 0;
  let cuts = 0;
  while (sending.reported < sending.bytes.length && problems.length === 0) {
    const url = urls[chunks % urls.length] ?? "";
    const rest = sending.bytes.length - sending.reported;
    const length = Math.min(rest, 1 + random.below(plan.bytes / 2));
    const isCut = cuts < plan.cuts;
    const body = sending.bytes.slice(sending.reported, sending.reported + length);
    await sendPiece(
      url,
      sending,
      sending.reported + length,
      isCut ? trickle(body, 1 + random.below(100_000), random.below(length)) : body,
    );
    if (isCut) cuts += 1;
    chunks += 1;
    await readOffset(urls[chunks % urls.length] ?? "", sending, problems);
  }
  await finish(owner, tus, hash, problems);
  return plan.cuts > 0 && urls.length === 1 ? cuts : chunks;
}

async function begin(owner: Client, size: number) {
  const envelope = await sendEnvelope(owner);
  const file = largePdfFile(size);
  const bytes = await file.bytes();
  // Zeros would hide bytes at a wrong offset.
  for (let at = 1000; at < bytes.length; at += 997) bytes[at] = at % 251;
  const tus = createTus({ anonymous: () => owner }, envelope);
  const created = await tus.create(envelope.documents[0].id, "file.pdf", size);
  const sending: Sending = { path: locationOf(created), bytes, reported: 0, sentBytes: 0 };
  return { sending, tus: Object.assign(tus, { envelope }), hash: await sha256(bytes) };
}

/** One PATCH, which may break at any moment. */
async function sendPiece(
  url: string,
  sending: Sending,
  end: number,
  body: Uint8Array<ArrayBuffer> | ReadableStream,
): Promise<void> {
  sending.sentBytes = Math.max(sending.sentBytes, end);
  const headers = { ...TUS, "Content-Type": CHUNK_TYPE, "Upload-Offset": String(sending.reported) };
  await fetch(url + sending.path, { method: "PATCH", headers, body })
    .then((response) => response.text())
    .catch(() => {});
}

/** The server's offset: never less than it reported before, nor more than was ever sent; waits for a lock to expire. */
async function readOffset(url: string, sending: Sending, problems: string[]): Promise<void> {
  for (const until = Date.now() + TIMEOUT_MS; Date.now() < until; await Bun.sleep(50)) {
    const response = await fetch(url + sending.path, { method: "HEAD", headers: TUS }).catch(() => null);
    if (!response || response.status === 423) continue;
    const offset = Number(response.headers.get("upload-offset") ?? Number.NaN);
    if (response.status !== 200) problems.push(`HEAD answered ${response.status}`);
    else if (!(offset >= sending.reported && offset <= sending.sentBytes))
      problems.push(`the offset is ${offset}, after ${sending.reported} of ${sending.sentBytes} sent`);
    else sending.reported = offset;
    return;
  }
  problems.push("no offset was to be had");
}

async function finish(
  owner: Client,
  tus: Pick<ReturnType<typeof createTus>, "submit"> & { envelope?: unknown },
  hash: string,
  problems: string[],
): Promise<void> {
  const response = await tus.submit();
  if (response.status !== 201) return void problems.push(`not submitted: ${response.text}`);
  if (response.body.submissions[0].sha256 !== hash) problems.push("another hash than that of the file");
  const [latest] = (await owner.get("/api/requests?limit=1")).body;
  if ((await sha256(await owner.bytes(latest.submissions[0].url))) !== hash) problems.push("other bytes");
}

async function leftOnDisk(folder: string): Promise<string[]> {
  const db = new Database(join(folder, "doculopes.db"), { readonly: true });
  const rows = db.query<{ name: string }, []>("select file_path as name from submissions").all();
  db.close();
  const named = new Set(rows.map(({ name }) => name));
  const stored = await readdir(join(folder, "uploads"));
  return stored.filter((name) => isFileKey(name) && !named.has(name)).map((name) => `left over: ${name}`);
}

async function signUp(url: string): Promise<Client> {
  const client = createClient({ fetch: (request) => fetch(request), origin: url });
  await client.post("/api/register", ACCOUNT);
  return client;
}

async function signIn(url: string): Promise<Client> {
  const client = createClient({ fetch: (request) => fetch(request), origin: url });
  await client.post("/api/login", ACCOUNT);
  return client;
}
