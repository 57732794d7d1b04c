import { beforeEach, expect, test } from "bun:test";
import { requireOwnStore } from "../../worker/features/files/store-owner";
import { cleanStore } from "../../worker/jobs/cleanup";
import { type Api, createClient, describeApi, type SignedUp } from "../support/api/client";
import { form, linkOf, sendEnvelope } from "../support/api/envelopes";
import { pdfFile } from "../support/files/files";
import { startBunRuntime } from "../support/runtime/bun-runtime";

async function submit(api: Api, owner: SignedUp): Promise<void> {
  const envelope = await sendEnvelope(owner);
  const response = await api.anonymous().post(linkOf(envelope), form({ Contract: pdfFile() }));
  expect(response.status).toBe(201);
}

/** The messages of failed runs of the job. */
const failures = async (api: Api) =>
  (await api.logs()).filter(({ fields }) => fields?.job === "cleanStore").map(({ fields }) => fields?.error);

describeApi("files of unknown origin", (api) => {
  let hour = 10;
  /** Runs the hourly jobs again. */
  async function runJobs(): Promise<void> {
    hour += 1;
    await api.runJobs(`2026-03-14T${hour}:30:00.000Z`);
  }
  let owner: SignedUp;
  beforeEach(async () => {
    owner = await api.signUp();
    await submit(api, owner);
    await runJobs();
  });

  test("stay for a day by the store's clock, even if the server's clock jumps", async () => {
    const before = await api.storedFiles();
    await api.execute("delete from submissions");
    await runJobs();
    await api.runJobs("2026-06-14T12:30:00.000Z");
    expect(await api.storedFiles()).toEqual(before);
  });

  test("stay if the store belongs to another database, and the job says so", async () => {
    await api.execute("update instance set id = 'another'");
    await runJobs();
    expect((await failures(api)).at(-1)).toContain("The file store belongs to another database: choose");
    await api.execute("delete from instance");
    const [stored] = await api.storedFiles();
    const reported = (await failures(api)).length;
    await runJobs();
    expect(stored).toBeDefined();
    expect((await failures(api)).length).toBe(reported);
    expect(await api.select("select id from instance where id <> 'another'")).toHaveLength(1);
  });

  test("stay if an older database does not know most of them, and it gets no id", async () => {
    await api.execute("delete from instance");
    await api.execute("update submissions set file_path = 'x' || id || '.pdf'");
    const before = await api.storedFiles();
    await runJobs();
    expect(await api.storedFiles()).toEqual(before);
    expect((await failures(api)).at(-1)).toContain("The database does not know");
    expect(await api.select("select id from instance")).toEqual([]);
  });
});

test.each([
  [2, 50, "removed"],
  [3, 50, "waiting"],
  [100, 3000, "removed"],
  [101, 3000, "waiting"],
])("%i of %i files that are unknown and old are %s", async (orphans, total, expected) => {
  const runtime = await startBunRuntime();
  const { deps } = runtime;
  await createClient(runtime).post("/api/register", { email: "ada@example.com", password: "long enough" });
  await runtime.execute(
    "insert into upload_leases (id, key_prefix, bytes, heartbeat) values ('known', 'knownknownknown-', 0, 0)",
  );
  const keys = Array.from({ length: total }, (_, index) =>
    index < orphans ? `orphan-${index}.pdf` : `knownknownknown-${index}.pdf`,
  );
  const removed: string[] = [];
  const files: typeof deps.files = {
    ...deps.files,
    async *list() {
      yield keys;
    },
    olderThan: async (asked) => [...asked],
    removeOrphans: async (asked) => void removed.push(...asked),
  };
  await requireOwnStore(deps);
  await cleanStore({ ...deps, files });
  expect(removed).toHaveLength(expected === "removed" ? orphans : 0);
  const waiting = (await runtime.logs()).filter(({ level, event }) => level === "warn" && /wait/.test(event));
  expect(waiting.map(({ fields }) => fields)).toEqual(
    expected === "removed" ? [] : [{ count: orphans, of: total }],
  );
  await runtime.stop();
});

test("a file whose deletion is recorded, or under a revoked lease, is not of unknown origin", async () => {
  const runtime = await startBunRuntime();
  const { deps } = runtime;
  await createClient(runtime).post("/api/register", { email: "ada@example.com", password: "long enough" });
  await runtime.execute("insert into file_deletions (key, removed_at) values ('deleted.pdf', '2026-03-14')");
  await runtime.execute(
    "insert into upload_leases (id, key_prefix, bytes, heartbeat, revoked) values ('r', 'revokedrevoked--', 0, 0, 1)",
  );
  for (const key of ["deleted.pdf", "revokedrevoked--1.pdf"]) await (await deps.files.create(key)).commit();
  const removed: string[] = [];
  await cleanStore({
    ...deps,
    files: {
      ...deps.files,
      olderThan: async (keys) => [...keys],
      removeOrphans: async (keys) => void removed.push(...keys),
    },
  });
  expect(removed).toEqual([]);
  await runtime.stop();
});
