import { sql } from "drizzle-orm";
import { JOBS, type JobName } from "../../../worker/jobs";
import { longestBlock } from "./watch-loop";
import { startWorld } from "./world";
import { type Call, MALFORMED, WORST_CALLS } from "./worst-calls";
import { WORST_JOBS } from "./worst-jobs";

/** How long a call or job kept everybody else waiting, in milliseconds; `failure` if it did not do its work. */
export type Block = { what: string; milliseconds: number; failure?: string };

/** What takes longer than the bound is repeated: a block shows each time, the collector's and other processes' do not. */
const TIMES = 5;
const LARGE_BODY = 10_000;
/** Of work in parts, which goes on behind a call or a job. */
const WATCHED_MS = 300;

/**
 * Feeds each call and each job its worst input, and measures the longest time without a turn of the event loop, with what
 * goes on behind it.
 * @param bound in milliseconds
 */
export async function measureBlocks(bound: number, { filesPerDocument = 1 } = {}): Promise<Block[]> {
  const { runtime, owner, world } = await startWorld({ filesPerDocument });
  const { deps } = runtime;
  const blocks: Block[] = [];

  const measure = async (
    what: string,
    work: () => Promise<string | undefined>,
    prepare?: () => Promise<unknown>,
  ) => {
    let block: Block | undefined;
    for (let time = 0; time < TIMES && (block?.milliseconds ?? bound) >= bound; time += 1) {
      await prepare?.();
      let failure: string | undefined;
      const stopping = new AbortController();
      deps.stopping = stopping.signal;
      setTimeout(() => stopping.abort(), WATCHED_MS);
      const milliseconds = await longestBlock(async () => {
        failure = await work();
        await runtime.finishBackgroundWork();
      });
      // What has changed something may be rejected when it is repeated.
      if (block && failure !== undefined) break;
      if (!block || milliseconds < block.milliseconds)
        block = { what, milliseconds, ...(failure && { failure }) };
    }
    if (block) blocks.push(block);
  };

  const call = (route: string, { path, body, status }: Call) => {
    const [method = ""] = route.split(" ");
    const headers = { cookie: owner.cookie, "content-type": "application/json" };
    return measure(`${route} ${path.slice(0, 60)} ${body?.slice(0, 40) ?? ""}`, async () => {
      const request = new Request(`${runtime.origin}${path}`, { method, headers, ...(body && { body }) });
      const response = await runtime.fetch(request);
      for await (const _ of response.body ?? []);
      const isExpected = status === undefined ? response.ok : response.status === status;
      return isExpected ? undefined : `status ${response.status}`;
    });
  };
  for (const [route, calls] of Object.entries(WORST_CALLS)) {
    if (typeof calls === "string") continue;
    const worst = calls(world);
    for (const each of worst) await call(route, each);
    const [first] = worst;
    // All calls read their bodies alike, and others have smaller schemas.
    if (first?.body && first.body.length > LARGE_BODY)
      for (const body of MALFORMED) await call(route, { ...first, body, status: 400 });
  }

  const changes = async () => (await deps.db.get<{ n: number }>(sql`select total_changes() as n`)).n;
  for (const [name, job] of Object.entries(WORST_JOBS)) {
    if (typeof job === "string") continue;
    await runtime.setClock(job.at);
    await measure(
      `job ${name}`,
      async () => {
        const before = await changes();
        await JOBS[name as JobName](deps);
        await runtime.finishBackgroundWork();
        return (await changes()) > before ? undefined : "nothing was changed";
      },
      () => job.prepare(deps.db, world),
    );
  }
  await runtime.stop();
  return blocks;
}
