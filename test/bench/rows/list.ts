import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { SORTS, TABS } from "../../../worker/contract/list-orders";
import { type Account, addEnvelopes, signUp } from "../harness/account";
import { compare } from "../harness/compare";
import { mirror } from "../harness/mirror";
import { startApp, startBaseline, withFolder } from "../harness/process";
import { rate } from "../harness/rate";
import { type Finding, median, quantile, type Row } from "../harness/row";
import { indexAll } from "./search";

/** Whole envelopes with contacts, documents and files, and what a row shows of them. */
const LISTS = [
  { path: "/api/requests?limit=200", what: "whole requests", atLeast: 0.5 },
  { path: "/api/requests?limit=200&view=row", what: "rows", atLeast: 0.8 },
];

/** A page of 200 envelopes, beside 200 bare rows of the same bytes. */
export const list: Row = () =>
  withFolder(async (folder) => {
    const app = await startApp(folder);
    const owner = await signUp(app.url, "owner@example.com");
    await addEnvelopes(folder, owner, 1000);
    const findings: Finding[] = [];
    for (const [index, { path, what, atLeast }] of LISTS.entries()) {
      const ofBaseline = join(folder, `baseline-${index}`);
      await mkdir(ofBaseline);
      await mirror(ofBaseline, "many", await (await owner.send("GET", path)).json());
      const bare = await startBaseline("rows", ofBaseline);
      const measured = await compare(
        5,
        () => rate(bare, { path: "/many" }),
        () => rate(app, { path, cookie: owner.cookie }),
      );
      await bare.stop();
      findings.push({
        what: `GET /api/requests, 200 ${what}`,
        unit: "req per CPU s",
        value: measured.value,
        baseline: { name: "bare Hono + libSQL, 200 rows", value: measured.baseline },
        goal: { of: "ratio", atLeast },
      });
    }
    await app.stop();
    return findings;
  });

const MANY = 100_000;
const FEW = 100;
const TIMES = 20;
const FILTERS = ["file", "4711", "zukunft"];
const WORDS = ["documents", "4711", "passport file", "zukunft"];

/** The list of a workspace with 100,000 envelopes: its first rows beside those of 100, and every way to narrow and sort it. */
export const lists: Row = () =>
  withFolder(async (folder) => {
    const app = await startApp(folder);
    const small = await signUp(app.url, "small@example.com");
    await addEnvelopes(folder, small, FEW);
    const large = await signUp(app.url, "large@example.com");
    await addEnvelopes(folder, large, MANY);
    await indexAll(folder);
    const firstRows = await compare(
      5,
      async () => median(await timesOf(small, [""])),
      async () => median(await timesOf(large, [""])),
    );
    const tabs = TABS.map((tab) => `tab=${tab}`);
    const sorts = SORTS.map((sort) => `sort=${sort}`);
    const filters = FILTERS.flatMap((filter) => sorts.map((sort) => `${sort}&filter=${filter}`));
    const searches = WORDS.flatMap((search) => sorts.map((sort) => `${sort}&search=${search}`));
    const kinds: Record<string, string[]> = {
      counts: ["counts=1&limit=1", ...FILTERS.map((filter) => `counts=1&limit=1&filter=${filter}`)],
      tabs: tabs.flatMap((tab) => sorts.map((sort) => `${tab}&${sort}`)),
      ...{ sorts, filters, searches, "not opened": ["opened=never", "opened=never&sort=subject"] },
    };
    const findings: Finding[] = [
      {
        what: "The first rows of 100,000 envelopes",
        unit: "ms",
        value: firstRows.value,
        baseline: { name: "of 100", value: firstRows.baseline },
        goal: { of: "ratio", atMost: 1.2 },
      },
    ];
    for (const [kind, queries] of Object.entries(kinds)) {
      const value = quantile(await timesOf(large, queries), 0.95);
      findings.push({
        what: `Lists of 100,000 envelopes, ${kind}: p95`,
        unit: "ms",
        value,
        goal: { of: "value", atMost: 100 },
      });
    }
    await app.stop();
    return findings;
  });

async function timesOf({ send, workspaceId }: Account, queries: string[]): Promise<number[]> {
  const times: number[] = [];
  for (const query of queries)
    for (let time = 0; time < TIMES; time += 1) {
      const started = performance.now();
      await (await send("GET", `/api/requests?view=row&workspaceId=${workspaceId}&${query}`)).arrayBuffer();
      times.push(performance.now() - started);
    }
  return times;
}
