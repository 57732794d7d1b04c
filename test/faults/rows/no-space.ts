import { rm } from "node:fs/promises";
import { join } from "node:path";
import { spawnSync } from "bun";
import { type Client, createClient } from "../../support/api/client";
import { ENVELOPE, form, linkOf } from "../../support/api/envelopes";
import { largePdfFile, sha256 } from "../../support/files/files";
import { spawnServer } from "../../support/processes/bun-process";
import type { Outcome, RowOptions } from "../row";
import { type Acknowledged, noAcknowledgements, problemsOfStore } from "../store-check";

const SIZE = "16m";
const FILE_BYTES = 900_000;
const MOST_ROWS = 2000;

/** Whether this process may mount a small disk to fill. */
export function canMount(folder: string): boolean {
  const mounted = spawnSync(["mount", "-t", "tmpfs", "-o", `size=${SIZE}`, "tmpfs", folder]).success;
  if (mounted) spawnSync(["umount", folder]);
  return mounted;
}

/** A disk of 16 MiB with all data fills up, gets a little free space, and fills up again. */
export async function noSpace({ folder, long }: RowOptions): Promise<Outcome> {
  const mounted = spawnSync(["mount", "-t", "tmpfs", "-o", `size=${SIZE}`, "tmpfs", folder]);
  if (!mounted.success) throw new Error(`No disk could be mounted: ${mounted.stderr}`);
  try {
    return await fillAgain(folder, long ? 10 : 2);
  } finally {
    spawnSync(["umount", "-l", folder]);
  }
}

type Tally = { taken: number; rejected: Record<string, number>; problems: string[] };

async function fillAgain(folder: string, rounds: number): Promise<Outcome> {
  const server = spawnServer({ DATA_DIR: folder, MIN_FREE_MB: "0" });
  const client = createClient({ fetch: (request) => fetch(request), origin: await server.url });
  await client.post("/api/register", { email: "full@example.com", password: "long enough" });
  const acknowledged = noAcknowledgements();
  const tally: Tally = { taken: 0, rejected: {}, problems: [] };
  for (let round = 0; round < rounds && tally.problems.length === 0; round++) {
    // Other data on the disk, which is deleted later.
    await Bun.write(join(folder, "others"), new Uint8Array(FILE_BYTES * 3));
    const links: { id: number; submissionToken: string }[] = [];
    for (let index = 0; index < 24; index++) {
      const made = await client.post("/api/requests", ENVELOPE);
      if (made.status !== 201) throw new Error(`No envelope to begin with: ${made.status}`);
      acknowledged.envelopes.add(made.body.id);
      links.push(made.body);
    }
    for (const link of links) await submit(client, link, acknowledged, tally);
    await fillRest(folder);
    await writeRows(client, acknowledged, tally);
    await readAll(client, acknowledged, tally);
    for (const name of ["ballast", "others"]) await rm(join(folder, name), { force: true });
    for (const id of [...acknowledged.files.keys()].slice(0, 8))
      await remove(client, id, acknowledged, tally);
    const [next] = links.filter(({ id }) => !acknowledged.files.has(id) && !acknowledged.deleted.has(id));
    if (next && !(await submit(client, next, acknowledged, tally)))
      tally.problems.push("no upload after room was made");
  }
  server.child.kill("SIGTERM");
  await server.child.exited;
  const { taken, rejected, problems } = tally;
  const responses = Object.entries(rejected).map(([what, times]) => `${what} × ${times}`);
  return {
    measured: { "uploads taken": taken, rejected: responses.join(", ") },
    problems: [...problems, ...(await problemsOfStore(folder, acknowledged))],
  };
}

/** @returns whether it was accepted */
async function submit(
  client: Client,
  link: { id: number; submissionToken: string },
  acknowledged: Acknowledged,
  tally: Tally,
): Promise<boolean> {
  const file = largePdfFile(FILE_BYTES);
  const { status, body } = await client.send("POST", linkOf(link), form({ Contract: file }));
  if (status === 201) {
    acknowledged.files.set(link.id, await sha256(file));
    tally.taken += 1;
    return true;
  }
  reject(tally, "upload", status, body);
  return false;
}

/** Fills the remaining space to the last page. */
async function fillRest(folder: string): Promise<void> {
  for (const size of ["1M", "64K", "4K"])
    spawnSync([
      "sh",
      "-c",
      `while dd if=/dev/zero bs=${size} count=1 >> "$0/ballast" 2>/dev/null; do :; done`,
      folder,
    ]);
}

/** The journal has space for some rows even then, so this writes until the database needs more disk. */
async function writeRows(client: Client, acknowledged: Acknowledged, tally: Tally): Promise<void> {
  let rejected = 0;
  for (let written = 0; written < MOST_ROWS && rejected < 10; written++) {
    const { status, body } = await client.post("/api/requests", ENVELOPE);
    if (status === 201) acknowledged.envelopes.add(body.id);
    else {
      rejected += 1;
      reject(tally, "row", status, body);
    }
  }
}

async function readAll(client: Client, acknowledged: Acknowledged, tally: Tally): Promise<void> {
  const list = await client.get("/api/requests");
  if (list.status !== 200) tally.problems.push(`a list was answered ${list.status} on a full disk`);
  for (const [id, hash] of acknowledged.files) {
    const { body } = await client.get(`/api/requests/${id}`);
    const bytes = await client.bytes(body.submissions[0].url);
    if ((await sha256(bytes)) !== hash)
      tally.problems.push(`the file of ${id} could not be read on a full disk`);
  }
}

async function remove(client: Client, id: number, acknowledged: Acknowledged, tally: Tally): Promise<void> {
  const { status, body } = await client.delete(`/api/requests/${id}`);
  if (status !== 204) return reject(tally, "deletion", status, body);
  acknowledged.envelopes.delete(id);
  acknowledged.files.delete(id);
  acknowledged.deleted.add(id);
}

function reject(tally: Tally, what: string, status: number, body: { message?: string } | null): void {
  const key = `${what} ${status}`;
  tally.rejected[key] = (tally.rejected[key] ?? 0) + 1;
  if (![503, 507].includes(status) || !body?.message)
    tally.problems.push(`${what} was answered ${status} ${JSON.stringify(body)}`);
}
