import { Database } from "bun:sqlite";
import { beforeAll, expect, test } from "bun:test";
import { chmod, mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { file, sleep, write } from "bun";
import { runOperatorCommand } from "../support/processes/operator-command";
import { makeFolder } from "../support/temporary-folder";
import { must } from "./debian";
import { DEPLOY, run } from "./run";

const ROOT = join(import.meta.dir, "../..");

const folder = makeFolder();
let env: Record<string, string>;

beforeAll(async () => {
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
  const seeded = await run([process.execPath, "worker/cli/seed/index.ts", "--envelopes", "12"], {
    cwd: ROOT,
    env,
  });
  expect(seeded.code).toBe(0);
});

const backUp = (more: Record<string, string> = {}) =>
  run([`${DEPLOY}backup.sh`], { env: { ...env, ...more } });
const names = async (path: string) =>
  (await readdir(join(folder, path))).filter((name) => /^2/.test(name)).sort();

/** Each generates a key pair: the variables that tell the script its public key, and how to decrypt a copy. */
const CIPHERS = {
  age: async () => {
    const key = join(folder, "key");
    await must(["age-keygen", "-o", key]);
    const variables = { AGE_RECIPIENT: await must(["age-keygen", "-y", key]) };
    return { variables, decrypt: ["age", "--decrypt", "-i", key], start: "age-encryption" };
  },
  gpg: async () => {
    const GNUPGHOME = join(folder, "gnupg");
    await mkdir(GNUPGHOME, { mode: 0o700 });
    const address = "backup@example.com";
    const gpg = ["env", `GNUPGHOME=${GNUPGHOME}`, "gpg", "--batch", "--quiet"];
    const generate = ["--passphrase", "", "--quick-generate-key", address, "default", "default", "never"];
    await must([...gpg, ...generate]);
    return { variables: { GNUPGHOME, GPG_RECIPIENT: address }, decrypt: [...gpg, "--decrypt"], start: "" };
  },
};

for (const [cipher, createKey] of Object.entries(CIPHERS))
  test(`the timer's script keeps the last backups, and a copy by ${cipher} that can be restored`, async () => {
    const { variables, decrypt, start } = await createKey();
    const seen: string[] = [];
    for (let nights = 0; nights < 3; nights += 1) {
      const { code, output } = await backUp(variables);
      expect([code, output]).toEqual([0, expect.stringContaining("Encrypted: ")]);
      const latest = (await names("backups")).at(-1) ?? "";
      seen.push(latest);
      await untilSecondIsOver(latest);
    }
    expect(await names("backups")).toEqual(seen.slice(-2));
    const copies = await names("backups/encrypted");
    expect(copies).toEqual(seen.slice(-2).map((name) => `${name}.tar.${cipher}`));
    const copy = join(folder, "backups/encrypted", copies[1] ?? "");
    const bytes = await file(copy).text();
    expect(bytes).toStartWith(start);
    expect(bytes).not.toContain("manifest.json");
    const target = join(folder, `decrypted-${cipher}`);
    await mkdir(target);
    await must(["bash", "-c", `set -o pipefail; "\${@:2}" | tar -C "$1" -x`, "-", target, ...decrypt, copy]);
    const restored = await runOperatorCommand(["restore", join(target, seen[2] ?? "")], {
      DATA_DIR: join(folder, `restored-${cipher}`),
    });
    expect(restored).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^1 account with \d+ files read/),
    });
  });

/** A backup is named by its second, such as `2026-11-22T030000Z`. */
async function untilSecondIsOver(name: string): Promise<void> {
  const at = Date.parse(name.replace(/T(..)(..)(..)Z$/, "T$1:$2:$3Z"));
  await sleep(Math.max(0, at + 1000 - Date.now()));
}

