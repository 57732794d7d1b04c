import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type Account, envelope, sendEnvelope, signUp } from "../harness/account";
import { compare } from "../harness/compare";
import { generateLoad } from "../harness/load";
import { ROOT, type Server, startAppOf, withFolder } from "../harness/process";
import { RELEASED, run, withReleased } from "../harness/released";
import { type Finding, median, type Row } from "../harness/row";
import { makeFile, upload } from "../harness/upload";

const DOCUMENTS = ["Passport", "Proof of address", "Contract"];
const ROUNDS = 3;
const WRITES = 50;
const STARTS = 5;
/** Background work of a start or a write ends within this time. */
const IDLE_MS = 500;
/** What a version may cost. */
const ALLOWED = 1.05;

/** One of the two versions, each with its own data. */
type Version = { root: string; folder: string; app: Server; owner: Account; token: string };

/**
 * This version beside the released one, both running and measured in turn: what the capabilities between them cost.
 * Processor time, because other load on the machine does not change it.
 */
export const released: Row = () =>
  withFolder((folder) =>
    withReleased(folder, async (root) => {
      const script = {
        baseline: await scriptSize(root),
        value: await scriptSize(ROOT),
      };
      const before = await open(root, join(folder, "before"));
      const now = await open(ROOT, join(folder, "now"));
      const path = await makeFile(folder, 100 * 1024);
      const both = (cost: (version: Version) => Promise<number>) =>
        compare(
          ROUNDS,
          () => cost(before),
          () => cost(now),
        );
      const findings = [
        finding("Link", "CPU µs", await both(({ app, token }) => readCost(app, `/api/submissions/${token}`))),
        finding("List of 200", "CPU µs", await both(listCost)),
        finding("Creating an envelope", "CPU µs", await both(createCost)),
        finding("Submitting 3 small files", "CPU µs", await both((version) => submitCost(version, path))),
      ];
      await Promise.all([before.app.stop(), now.app.stop()]);
      return [...findings, ...(await starts(before, now)), finding("Worker's script", "KiB", script)];
    }),
  );

const finding = (what: string, unit: string, pair: { value: number; baseline: number }): Finding => ({
  what,
  unit,
  value: pair.value,
  baseline: { name: RELEASED.version, value: pair.baseline },
  goal: { of: "ratio", atMost: ALLOWED },
});

/** Starts the version with 200 envelopes, every fourth of which is submitted. */
async function open(root: string, folder: string): Promise<Version> {
  await mkdir(folder);
  const app = await startAppOf(root, folder);
  const owner = await signUp(app.url, "owner@example.com");
  const token = await sendEnvelope(owner, DOCUMENTS);
  const path = await makeFile(folder, 1000);
  for (let count = 1; count < 200; count += 1) {
    const link = await sendEnvelope(owner, DOCUMENTS);
    if (count % 4 === 0) await upload(`${app.url}/api/submissions/${link}`, path, DOCUMENTS);
  }
  return { root, folder, app, owner, token };
}

async function readCost(app: Server, path: string, cookie?: string): Promise<number> {
  const before = await app.cpu();
  const { count } = await generateLoad(app.url, { path, cookie });
  return (((await app.cpu()) - before) / count) * 1000;
}

const listCost = ({ app, owner }: Version) => readCost(app, "/api/requests?limit=200", owner.cookie);

const createCost = ({ app, owner }: Version) =>
  writeCost(app, () => owner.send("POST", "/api/requests", envelope(DOCUMENTS)));

async function submitCost({ app, owner }: Version, path: string): Promise<number> {
  const links: string[] = [];
  for (let count = 0; count < WRITES; count += 1) links.push(await sendEnvelope(owner, DOCUMENTS));
  await Bun.sleep(IDLE_MS);
  return writeCost(app, (count) => upload(`${app.url}/api/submissions/${links[count]}`, path, DOCUMENTS));
}

/** With the work that follows the response, such as its mail. */
async function writeCost(app: Server, write: (count: number) => Promise<unknown>): Promise<number> {
  const before = await app.cpu();
  for (let count = 0; count < WRITES; count += 1) await write(count);
  await Bun.sleep(IDLE_MS);
  return (((await app.cpu()) - before) / WRITES) * 1000;
}

/** Starting each version on its database. */
async function starts(before: Version, now: Version): Promise<Finding[]> {
  const idle = new Map<Version, number[]>([
    [before, []],
    [now, []],
  ]);
  const startCost = async (version: Version) => {
    const app = await startAppOf(version.root, version.folder);
    const { status } = await fetch(`${app.url}/api/health`);
    if (status !== 200) throw new Error(`Not healthy: ${status}`);
    const cost = await app.cpu();
    await Bun.sleep(IDLE_MS);
    idle.get(version)?.push((await app.memory()).now);
    await app.stop();
    return cost;
  };
  const cost = await compare(
    STARTS,
    () => startCost(before),
    () => startCost(now),
    1,
  );
  const memory = (version: Version) => median(idle.get(version) ?? []);
  return [
    finding("Start to first 200", "CPU ms", cost),
    finding("Idle memory", "MB", { baseline: memory(before), value: memory(now) }),
  ];
}

/** The Worker's script, compressed, in KiB. */
async function scriptSize(root: string): Promise<number> {
  const output = await run(root, process.execPath, "run", "deploy", "--dry-run");
  return Number(/(\d+) KiB compressed/.exec(output)?.[1]);
}
