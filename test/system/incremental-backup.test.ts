import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn, write } from "bun";
import { runOperatorCommand, spawnCommand } from "../support/operator-command";

setDefaultTimeout(120_000);

const ROOT = join(import.meta.dir, "../..");

let folder: string;
const at = (name: string) => join(folder, name);
const variables = () => ({ DATA_DIR: at("data"), PORT: "0" });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "doculopes-incremental-"));
  await seed(60);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function seed(count: number): Promise<void> {
  const command = [process.execPath, "db/seed/index.ts", "--envelopes", String(count)];
  const child = spawn(command, { cwd: ROOT, env: { ...process.env, ...variables() }, stdout: "ignore" });
  expect(await child.exited).toBe(0);
}

const backUp = (name: string) =>
  runOperatorCommand(["backup", "--incremental", at(`backups/${name}`)], variables());
const filesOf = (name: string) => readdir(at(`backups/${name}/files`));
const inode = async (name: string, key: string) => (await stat(at(`backups/${name}/files/${key}`))).ino;

test("an incremental backup copies only new files, and each backup can be restored without the others", async () => {
  expect(await backUp("1")).toMatchObject({ code: 0, output: expect.not.stringContaining("sharing") });
  const first = await filesOf("1");
  expect(first.length).toBeGreaterThan(20);
  await seed(6);
  expect(await backUp("2")).toMatchObject({
    code: 0,
    output: expect.stringContaining(`sharing files with ${at("backups/1")}`),
  });
  const second = await filesOf("2");
  expect(second.length).toBe(first.length + 2);
  for (const key of first) expect(await inode("2", key)).toBe(await inode("1", key));
  await rm(at("backups/1"), { recursive: true });
  const restored = { DATA_DIR: at("restored"), PORT: "0" };
  expect(await runOperatorCommand(["restore", at("backups/2")], restored)).toMatchObject({ code: 0 });
  expect((await readdir(at("restored/uploads"))).sort()).toEqual(second.sort());
});

test("a file that has changed in the earlier backup is copied from the store again", async () => {
  const [damaged = "", other = ""] = await filesOf("2");
  await write(at(`backups/2/files/${damaged}`), "bit rot");
  expect((await backUp("3")).code).toBe(0);
  expect(await inode("3", damaged)).not.toBe(await inode("2", damaged));
  expect(await inode("3", other)).toBe(await inode("2", other));
  const restored = { DATA_DIR: at("restored-3"), PORT: "0" };
  expect(await runOperatorCommand(["restore", at("backups/3")], restored)).toMatchObject({ code: 0 });
});

test("a killed backup leaves nothing that looks complete, and does not damage the others", async () => {
  let before = (await readdir(at("backups"))).length;
  for (const ms of [100, 200, 300, 400]) {
    const child = spawnCommand(["backup", "--incremental", at("backups/killed")], variables());
    const timer = setTimeout(() => child.kill("SIGKILL"), ms);
    await child.exited;
    clearTimeout(timer);
    const made = await stat(at("backups/killed")).catch(() => null);
    if (made) before += 1;
    if (made) break;
  }
  const complete = (await readdir(at("backups"))).filter((name) => !/\.(?:part|rows)$/.test(name));
  expect(complete).toHaveLength(before);
  expect(await backUp("4")).toMatchObject({ code: 0 });
  for (const name of ["3", "4"]) {
    const restored = { DATA_DIR: at(`restored-${name}-after`), PORT: "0" };
    expect(await runOperatorCommand(["restore", at(`backups/${name}`)], restored)).toMatchObject({ code: 0 });
  }
});
