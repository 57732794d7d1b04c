import { Database } from "bun:sqlite";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { isFileKey } from "../../worker/adapters/shared/file-key";
import type { Client } from "../support/api/client";
import { ENVELOPE, form, linkOf } from "../support/api/envelopes";
import { multipart, trickle } from "../support/api/multipart";
import { largePdfFile, sha256 } from "../support/files/files";
import type { Acknowledged } from "./store-check";

/** After a start, leftovers of a killed server must be removed within this time, even on a busy machine. */
const AFTER_START_MS = 60_000;
/** A running server begins to look for leftovers within a minute. */
export const WHILE_RUNNING_MS = 120_000;
const POLL_MS = 100;

/** A new envelope; it is recorded as acknowledged. */
async function newEnvelope(client: Client, acknowledged: Acknowledged) {
  const made = await client.post("/api/requests", ENVELOPE);
  if (made.status !== 201) throw new Error(`No envelope to begin with: ${made.status}`);
  acknowledged.envelopes.add(made.body.id);
  return made.body;
}

/** Starts uploads that are stored and wait for an unresponsive scanner. Resolves once all of them are stored. */
export async function beginUploads(
  { client, folder, acknowledged }: { client: Client; folder: string; acknowledged: Acknowledged },
  count: number,
): Promise<void> {
  const before = (await readdir(join(folder, "uploads"))).length;
  for (let index = 0; index < count; index += 1) {
    const envelope = await newEnvelope(client, acknowledged);
    const sent = client.send("POST", linkOf(envelope), form({ Contract: largePdfFile(100_000) }));
    // The server is killed before it answers.
    sent.catch(() => {});
  }
  await until(async () => (await readdir(join(folder, "uploads"))).length === before + count);
}

/** Uploads a file over this many milliseconds. @returns what is wrong with the response */
export async function uploadSlowly(
  client: Client,
  acknowledged: Acknowledged,
  milliseconds: number,
): Promise<string[]> {
  const envelope = await newEnvelope(client, acknowledged);
  const file = largePdfFile(200_000);
  const content = await file.bytes();
  const { bytes, type } = multipart([{ name: "Contract", fileName: "contract.pdf", content }]);
  const chunks = 20;
  const pause = new TransformStream<Uint8Array, Uint8Array>({
    async transform(chunk, controller) {
      await Bun.sleep(milliseconds / chunks);
      controller.enqueue(chunk);
    },
  });
  const body = trickle(bytes, Math.ceil(bytes.length / chunks)).pipeThrough(pause);
  const { status } = await client.send("POST", linkOf(envelope), body, { "content-type": type });
  if (status !== 201) return [`a slow upload was answered ${status}`];
  acknowledged.files.set(envelope.id, await sha256(file));
  return [];
}

/** Waits until no leftovers of interrupted uploads remain. @returns how long that took, and what remains */
export async function waitUntilClean(
  folder: string,
  patienceMs = AFTER_START_MS,
): Promise<{ seconds: number; problems: string[] }> {
  const started = performance.now();
  const clean = await until(async () => (await leftovers(folder)).length === 0, patienceMs);
  const seconds = Math.round((performance.now() - started) / 1000);
  const problems = clean ? [] : (await leftovers(folder)).map((name) => `left after ${seconds} s: ${name}`);
  return { seconds, problems };
}

async function leftovers(folder: string): Promise<string[]> {
  const db = new Database(join(folder, "doculopes.db"), { readonly: true });
  try {
    const column = (statement: string) =>
      db
        .query<{ value: string }, []>(statement)
        .all()
        .map(({ value }) => value);
    const known = new Set(
      column(`select file_path as value from submissions
        union select replace(avatar_url, '/uploads/', '') from users where avatar_url is not null
       union select replace(logo_url, '/uploads/', '') from workspaces where logo_url is not null`),
    );
    const stored = (await readdir(join(folder, "uploads"))).filter(isFileKey);
    return [
      ...column("select id as value from upload_leases"),
      ...(await readdir(join(folder, "tmp"))),
      ...stored.filter((name) => !known.has(name)),
    ];
  } finally {
    db.close();
  }
}

async function until(reached: () => Promise<boolean>, patienceMs = 20_000): Promise<boolean> {
  for (const end = performance.now() + patienceMs; performance.now() < end; await Bun.sleep(POLL_MS))
    if (await reached()) return true;
  return false;
}