test("a backup without a missing file is written and encrypted, and removes no earlier one", async () => {
  const uploads = join(folder, "data/uploads");
  const [key = ""] = (await readdir(uploads)).filter((name) => !name.startsWith("."));
  await rename(join(uploads, key), join(folder, "moved"));
  await rm(join(folder, "backups/encrypted"), { recursive: true, force: true });
  const before = await names("backups");
  const age = join(folder, "key-missing");
  await must(["age-keygen", "-o", age]);
  const variables = { KEEP: "1", AGE_RECIPIENT: await must(["age-keygen", "-y", age]) };
  const { code, output } = await backUp(variables);
  expect([code, output]).toEqual([2, expect.stringContaining(`${key} (envelope `)]);
  const [latest = "", ...more] = (await names("backups")).filter((name) => !before.includes(name));
  expect([latest, more]).toEqual([expect.stringMatching(/^2/), []]);
  expect(await names("backups/encrypted")).toEqual([`${latest}.tar.age`]);
  for (const name of before) expect(await names("backups")).toContain(name);
  await rename(join(folder, "moved"), join(uploads, key));
});

test("a failed backup removes no earlier one, and leaves no incomplete copy that looks complete", async () => {
  const before = await names("backups");
  const copies = await names("backups/encrypted");
  expect((await backUp({ DATA_DIR: join(folder, "nowhere") })).code).not.toBe(0);
  expect((await backUp({ AGE_RECIPIENT: "not a key" })).code).not.toBe(0);
  expect((await backUp({ GPG_RECIPIENT: "nobody@example.com" })).code).not.toBe(0);
  expect((await backUp({ KEEP: "0" })).code).not.toBe(0);
  expect((await backUp({ KEEP_ENCRYPTED: "many" })).output).toContain("KEEP_ENCRYPTED is many, but must be");
  for (const name of before) expect(await names("backups")).toContain(name);
  expect(await names("backups/encrypted")).toEqual(expect.arrayContaining(copies));
  expect(await names("backups/encrypted")).toEqual(copies);
});

test("a backup without its copy is not recorded, and the copies have a number and a limit of space of their own", async () => {
  const database = new Database(join(folder, "data/doculopes.db"));
  const recorded = () => database.query("select hour from job_runs where job = 'backup'").get();
  const key = join(folder, "key-recorded");
  await must(["age-keygen", "-o", key]);
  const variables = { AGE_RECIPIENT: await must(["age-keygen", "-y", key]), KEEP_ENCRYPTED: "1" };
  database.run("delete from job_runs where job = 'backup'");
  expect((await backUp({ AGE_RECIPIENT: "not a key" })).code).not.toBe(0);
  const before = await names("backups");
  await untilSecondIsOver(before.at(-1) ?? "");
  const ENCRYPTED = join(folder, "small");
  await mkdir(ENCRYPTED);
  await must(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", ENCRYPTED]);
  const full = await backUp({ ...variables, ENCRYPTED, MIN_FREE_MB: "3" });
  await must(["umount", ENCRYPTED]);
  expect([full.code, full.output]).toEqual([
    1,
    expect.stringMatching(/copy needs \d+ MB, but -\d+ MB are free/),
  ]);
  expect(recorded()).toBe(null);
  expect(await names("backups")).toEqual(expect.arrayContaining(before));
  await untilSecondIsOver((await names("backups")).at(-1) ?? "");
  const { code, output } = await backUp({ ...variables, KEEP: "3" });
  expect([code, output]).toEqual([0, expect.stringContaining("Encrypted: ")]);
  expect(recorded()).not.toBe(null);
  database.close();
  expect(await names("backups")).toHaveLength(3);
  expect(await names("backups/encrypted")).toEqual([`${(await names("backups")).at(-1)}.tar.age`]);
});

test("a backup that was made while the clock was ahead does not displace the new one", async () => {
  await untilSecondIsOver((await names("backups")).at(-1) ?? "");
  const ahead = ["2998-01-01T030000Z", "2999-01-01T030000Z"];
  for (const name of ahead) await mkdir(join(folder, "backups", name));
  const before = await names("backups");
  expect((await backUp()).code).toBe(0);
  const after = await names("backups");
  expect(after.filter((name) => !before.includes(name))).toHaveLength(1);
  expect(after.filter((name) => before.includes(name))).toEqual(ahead.slice(1));
});
