import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, readdir, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { spawnSync, write } from "bun";
import { createClient } from "../support/api/client";
import { ENVELOPE, form, linkOf } from "../support/api/envelopes";
import { largePdfFile } from "../support/files/files";
import { spawnServer } from "../support/processes/bun-process";
import { runOperatorCommand } from "../support/processes/operator-command";
import { makeFolder } from "../support/temporary-folder";

setDefaultTimeout(120_000);

const isRoot = process.getuid?.() === 0;
const MIB = 1024 * 1024;
const disk = makeFolder();
const backups = join(disk, "backups");
const at = (name: string) => join(backups, name);
const variables = { DATA_DIR: join(disk, "data"), MIN_FREE_MB: "1", PORT: "0", RATE_LIMITS: "off" };

beforeAll(async () => {
  if (!isRoot) return;
  const mounted = spawnSync(["mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", disk]);
  if (!mounted.success) throw new Error(`No disk could be mounted: ${mounted.stderr}`);
  await mkdir(backups);
  const server = spawnServer(variables);
  const owner = createClient({ fetch, origin: await server.url });
  await owner.post("/api/register", { email: "ada@example.com", password: "long enough" });
  for (let count = 0; count < 3; count += 1) {
    const { body: envelope } = await owner.post("/api/requests", ENVELOPE);
    const sent = await owner.send("POST", linkOf(envelope), form({ Contract: largePdfFile(3 * MIB) }));
    expect(sent.status).toBe(201);
  }
  server.child.kill("SIGTERM");
  await server.child.exited;
  expect(await backUp("first")).toMatchObject({ code: 0 });
});
afterEach(() => rm(join(disk, "ballast"), { force: true }));
afterAll(() => {
  if (isRoot) spawnSync(["umount", "-l", disk]);
});

const backUp = (name: string, MIN_FREE_MB = "1") =>
  runOperatorCommand(["backup", "--incremental", at(name)], { ...variables, MIN_FREE_MB });
const alerts = async () =>
  JSON.parse((await runOperatorCommand(["stats", "--json"], variables)).output).alerts.map(
    ({ cause }: { cause: string }) => cause,
  );

/** Writes other data, with which so much is free. */
async function leaveFree(bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(disk);
  await write(join(disk, "ballast"), new Uint8Array(bavail * bsize - bytes));
}

test.if(isRoot)("a backup that would not leave MIN_FREE_MB free is not begun, and is an alert", async () => {
  await leaveFree(8 * MIB);
  // In a folder without an earlier backup, it copies all files.
  const full = await backUp("elsewhere/1");
  expect([full.code, full.problems]).toEqual([
    1,
    expect.stringMatching(
      /^The backup needs 1\d MB more, but only \d MB are free for it in .*elsewhere: free some space, or /,
    ),
  ]);
  expect(await readdir(at("elsewhere"))).toEqual([]);
  expect(await alerts()).toEqual(["backup_failed"]);
  // Shared files need no space.
  expect(await backUp("second")).toMatchObject({ code: 0, problems: "" });
  expect(await alerts()).toEqual([]);
});

for (const [what, free] of [
  ["rows", 0.4 * MIB],
  ["files", 8 * MIB],
] as const)
  test.if(isRoot)(`a backup whose ${what} fill the disk leaves nothing there, and is an alert`, async () => {
    await leaveFree(free);
    const full = await backUp(`without-${what}/1`, "0");
    expect([full.code, full.problems]).toEqual([
      1,
      expect.stringMatching(
        /^The disk with .*without-.* is full, so no backup was made: free some space, or /,
      ),
    ]);
    expect(await readdir(at(`without-${what}`))).toEqual([]);
    expect(await readdir(backups)).toEqual(expect.arrayContaining(["first"]));
    expect(await alerts()).toEqual(["backup_failed"]);
    await rm(join(disk, "ballast"));
    expect(await backUp(`after-${what}`)).toMatchObject({ code: 0 });
    expect(await alerts()).toEqual([]);
  });
