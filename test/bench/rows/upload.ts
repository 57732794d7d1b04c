import { join } from "node:path";
import { spawn } from "bun";
import { type Account, sendEnvelope, signUp } from "../harness/account";
import { compare } from "../harness/compare";
import { memoryOver, type Server, startApp, startBaseline, withFolder } from "../harness/process";
import { type Finding, quantile, type Row } from "../harness/row";
import { emptyUploads, makeFile, upload, uploadRaw } from "../harness/upload";

const MB = 1024 * 1024;
const AT_ONCE = 20;
const PROBE = join(import.meta.dir, "../../faults/probe.ts");

/** One file of 500 MiB and 50 of 1 MiB beside bare writers that fsync too, and their memory. */
export const uploads: Row = () =>
  withFolder(async (folder) => {
    const app = await startApp(folder, { MAX_FILE_MB: "1000" });
    const bare = await startBaseline("upload", folder);
    const owner = await signUp(app.url, "owner@example.com");
    const link = async (names: string[]) => `${app.url}/api/submissions/${await sendEnvelope(owner, names)}`;
    const large = await makeFile(folder, 500 * MB);
    const small = await makeFile(folder, MB);
    const fifty = Array.from({ length: 50 }, (_, index) => `Document ${index + 1}`);
    const findings: Finding[] = [];
    const add = async (
      what: string,
      name: string,
      goal: number | undefined,
      pair: ReturnType<typeof compare>,
    ) => {
      const { value, baseline } = await pair;
      findings.push({
        what,
        unit: "MB/s",
        value,
        baseline: { name, value: baseline },
        goal: goal === undefined ? undefined : { of: "ratio", atLeast: goal },
      });
    };
    const memory = async (): Promise<Finding> => {
      const baseline = { name: "MB, bare multipart", value: await memoryOver(bare, bareOnce) };
      const value = await memoryOver(app, once);
      const goal = { of: "value", atMost: 60 } as const;
      return { what: "Memory during 500 MiB, over before", unit: "MB", value, baseline, goal };
    };
    const once = async () => {
      const speed = await upload(await link(["One"]), large, ["One"]);
      await emptyUploads(folder);
      return speed;
    };
    const bareOnce = async () => {
      const speed = await upload(`${bare.url}/multipart`, large, ["One"]);
      await emptyUploads(folder);
      return speed;
    };
    const bareRaw = async () => {
      const speed = await uploadRaw(`${bare.url}/raw`, large);
      await emptyUploads(folder);
      return speed;
    };
    findings.push(await memory());
    await add("One file of 500 MiB", "bare multipart, fsync", 0.8, compare(3, bareOnce, once, 1));
    findings.push({
      what: "The same",
      unit: "MB/s",
      value: await once(),
      baseline: { name: "bare stream, fsync", value: await bareRaw() },
    });
    await add(
      "50 files of 1 MiB",
      "bare multipart, fsync",
      0.7,
      compare(
        5,
        () => upload(`${bare.url}/multipart`, small, fifty),
        async () => upload(await link(fifty), small, fifty),
      ),
    );
    findings.push(...(await twentyAtOnce({ app, bare, owner, folder })));
    await Promise.all([app.stop(), bare.stop()]);
    return findings;
  });

type Twenty = { app: Server; bare: Server; owner: Account; folder: string };

/** Twenty concurrent uploads: their speed, their memory, and the duration of another user's reads meanwhile. */
async function twentyAtOnce({ app, bare, owner, folder }: Twenty): Promise<Finding[]> {
  const path = await makeFile(folder, 100 * MB);
  const run = async (server: Server, urls: readonly string[]) => {
    const probe = startProbe(server.url, owner.cookie);
    const started = performance.now();
    let seconds = 0;
    const memory = await memoryOver(server, async () => {
      await Promise.all(urls.map((url) => upload(url, path, ["One"])));
      seconds = (performance.now() - started) / 1000;
    });
    const reads = quantile(await probe(), 0.99);
    await emptyUploads(folder);
    return { memory, speed: (100 * urls.length) / seconds, reads };
  };
  const bareUrls = Array.from({ length: AT_ONCE }, () => `${bare.url}/multipart`);
  const links = bareUrls.map(async () => `${app.url}/api/submissions/${await sendEnvelope(owner, ["One"])}`);
  const urls = await Promise.all(links);
  const baseline = await run(bare, bareUrls);
  const own = await run(app, urls);
  const what = `${AT_ONCE} of 100 MiB at once`;
  const name = "bare multipart, fsync";
  return [
    {
      ...{ what, unit: "MB/s", value: own.speed, baseline: { name, value: baseline.speed } },
      goal: { of: "ratio", atLeast: 0.9 },
    },
    {
      ...{ what: `Memory during ${what}, over before`, unit: "MB", value: own.memory },
      baseline: { name: "MB, bare multipart", value: baseline.memory },
      goal: { of: "value", atMost: 150 },
    },
    {
      ...{ what: `Another's reads during ${what}, p99`, unit: "ms", value: own.reads },
      baseline: { name: "of the bare server", value: baseline.reads },
      goal: { of: "value", atMost: 50 },
    },
  ];
}

/** Reads a list in a separate process. @returns a function that stops it and returns the milliseconds of each read */
function startProbe(url: string, cookie: string): () => Promise<number[]> {
  const probe = spawn([process.execPath, PROBE, url, cookie], { stdin: "pipe", stdout: "pipe" });
  return async () => {
    probe.stdin.end();
    return JSON.parse(await new Response(probe.stdout).text());
  };
}
