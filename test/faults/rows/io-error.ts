import { type Client, createClient } from "../../support/api/client";
import { ENVELOPE, form, linkOf } from "../../support/api/envelopes";
import { largePdfFile, sha256 } from "../../support/files/files";
import { spawnServer } from "../../support/processes/bun-process";
import { restart } from "../restart";
import type { Outcome, RowOptions } from "../row";
import { type Acknowledged, noAcknowledgements, problemsOfStore } from "../store-check";
import { injectFault } from "../strace";

const SYNC = "fsync,fdatasync";
const FAULTS: [calls: string, error: string][] = [
  [SYNC, "EIO"],
  ["rename", "EIO"],
  ["pwrite64", "ENOSPC"],
  [SYNC, "ENOSPC"],
  ["pwrite64", "EIO"],
];

type Tally = { rejected: Record<string, number>; problems: string[] };

/** The disk fails at fsync, at rename and at write, of files and of the database. */
export async function ioError({ folder, long }: RowOptions): Promise<Outcome> {
  const server = spawnServer({ DATA_DIR: folder });
  const client = createClient({ fetch: (request) => fetch(request), origin: await server.url });
  await client.post("/api/register", { email: "disk@example.com", password: "long enough" });
  const acknowledged = noAcknowledgements();
  const tally: Tally = { rejected: {}, problems: [] };
  for (const [calls, error] of long ? FAULTS : FAULTS.slice(0, 3)) {
    const links = [await create(client, acknowledged, tally), await create(client, acknowledged, tally)];
    const end = await injectFault(server.child.pid, calls, `error=${error}`);
    const fault = `${calls} ${error}`;
    for (const link of links) await submit(client, link, acknowledged, tally, fault);
    for (let index = 0; index < 5; index++) await create(client, acknowledged, tally, fault);
    const list = await client.get("/api/requests");
    if (list.status !== 200) tally.problems.push(`${fault}: a list was answered ${list.status}`);
    await end();
    const [again] = links.filter((link) => link && !acknowledged.files.has(link.id));
    if (again && !(await submit(client, again, acknowledged, tally)))
      tally.problems.push(`${fault}: no upload after it was over`);
    if (!(await create(client, acknowledged, tally)))
      tally.problems.push(`${fault}: no row after it was over`);
  }
  server.child.kill("SIGTERM");
  await server.child.exited;
  const { problems } = await restart({ DATA_DIR: folder }, acknowledged);
  const responses = Object.entries(tally.rejected).map(([what, times]) => `${what} × ${times}`);
  return {
    measured: {
      rejected: responses.join(", "),
      "files taken": acknowledged.files.size,
      envelopes: acknowledged.envelopes.size,
    },
    problems: [...tally.problems, ...problems, ...(await problemsOfStore(folder, acknowledged))],
  };
}

type Link = { id: number; submissionToken: string };

async function create(
  client: Client,
  acknowledged: Acknowledged,
  tally: Tally,
  fault?: string,
): Promise<Link | undefined> {
  const response = await client.post("/api/requests", ENVELOPE);
  if (response.status !== 201) return reject(tally, "row", response.status, fault);
  acknowledged.envelopes.add(response.body.id);
  return response.body;
}

async function submit(
  client: Client,
  link: Link | undefined,
  acknowledged: Acknowledged,
  tally: Tally,
  fault?: string,
): Promise<boolean> {
  if (!link) return false;
  const file = largePdfFile(300_000);
  const { status } = await client.send("POST", linkOf(link), form({ Contract: file }));
  if (status === 201) acknowledged.files.set(link.id, await sha256(file));
  else reject(tally, "upload", status, fault);
  return status === 201;
}

function reject(tally: Tally, what: string, status: number, fault?: string): undefined {
  const key = `${what} ${status}`;
  tally.rejected[key] = (tally.rejected[key] ?? 0) + 1;
  if (!fault || ![503, 507].includes(status))
    tally.problems.push(`${what} was answered ${status} with ${fault ?? "nothing amiss"}`);
}
