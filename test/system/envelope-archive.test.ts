import { expect, test } from "bun:test";
import { join } from "node:path";
import { $ } from "bun";
import { type ZipEntry, zipStream } from "../../worker/lib/zip";
import { createClient } from "../support/api/client";
import { ENVELOPE, form, linkOf } from "../support/api/envelopes";
import { largePdfFile } from "../support/files/files";
import { startBunRuntime } from "../support/runtime/bun-runtime";
import { makeFolder } from "../support/temporary-folder";

const LIST =
  "import zipfile,sys; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print(z.namelist()[1])";

const folder = makeFolder();

test("archives of as many files as the format counts, and of more, open in unzip and 7z", async () => {
  for (const count of [65_534, 65_535, 65_536]) {
    const archive = join(folder, `${count}.zip`);
    await Bun.write(archive, new Response(await zipStream(emptyFiles(count))));
    await $`unzip -tqq ${archive}`.quiet();
    expect(await $`7z t ${archive}`.text()).toContain(`Files: ${count}`);
  }
}, 300_000);

async function* emptyFiles(count: number): AsyncGenerator<ZipEntry> {
  const lastModified = new Date("2026-03-14T09:26:53Z");
  for (let index = 0; index < count; index += 1)
    yield { name: `${index}.txt`, size: 0, lastModified, input: "" };
}

test("the archive of an envelope opens in unzip, 7z and Python", async () => {
  const runtime = await startBunRuntime();
  const owner = createClient(runtime);
  await owner.post("/api/register", { email: "ada@example.com", password: "a long password" });
  const { body } = await owner.post("/api/requests", { ...ENVELOPE, recipientName: "Zoë 日本" });
  const contract = largePdfFile(600_000, "scan.pdf");
  await createClient(runtime).post(linkOf(body), form({ Contract: contract }));
  const archive = join(folder, "files.zip");
  await Bun.write(archive, await owner.bytes(`/api/requests/${body.id}/files.zip`));
  await runtime.stop();

  await $`unzip -tqq ${archive}`.quiet();
  await $`7z t ${archive}`.quiet();
  expect((await $`python3 -c ${LIST} ${archive}`.text()).trim()).toBe("Contract - Zoë 日本.pdf");
  await $`unzip -qq ${archive} -d ${join(folder, "out")}`.env({ ...process.env, LC_ALL: "C.UTF-8" });
  const unpacked = Bun.file(join(folder, "out", "Contract - Zoë 日本.pdf"));
  expect(Buffer.from(await unpacked.bytes()).equals(Buffer.from(await contract.bytes()))).toBe(true);
});
