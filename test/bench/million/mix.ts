import { largePdfFile, sha256 } from "../../support/files/files";
import { createRandom, type Random } from "../../support/random";
import { type Account, envelope } from "../harness/account";
import type { Population } from "./build";
import type { Instance } from "./instance";

/** Of twenty things that people do. */
const SHARES = { list: 7, search: 3, open: 5, create: 2, submit: 3 };
type Action = keyof typeof SHARES;
const ACTIONS = (Object.keys(SHARES) as Action[]).flatMap((name) => Array<Action>(SHARES[name]).fill(name));
/** A pause is half to one and a half times as long. */
const PAUSE_MS = Number(process.env.BENCH_PAUSE_MS ?? 1000);
/** The mean pause between a server's start and the next kill. */
const KILL_EACH_MS = 1500;
const SMALLEST_FILE = 20_000;
const LARGEST_FILE = 500_000;
const WORDS = ["recipient 77", "documents 1", "file 99", "example.com", "passport"];

type Sent = { id: number; token: string; account: Account };
export type Mix = {
  latencies: Record<Action | "link", number[]>;
  /** What was acknowledged: SHA-256 of the file by envelope, null before one was submitted. */
  acknowledged: Map<number, { account: Account; hash: string | null }>;
  /** Requests without a response, or with a status that is not expected. */
  problems: string[];
};

/**
 * The same people while this many times one of the servers is killed and started again. A request that is cut off has
 * no response, so it is not among what was acknowledged.
 */
export async function runMixWithKills(
  { url, servers }: Pick<Instance, "url" | "servers">,
  population: Population,
  kills: number,
): Promise<Mix> {
  const random = createRandom(kills);
  const killing = (async () => {
    for (let kill = 0; kill < kills; kill += 1) {
      await Bun.sleep(random.below(KILL_EACH_MS * 2));
      await random.pick(servers).killAndRestart();
    }
  })();
  return runMix(url, population, killing);
}

/** A hundred people who work on an instance at once until this settles, from a seed. */
export async function runMix(url: string, population: Population, end: Promise<unknown>): Promise<Mix> {
  const mix: Mix = {
    latencies: { list: [], search: [], open: [], create: [], link: [], submit: [] },
    acknowledged: new Map(),
    problems: [],
  };
  let isOver = false;
  const watched = end.finally(() => {
    isOver = true;
  });
  await Promise.all(
    population.accounts.map(async (account, index) => {
      const random = createRandom(index + 1);
      const person = new Person(url, { account, random, population, mix });
      await Bun.sleep(random.below(PAUSE_MS));
      while (!isOver) {
        await person.act().catch((error: unknown) => mix.problems.push(String(error)));
        await Bun.sleep(PAUSE_MS / 2 + random.below(PAUSE_MS));
      }
    }),
  );
  await watched;
  return mix;
}

type Given = { account: Account; random: Random; population: Population; mix: Mix };

class Person {
  private seen: number[] = [];
  private waiting: Sent[] = [];

  constructor(
    private readonly url: string,
    private readonly given: Given,
  ) {}

  async act(): Promise<void> {
    const action = this.nextAction();
    if (action === "create") return this.create();
    if (action === "submit") return this.submit();
    const path = this.pathOf(action);
    const response = await this.timed(action, () => this.given.account.send("GET", path));
    if (action !== "open") this.seen = response.map(({ id }: { id: number }) => id);
  }

  private nextAction(): Action {
    const action = this.given.random.pick(ACTIONS);
    if (action === "open" && this.seen.length === 0) return "list";
    return action === "submit" && this.waiting.length === 0 ? "create" : action;
  }

  private pathOf(action: "list" | "search" | "open"): string {
    const { random, account, population } = this.given;
    if (action === "open") return `/api/requests/${random.pick(this.seen)}`;
    const isLarge = account === population.accounts[0] || account === population.accounts[1];
    const workspaceId = isLarge && random.chance(0.5) ? population.large : account.workspaceId;
    const list = `/api/requests?workspaceId=${workspaceId}&limit=50`;
    return action === "list" ? list : `${list}&search=${encodeURIComponent(random.pick(WORDS))}`;
  }

  private async create(): Promise<void> {
    const { account, mix } = this.given;
    const made = await this.timed("create", () =>
      account.send("POST", "/api/requests", { ...envelope(["Passport"]), workspaceId: account.workspaceId }),
    );
    mix.acknowledged.set(made.id, { account, hash: null });
    this.waiting.push({ id: made.id, token: made.submissionToken, account });
  }

  private async submit(): Promise<void> {
    const { mix, random } = this.given;
    const sent = this.waiting.pop();
    if (!sent) return;
    const file = largePdfFile(SMALLEST_FILE + random.below(LARGEST_FILE - SMALLEST_FILE));
    const link = `${this.url}/api/submissions/${sent.token}`;
    await this.timed("link", () => fetch(link));
    const form = new FormData();
    form.append("Passport", file);
    await this.timed("submit", () => fetch(link, { method: "POST", body: form }));
    mix.acknowledged.set(sent.id, { account: sent.account, hash: await sha256(file) });
  }

  /** @throws if the response is not a 2xx */
  private async timed(action: keyof Mix["latencies"], call: () => Promise<Response>) {
    const started = performance.now();
    const response = await call();
    const body = await response.text();
    if (!response.ok) throw new Error(`${action}: ${response.status} ${body.slice(0, 200)}`);
    this.given.mix.latencies[action].push(performance.now() - started);
    return JSON.parse(body);
  }
}

/** What was acknowledged and is not there. */
export async function findLost({ acknowledged }: Mix): Promise<string[]> {
  const lost: string[] = [];
  for (const [id, { account, hash }] of acknowledged) {
    const response = await account.send("GET", `/api/requests/${id}`);
    if (!response.ok) {
      lost.push(`envelope ${id}: ${response.status}`);
      continue;
    }
    const { submissions } = await response.json();
    if (hash && submissions[0]?.sha256 !== hash) lost.push(`the file of envelope ${id}`);
  }
  return lost;
}
