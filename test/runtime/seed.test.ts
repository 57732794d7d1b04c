import { expect, test } from "bun:test";
import { seedDemo } from "../../db/seed/demo";
import type { Dependencies } from "../../worker/dependencies";
import { removeOrphanFiles } from "../../worker/jobs/cleanup";
import { startBunRuntime } from "../support/bun-runtime";

test("a server that looks for orphan files while the demo account is created removes none of its files", async () => {
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
          await removeOrphanFiles(deps);
        },
      };
    },
  };
  await seedDemo({ ...deps, files });
  const rows = await runtime.select("select file_path from submissions");
  expect(rows.length).toBeGreaterThan(0);
  expect((await runtime.storedFiles()).sort()).toEqual(rows.map(({ file_path }) => String(file_path)).sort());
  expect(await runtime.select("select * from upload_leases")).toEqual([]);
  await runtime.stop();
});
