import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { openLibsql } from "../../../db/libsql";
import { indexStaleEnvelopes } from "../../../db/queries/search";
import { type Account, addEnvelopes, signUp } from "../harness/account";
import { startApp, withFolder } from "../harness/process";
import { type Finding, median, quantile, type Row } from "../harness/row";

const ENVELOPES = 100_000;
const SMALL = 1000;
const TIMES = 10;
/** Common and rare words, parts of words, several, and none that is there. */
const WORDS = [
  ...[
    "documents",
    "doc",
    "recipient 99",
    "passport proof address",
    "file 4711",
    "recipient77123@example.com",
  ],
  ...["4711", "st", "zq", "muller", "documents zukunft"],
];

/** A search in 100,000 envelopes of one workspace, and in 1,000 beside them; and what the index costs. */
export const search: Row = () =>
  withFolder(async (folder) => {
    const app = await startApp(folder);
    const small = await signUp(app.url, "small@example.com");
    await addEnvelopes(folder, small, SMALL);
    const indexed = await indexAll(folder);
    const alone = await searchAll(small);
    const owner = await signUp(app.url, "owner@example.com");
    await addEnvelopes(folder, owner, ENVELOPES);
    const { bytes } = await indexAll(folder);
    const own = await searchAll(owner);
    const beside = await searchAll(small);
    await app.stop();
    return [
      {
        what: "Searching 100,000 envelopes: p95",
        unit: "ms",
        value: quantile(own, 0.95),
        goal: { of: "value", atMost: 100 },
      },
      {
        what: "Searching 1,000 envelopes beside 100,000 of others",
        unit: "ms",
        value: median(beside),
        baseline: { name: "without the others", value: median(alone) },
        goal: { of: "ratio", atMost: 1.5 },
      },
      { what: "Indexing an envelope", unit: "ms", value: indexed.milliseconds },
      { what: "The index of an envelope", unit: "bytes", value: bytes },
    ] satisfies Finding[];
  });

async function searchAll({ send, workspaceId }: Account): Promise<number[]> {
  const times: number[] = [];
  for (let time = 0; time < TIMES; time += 1)
    for (const words of WORDS) {
      const started = performance.now();
      const query = new URLSearchParams({ workspaceId: String(workspaceId), search: words });
      await (await send("GET", `/api/requests?${query}`)).arrayBuffer();
      times.push(performance.now() - started);
    }
  return times;
}

/** Indexes what the schedule would index within minutes. @returns the cost of an envelope */
export async function indexAll(folder: string): Promise<{ milliseconds: number; bytes: number }> {
  const { db, close } = await openLibsql({ url: pathToFileURL(join(folder, "doculopes.db")).href });
  const size = async () => {
    const [row] = await db.all<{ bytes: number }>(
      "select sum(length(block)) as bytes from envelope_search_data",
    );
    return row?.bytes ?? 0;
  };
  const [before, started] = [await size(), performance.now()];
  let count = 0;
  for (let indexed = 1; indexed > 0; count += indexed) indexed = await indexStaleEnvelopes(db, 100_000);
  const milliseconds = (performance.now() - started) / count;
  const bytes = ((await size()) - before) / count;
  close();
  return { milliseconds, bytes };
}
