import { sql } from "drizzle-orm";
import { runScheduledJobs } from "../../../worker/jobs";
import { longestBlock } from "./watch-loop";
import { startWorld } from "./world";
import { type Call, MALFORMED, WORST_CALLS } from "./worst-calls";

/** How long one call or job kept everybody else waiting, in milliseconds. */
export type Block = { what: string; status: number | null; milliseconds: number };

/** Feeds each call and the jobs their worst inputs, and measures the longest time without a turn of the event loop. */
export async function measureBlocks(): Promise<Block[]> {
  const { runtime, owner, world } = await startWorld();
  const blocks: Block[] = [];
  const call = async (route: string, { path, body }: Call) => {
    const [method = ""] = route.split(" ");
    const headers = { cookie: owner.cookie, "content-type": "application/json" };
    const request = new Request(`${runtime.origin}${path}`, { method, headers, ...(body && { body }) });
    let status = 0;
    const milliseconds = await longestBlock(async () => {
      const response = await runtime.fetch(request);
      status = response.status;
      for await (const _ of response.body ?? []);
    });
    const what = `${route} ${path.slice(0, 60)} ${body?.slice(0, 40) ?? ""}`;
    blocks.push({ what, status, milliseconds });
    blocks.push({
      what: `after ${what}`,
      status: null,
      milliseconds: await longestBlock(() => runtime.finishBackgroundWork().catch(() => {})),
    });
  };
  for (const [index, [route, calls]] of Object.entries(WORST_CALLS).entries()) {
    const worst = typeof calls === "string" ? [] : calls(world);
    for (const each of worst) await call(route, each);
    if (!/^(?:POST|PUT|PATCH)/.test(route) || /logout$/.test(route)) continue;
    const path = (worst[0]?.path ?? route.split(" ")[1] ?? "").replaceAll(/:\w+/g, "1");
    // All calls read their bodies alike.
    const malformed = MALFORMED[index % MALFORMED.length];
    if (malformed) await call(route, { path, body: malformed });
  }
  const job = async (what: string, work: () => Promise<unknown>) =>
    blocks.push({ what, status: null, milliseconds: await longestBlock(work) });
  const jobs = async (what: string) => {
    await job(`jobs: ${what}`, () => runScheduledJobs(runtime.deps));
    await job(`jobs after: ${what}`, () => runtime.finishBackgroundWork().catch(() => {}));
  };
  await runtime.setClock("2026-03-15T09:26:53.000Z");
  await jobs("reminders of all envelopes");
  await runtime.setClock("2026-04-03T03:26:53.000Z");
  await jobs("all envelopes expire");
  await runtime.setClock("2027-04-03T03:26:53.000Z");
  await jobs("all that is old is deleted");
  await runtime.deps.db.run(sql`update request_texts set stale = 1`);
  await jobs("the search index is built");
  await runtime.deps.db.run(sql`update workspaces set deleted_at = ${"2027-04-03"}`);
  for (let part = 0; part < 3; part += 1) await jobs("a workspace is deleted");
  await runtime.stop();
  return blocks;
}
