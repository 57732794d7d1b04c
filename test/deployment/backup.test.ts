import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmod, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sleep, write } from "bun";
import { runOperatorCommand } from "../support/operator-command";
import { DEPLOY, run } from "./run";

const ROOT = join(import.meta.dir, "../..");

let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "doculopes-timer-"));
  await mkdir(join(folder, "bin"));
  await mkdir(join(folder, "backups"));
  const command = `#!/bin/sh\ncd "${ROOT}" && exec "${process.execPath}" worker/cli/doculopes.ts "$@"\n`;
  await write(join(folder, "bin/doculopes"), command);
  await chmod(join(folder, "bin/doculopes"), 0o755);
  env = {
    PATH: `${join(folder, "bin")}:${process.env.PATH}`,
    DATA_DIR: join(folder, "data"),
    BACKUPS: join(folder, "backups"),
    KEEP: "2",
  };
  const seeded = await run([process.execPath, "db/seed/index.ts", "--envelopes", "12"], { cwd: ROOT, env });
  expect(seeded.code).toBe(0);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const backUp = (more: Record<string, string> = {}) =>
  run([`${DEPLOY}backup.sh`], { env: { ...env, ...more } });
const names = async (path: string) =>
  (await readdir(join(folder, path))).filter((name) => /^2/.test(name)).sort();

test("the timer's script keeps the last backups, and an encrypted copy that can be restored", async () => {
  await run(["age-keygen", "-o", join(folder, "key")]);
  const { output: recipient } = await run(["age-keygen", "-y", join(folder, "key")]);
  const seen: string[] = [];
  for (let nights = 0; nights < 3; nights += 1) {
    const { code, output } = await backUp({ AGE_RECIPIENT: recipient.trim() });
    expect([code, output]).toEqual([0, expect.stringContaining("Encrypted: ")]);
    seen.push(...(await names("backups")).filter((name) => !seen.includes(name)));
    // A name is a second.
    await sleep(1100);
  }
  expect(await names("backups")).toEqual(seen.slice(-2));
  const copies = await names("backups/encrypted");
  expect(copies).toEqual(seen.slice(-2).map((name) => `${name}.tar.age`));
  const copy = join(folder, "backups/encrypted", copies[1] ?? "");
  expect(await Bun.file(copy).slice(0, 14).text()).toBe("age-encryption");
  await mkdir(join(folder, "decrypted"));
  const decrypt = `age --decrypt -i "$0" "$1" | tar -C "$2" -x`;
  await run(["bash", "-c", decrypt, join(folder, "key"), copy, join(folder, "decrypted")]);
  const restored = await runOperatorCommand(["restore", join(folder, "decrypted", seen[2] ?? "")], {
    DATA_DIR: join(folder, "restored"),
  });
  expect(restored).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^1 account with \d+ files read/),
  });
});

test("a backup that fails removes no earlier one, and leaves no half copy that counts", async () => {
  const before = await names("backups");
  const copies = await names("backups/encrypted");
  expect((await backUp({ DATA_DIR: join(folder, "nowhere") })).code).not.toBe(0);
  expect((await backUp({ AGE_RECIPIENT: "not a key" })).code).not.toBe(0);
  expect((await backUp({ KEEP: "0" })).code).not.toBe(0);
  for (const name of before) expect(await names("backups")).toContain(name);
  expect(await names("backups/encrypted")).toEqual(expect.arrayContaining(copies));
  expect((await names("backups/encrypted")).filter((name) => !name.endsWith(".part"))).toEqual(copies);
});
