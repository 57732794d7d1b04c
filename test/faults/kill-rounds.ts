import { createClient } from "../support/api";
import { spawnServer } from "../support/bun-process";
import { form, linkOf } from "../support/envelopes";
import { largePdfFile, sha256 } from "../support/files";
import { createRandom, type Random } from "../support/random";
import { type Acknowledged, problemsOfStore } from "./store-check";

const ENVELOPE = {
  recipientName: "Rita",
  recipientEmail: "rita@example.com",
  subject: "Papers",
  documents: [{ name: "Contract" }],
};
const WORKERS = 4;
const KILL_WITHIN_MS = 900;

/** What came of it: how often the server was killed, what it had said yes to, and all that was wrong after. */
export type Outcome = { kills: number; acknowledged: number; problems: string[]; slowestReadyMs: number };

/** Kills a working server again and again at moments of the seed's choice, and checks the store after each restart. */
export async function killRounds(folder: string, options: { seed: number; kills: number }): Promise<Outcome> {
  const random = createRandom(options.seed);
  const told: Acknowledged = {
    emails: new Set(),
    envelopes: new Set(),
    deleted: new Set(),
    files: new Map(),
  };
  const outcome: Outcome = { kills: 0, acknowledged: 0, problems: [], slowestReadyMs: 0 };
  while (outcome.kills < options.kills && outcome.problems.length === 0) {
    const server = spawnServer({ DATA_DIR: folder });
    const url = await server.url;
    const people = Array.from({ length: WORKERS }, (_, index) =>
      work(url, `r${outcome.kills}w${index}`, createRandom(random.below(2 ** 31)), told),
    );
    await Bun.sleep(random.below(KILL_WITHIN_MS) + 300);
    server.child.kill("SIGKILL");
    await Promise.all([server.child.exited, ...people]);
    outcome.kills += 1;
    outcome.slowestReadyMs = Math.max(outcome.slowestReadyMs, await restart(folder));
    outcome.problems = await problemsOfStore(folder, told);
  }
  outcome.acknowledged = told.emails.size + told.envelopes.size + told.deleted.size + told.files.size;
  return outcome;
}

/** Starts once more, until ready and the leftovers looked at, and stops. @returns ms from listening to ready */
async function restart(folder: string): Promise<number> {
  const server = spawnServer({ DATA_DIR: folder });
  const url = await server.url;
  const listening = performance.now();
  const { status } = await fetch(`${url}/api/ready`);
  const taken = performance.now() - listening;
  // A graceful stop waits for the jobs of the start.
  server.child.kill("SIGTERM");
  await server.child.exited;
  if (status !== 200) throw new Error(`Not ready after a restart: ${status}`);
  return taken;
}

/** One person who signs up and works until the server is gone; notes only what was answered. */
async function work(url: string, name: string, random: Random, told: Acknowledged): Promise<void> {
  const client = createClient({ fetch: (request) => fetch(request), origin: url });
  try {
    const email = `${name}@example.com`;
    const signedUp = await client.post("/api/register", { email, password: "long enough" });
    if (signedUp.status === 201) told.emails.add(email);
    for (;;) {
      const made = await client.post("/api/requests", ENVELOPE);
      if (made.status !== 201) continue;
      const { id } = made.body;
      told.envelopes.add(id);
      if (random.chance(0.2)) {
        // No longer known to be there, nor yet to be gone.
        told.envelopes.delete(id);
        if ((await client.delete(`/api/requests/${id}`)).status === 204) told.deleted.add(id);
        continue;
      }
      const file = largePdfFile(10_000 + random.below(500_000));
      const sent = await client.send("POST", linkOf(made.body), form({ Contract: file }));
      if (sent.status === 201) told.files.set(id, await sha256(file));
    }
  } catch {
    // Killed: what was not answered may be there or not.
  }
}
