import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { spawn } from "bun";
import { seedDemo } from "../../worker/cli/seed/demo";
import type { Dependencies } from "../../worker/dependencies";
import { cleanStore } from "../../worker/jobs/cleanup";
import { runCommandLine, runOperatorCommand } from "../support/processes/operator-command";
import { startBunRuntime } from "../support/runtime/bun-runtime";
import { makeFolder } from "../support/temporary-folder";

const ROOT = join(import.meta.dir, "../..");

test("the counts of the seed are right, and backup and doctor find every file that it added", async () => {
  const folder = makeFolder();
  const variables = { DATA_DIR: join(folder, "data"), PORT: "0" };
  const seed = async (count: number) => {
    const command = [process.execPath, "worker/cli/seed/index.ts", "--envelopes", String(count)];
    const child = spawn(command, { cwd: ROOT, env: { ...process.env, ...variables }, stdout: "pipe" });
    const output = await new Response(child.stdout).text();
    const [, envelopes = "", files = ""] = /envelopes added: (\d+), files: (\d+)/.exec(output) ?? [];
    return { envelopes: Number(envelopes), files: Number(files) };
  };
  const demo = await seed(0);
  expect(demo.files).toBeGreaterThan(0);
  expect(await seed(12)).toEqual({ envelopes: 12, files: 4 });
  const backup = await runOperatorCommand(["backup", join(folder, "backup")], variables);
  expect(backup.output).toStartWith(`1 account with ${demo.files + 4} files written`);
  const doctor = await runOperatorCommand(["doctor"], variables);
  expect(doctor.output).not.toMatch(/Files: .* (?:not there|no row)/);
}, 300_000);

test("an empty number of envelopes creates nothing", async () => {
  const folder = makeFolder();
  const command = [process.execPath, "worker/cli/seed/index.ts", "--envelopes="];
  const { code, problems } = await runCommandLine(command, { DATA_DIR: join(folder, "data") });
  expect([code, problems]).toEqual([1, expect.stringMatching(/^--envelopes is empty\. Usage: /)]);
  expect(await readdir(folder)).toEqual([]);
});

test("a server that looks for orphan files while the demo account is created removes none of its files, and envelopes are sorted by age", async () => {
  const runtime = await startBunRuntime();
  const { deps } = runtime;
  const files: Dependencies["files"] = {
    ...deps.files,
    async create(key) {
      const writer = await deps.files.create(key);
      return {
        ...writer,
        async commit() {
          await writer.commit();
          await cleanStore(deps);
        },
      };
    },
  };
  await seedDemo({ ...deps, files });
  const rows = await runtime.select("select file_path from submissions");
  expect(rows.length).toBeGreaterThan(0);
  expect((await runtime.storedFiles()).sort()).toEqual(rows.map(({ file_path }) => String(file_path)).sort());
  expect(await runtime.select("select * from upload_leases")).toEqual([]);
  // Lists are by id, newest first.
  const envelopes = await runtime.select("select created_at from envelopes order by id desc");
  const times = envelopes.map(({ created_at }) => String(created_at));
  expect(times).toEqual(times.toSorted().reverse());
  await runtime.stop();
});
