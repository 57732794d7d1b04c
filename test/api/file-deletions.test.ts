import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { StoreUnavailableError } from "../../worker/ports/file-store";
import { type Client, createClient } from "../support/api/client";
import { form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { pdfFile, pngFile } from "../support/files/files";
import { startBunRuntime } from "../support/runtime/bun-runtime";
import { RUNTIME, type TestRuntime } from "../support/runtime/runtime";
import { startWorkerdRuntime } from "../support/runtime/workerd";

type Faulty = TestRuntime & { failStore(fails: boolean): Promise<unknown> };

async function startFaultyBun(): Promise<Faulty> {
  const runtime = await startBunRuntime();
  const { deps } = runtime;
  const works = deps.files;
  const broken = { ...works, remove: () => Promise.reject(new StoreUnavailableError("gone")) };
  const failStore = async (fails: boolean) => {
    deps.files = fails ? broken : works;
  };
  return { ...runtime, failStore };
}

describe(`files whose rows were deleted (${RUNTIME})`, () => {
  let runtime: Faulty;
  let owner: Client;
  beforeAll(async () => {
    runtime = await (RUNTIME === "bun" ? startFaultyBun() : startWorkerdRuntime());
    owner = createClient(runtime);
    await owner.post("/api/register", { email: "ada@example.com", password: "correct horse" });
  });
  afterAll(() => runtime.stop());

  /** Deletes while the store fails, as if the process had died in between. */
  async function whileTheStoreFails(remove: () => Promise<{ status: number }>, status: number) {
    const before = await runtime.storedFiles();
    await runtime.failStore(true);
    expect((await remove()).status).toBe(status);
    await runtime.finishBackgroundWork();
    await runtime.runJobs();
    await runtime.failStore(false);
    expect(await runtime.storedFiles()).toEqual(before);
    expect(await runtime.select("select key from file_deletions")).toHaveLength(1);
    await runtime.runJobs();
    expect(await runtime.select("select key from file_deletions")).toEqual([]);
    return before.length - (await runtime.storedFiles()).length;
  }

  test("a deleted envelope's files are removed by the next run if the store failed at first", async () => {
    const sent = await sendEnvelope(owner);
    await createClient(runtime).post(linkOf(sent), form({ Contract: pdfFile() }));
    expect(await whileTheStoreFails(() => owner.delete(`/api/requests/${sent.id}`), 204)).toBe(1);
    expect((await owner.get(`/api/requests/${sent.id}`)).status).toBe(404);
  });

  test("all files of a deleted envelope are removed before the response, however many there are", async () => {
    const sent = await sendEnvelope(owner);
    await runtime.execute(
      "insert into file_deletions (key, removed_at) with recursive n(i) as (select 1 union all select i + 1 from n where i < 1250) select 'deleted' || i || '.pdf', '2026-03-14' from n",
    );
    expect((await owner.delete(`/api/requests/${sent.id}`)).status).toBe(204);
    expect(await runtime.select("select key from file_deletions")).toEqual([]);
  });

  test("a deleted account's picture is removed the same way", async () => {
    await owner.post("/api/user/avatar", form({ avatar: pngFile() }));
    expect(await whileTheStoreFails(() => owner.delete("/api/user/account"), 204)).toBe(1);
    expect(await runtime.storedFiles()).toEqual([]);
  });
});
