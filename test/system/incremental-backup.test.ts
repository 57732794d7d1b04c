import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { chmod, mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { $, file, spawn, write } from "bun";
import { isFileKey } from "../../worker/adapters/shared/file-key";
import { createClient } from "../support/api/client";
import { spawnServer } from "../support/processes/bun-process";
import { runOperatorCommand, spawnCommand } from "../support/processes/operator-command";
import { makeFolder } from "../support/temporary-folder";

setDefaultTimeout(300_000);

const ROOT = join(import.meta.dir, "../..");

const folder = makeFolder();
const at = (name: string) => join(folder, name);
const variables = () => ({ DATA_DIR: at("data"), PORT: "0" });

beforeAll(async () => {
  await seed(60);
});

async function seed(count: number): Promise<void> {
  const command = [process.execPath, "worker/cli/seed/index.ts", "--envelopes", String(count)];
  const child = spawn(command, { cwd: ROOT, env: { ...process.env, ...variables() }, stdout: "ignore" });
  expect(await child.exited).toBe(0);
}

const backUp = (name: string) =>
  runOperatorCommand(["backup", "--incremental", at(`backups/${name}`)], variables());
const flipped = (bytes: Uint8Array) => bytes.with(100, (bytes[100] ?? 0) ^ 1);
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
  expect((await readdir(at("restored/uploads"))).filter(isFileKey).sort()).toEqual(second.sort());
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

test("what a pipe or a damaged list stands for in the earlier backup is copied from the store", async () => {
  const [piped = "", other = ""] = await filesOf("3");
  await rm(at(`backups/3/files/${piped}`));
  await $`mkfifo ${at(`backups/3/files/${piped}`)}`;
  expect((await backUp("3a")).code).toBe(0);
  expect(await inode("3a", other)).toBe(await inode("3", other));
  await write(at("backups/3a/files.ndjson"), (await file(at("backups/3a/files.ndjson")).text()).slice(0, 20));
  expect((await backUp("3b")).code).toBe(0);
  expect((await filesOf("3b")).sort()).toEqual((await filesOf("3")).sort());
});

test("a file that is damaged in the store is named, and the next backup does not share it", async () => {
  const keys = await filesOf("3b");
  const [damaged = ""] = keys;
  const stored = at(`data/uploads/${damaged}`);
  const bytes = await file(stored).bytes();
  await write(stored, flipped(bytes));
  await rm(at("backups"), { recursive: true });

  const named = await backUp("5");

  expect(named).toMatchObject({ code: 2, output: expect.stringContaining("written to") });
  expect(named.problems).toMatch(new RegExp(`^${damaged} \\(envelope \\d+\\) has changed since .*\n→ copy`));
  expect((await filesOf("5")).sort()).toEqual(keys.sort());
  const restored = { DATA_DIR: at("restored-5"), PORT: "0" };
  expect(await runOperatorCommand(["restore", at("backups/5")], restored)).toMatchObject({
    code: 2,
    problems: named.problems,
  });
  await write(stored, bytes);
  expect(await backUp("6")).toMatchObject({ code: 0, problems: "" });
  expect(await file(at(`backups/6/files/${damaged}`)).bytes()).toEqual(bytes);
  expect(await inode("6", damaged)).not.toBe(await inode("5", damaged));
  await rm(at("backups/5"), { recursive: true });
});

test("a missing file is named in every backup, and does not prevent one", async () => {
  const [missing = "", other = ""] = await filesOf("6");
  const before = await file(at(`data/uploads/${missing}`)).bytes();
  await rm(at(`data/uploads/${missing}`));
  // The earlier backup has it.
  const shared = await backUp("7");
  expect([shared.code, shared.problems]).toEqual([2, expect.stringContaining(`${missing} (envelope `)]);
  expect(await inode("7", missing)).toBe(await inode("6", missing));
  const restored = { DATA_DIR: at("restored-7"), PORT: "0" };
  expect((await runOperatorCommand(["restore", at("backups/7")], restored)).code).toBe(0);

  for (const name of ["full-1", "full-2"]) {
    const full = await runOperatorCommand(["backup", at(`backups/${name}`)], variables());
    expect([full.code, full.problems]).toEqual([2, expect.stringContaining("is missing from the store")]);
    expect(await filesOf(name)).not.toContain(missing);
    expect(await filesOf(name)).toContain(other);
  }
  const without = { DATA_DIR: at("restored-full"), PORT: "0" };
  const incomplete = await runOperatorCommand(["restore", at("backups/full-1")], without);
  expect([incomplete.code, incomplete.problems]).toEqual([2, expect.stringContaining(missing)]);
  expect((await readdir(at("restored-full/uploads"))).filter(isFileKey)).toHaveLength(
    (await filesOf("full-1")).length,
  );
  await write(at(`data/uploads/${missing}`), before);
  expect((await backUp("8")).code).toBe(0);
});

test("verify reads all files or a sample, and names those that changed", async () => {
  const verify = (...args: string[]) => runOperatorCommand(["verify", ...args], variables());
  const [damaged = "", missing = ""] = await filesOf("8");
  const count = (await filesOf("8")).length;
  expect(await verify()).toMatchObject({
    code: 0,
    output: expect.stringMatching(
      new RegExp(`^${count} of ${count} files intact, .*there are ${count} in all$`),
    ),
  });
  expect(await verify("--sample", "5")).toMatchObject({
    code: 0,
    output: expect.stringMatching(new RegExp(`^5 of 5 files intact, .*there are ${count} in all$`)),
  });
  expect((await verify("--sample", "no")).problems).toContain("must be a whole number");
  await write(at(`data/uploads/${damaged}`), flipped(await file(at(`data/uploads/${damaged}`)).bytes()));
  await rename(at(`data/uploads/${missing}`), at("moved"));
  const found = await verify();
  expect(found.code).toBe(2);
  expect(found.output).toStartWith(`${count - 2} of ${count} files intact`);
  expect(found.problems).toContain(`${damaged} (envelope `);
  expect(found.problems).toContain(`${missing} (envelope `);
  const { code, output } = await runOperatorCommand(["doctor"], variables());
  expect([code, output]).toEqual([1, expect.stringContaining(`1 is damaged: ${damaged}`)]);
  expect(output).toContain(`1 file referenced by rows is missing: ${missing}`);
  await write(at(`data/uploads/${damaged}`), await file(at(`backups/8/files/${damaged}`)).bytes());
  await rename(at("moved"), at(`data/uploads/${missing}`));
  expect((await verify()).code).toBe(0);
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
  for (const name of ["8", "4"]) {
    const restored = { DATA_DIR: at(`restored-${name}-after`), PORT: "0" };
    expect(await runOperatorCommand(["restore", at(`backups/${name}`)], restored)).toMatchObject({ code: 0 });
  }
});

test("while another instance starts in place of the one that is backed up, no backup is made or removed", async () => {
  const nights = { BACKUPS: at("nights"), KEEP: "3" };
  await mkdir(at("nights"));
  const night = (data: string, name: string) =>
    runOperatorCommand(["backup", "--incremental", at(`nights/${name}`)], { DATA_DIR: at(data), PORT: "0" });
  expect(await night("data", "1")).toMatchObject({ code: 0 });
  // The disk is not mounted, so the server starts as a new one, which has no account and then one.
  for (const email of [null, "stranger@example.com"]) {
    const server = spawnServer({
      ...{ DATA_DIR: at("unmounted"), ...nights },
      HOST: email ? "127.0.0.1" : "0.0.0.0",
    });
    const actor = createClient({ fetch, origin: await server.url });
    if (email) await actor.post("/api/register", { email, password: "a long password" });
    else
      expect((await actor.get("/api/session")).body).toEqual({
        signedIn: false,
        signUp: "setup",
        noAccount: true,
        otherBackups: true,
      });
    server.child.kill("SIGTERM");
    await server.child.exited;
    expect(await server.output).toContain("another instance than that of the backups");
    const made = await night("unmounted", "2");
    expect(made.code).toBe(1);
    expect(made.problems).toContain(email ? "is of another instance" : "has no accounts");
    const full = await runOperatorCommand(["backup", at("nights/2")], { DATA_DIR: at("unmounted") });
    expect([full.code, full.problems]).toEqual([1, made.problems]);
    // As earlier versions made: newer, but without an account.
    if (!email) {
      const empty = await runOperatorCommand(["export", at("nights/0-empty")], { DATA_DIR: at("unmounted") });
      expect(empty.code).toBe(0);
    }
    const doctor = await runOperatorCommand(["doctor"], { DATA_DIR: at("unmounted"), PORT: "0", ...nights });
    expect(doctor.output).toContain("Is the disk with the data mounted");
  }
  expect((await readdir(at("nights"))).sort()).toEqual(["0-empty", "1"]);
  // What is restored from a backup goes on in the same folder, and so does the instance itself.
  const moved = { DATA_DIR: at("moved"), PORT: "0" };
  expect(await runOperatorCommand(["restore", at("nights/1")], moved)).toMatchObject({ code: 0 });
  for (const [data, name] of [
    ["moved", "2"],
    ["data", "3"],
    ["moved", "4"],
  ] as const)
    expect(await night(data, name)).toMatchObject({ code: 0, problems: "" });
});

test("where the disk with the backups is not mounted, server and doctor say so, and no backup makes its folder", async () => {
  const BACKUPS = at("not-mounted");
  const reports = async () => {
    const server = spawnServer({ ...variables(), BACKUPS });
    await server.url;
    server.child.kill("SIGTERM");
    await server.child.exited;
    const log = (await server.output).split("\n").find((line) => line.includes("backups not found"));
    const { output } = await runOperatorCommand(["doctor"], { ...variables(), BACKUPS });
    return { log, doctor: output.split("\n").find((line) => line.startsWith("warning  Backup: BACKUPS")) };
  };
  const night = (name: string) =>
    runOperatorCommand(["backup", "--incremental", join(BACKUPS, name)], { ...variables(), BACKUPS });
  const missing = {
    log: expect.stringContaining("but there is no such folder"),
    doctor: expect.stringContaining("but there is no such folder"),
  };
  expect(await reports()).toEqual(missing);
  const made = await night("1");
  expect([made.code, made.problems]).toEqual([1, expect.stringContaining("but there is no such folder")]);
  expect(await stat(BACKUPS).catch(() => null)).toBe(null);
  // Elsewhere, a backup makes its folder.
  expect((await backUp("first-night/1")).code).toBe(0);

  // The folder on which the disk is mounted.
  await mkdir(BACKUPS);
  const empty = expect.stringContaining("which has no backup, but one was made in the hour of ");
  expect(await reports()).toEqual({ log: empty, doctor: empty });
  // It may also be a new disk.
  expect(await night("1")).toMatchObject({ code: 0, problems: "" });
  expect(await reports()).toEqual({ log: undefined, doctor: undefined });
});

test("an instance that is moved into a new installation is backed up beside the backups of the empty one", async () => {
  const server = spawnServer({ DATA_DIR: at("installed") });
  await server.url;
  server.child.kill("SIGTERM");
  await server.child.exited;
  const night = (data: string, name: string) =>
    runOperatorCommand(["backup", at(`beside/${name}`)], { DATA_DIR: at(data), PORT: "0" });
  expect(await night("installed", "1")).toMatchObject({ code: 0 });
  expect(await night("data", "2")).toMatchObject({ code: 0, problems: "" });
  expect(await night("installed", "3")).toMatchObject({ code: 1 });
});

test("of 20 nights, in five of which the disk with the data is absent, no backup is lost", async () => {
  await mkdir(at("bin"));
  await mkdir(at("month"));
  const doculopes = `cd "${ROOT}" && exec "${process.execPath}" worker/cli/doculopes.ts "$@"`;
  const programs = { doculopes, date: 'echo "$NIGHT"' };
  for (const [name, line] of Object.entries(programs)) {
    await write(at(`bin/${name}`), `#!/bin/sh\n${line}\n`);
    await chmod(at(`bin/${name}`), 0o755);
  }
  const empty = spawnServer({ DATA_DIR: at("mountpoint") });
  await empty.url;
  empty.child.kill("SIGTERM");
  await empty.child.exited;
  const nights = Array.from(
    { length: 20 },
    (_, night) => `2027-03-${`${night + 1}`.padStart(2, "0")}T030000Z`,
  );
  const absent = nights.slice(9, 14);
  const made: string[] = [];
  for (const night of nights) {
    const data = absent.includes(night) ? at("mountpoint") : at("data");
    const variables = { DATA_DIR: data, BACKUPS: at("month"), NIGHT: night };
    const env = { ...process.env, ...variables, PATH: `${at("bin")}:${process.env.PATH}` };
    const child = spawn([join(ROOT, "worker/deploy/backup.sh")], { env, stdout: "ignore", stderr: "pipe" });
    const problems = await new Response(child.stderr).text();
    const isAbsent = absent.includes(night);
    expect([night, await child.exited, problems]).toEqual([
      ...[night, isAbsent ? 1 : 0],
      isAbsent ? expect.stringContaining("has no accounts, but the backup") : "",
    ]);
    if (!isAbsent) made.push(night);
    expect((await readdir(at("month"))).filter((name) => /^2/.test(name)).sort()).toEqual(made.slice(-14));
  }
  for (const night of [made.at(-14), made.at(-1)]) {
    const restored = { DATA_DIR: at(`restored-${night}`), PORT: "0" };
    expect(await runOperatorCommand(["restore", at(`month/${night}`)], restored)).toMatchObject({ code: 0 });
  }
});
