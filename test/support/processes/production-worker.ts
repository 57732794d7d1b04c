import { join } from "node:path";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { readWranglerConfig } from "../../../worker/cli/cloudflare/wrangler-config";
import { onCleanup } from "../cleanup";
import { TEST_SECRET_KEY } from "../runtime/runtime";
import { readMigrations, stageTexts, workerModules } from "../runtime/workerd";
import { waitFor } from "../wait";

const ROOT = join(import.meta.dir, "../../..");

export type ProductionWorker = {
  url: string;
  /** Runs a statement on the Worker's database. */
  sql(statement: string, ...values: unknown[]): Promise<Record<string, unknown>[]>;
  /** The paths of the objects in the Worker's bucket. */
  objects(): Promise<string[]>;
  /** Stores an object in the Worker's bucket. */
  put(path: string, text: string): Promise<void>;
  /** Waits until its log contains the text, and returns the log so far: lines come after the response that they are about. */
  logged(text: string): Promise<string>;
  /** Fires the cron trigger and waits for its work. */
  cron(): Promise<void>;
  stop(): Promise<void>;
};

/** The stores of `wrangler dev` in a folder, by the names of wrangler.toml. */
export type PersistedStores = { folder: string; database: string; bucket: string };

/** The Worker as deployed, in workerd, on empty stores or on existing migrated ones. Without its pages. */
export async function startProductionWorker(
  vars: Record<string, string>,
  stores?: PersistedStores,
  entry = "worker/cloudflare.ts",
): Promise<ProductionWorker> {
  const logs: string[] = [];
  const { compatibility_date, compatibility_flags } = await readWranglerConfig();
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: await workerModules(entry),
      modulesRoot: ROOT,
      compatibilityDate: compatibility_date,
      compatibilityFlags: compatibility_flags,
      d1Databases: { DB: stores?.database ?? "db" },
      r2Buckets: { FILES: stores?.bucket ?? "files" },
      ...(stores && { resourcePersistencePath: join(stores.folder, "v3") }),
      bindings: { SECRET_KEY: TEST_SECRET_KEY, ...vars },
      serviceBindings: { ASSETS: await stageTexts() },
      handleStructuredLogs: ({ message }) => logs.push(message),
      unsafeTriggerHandlers: true,
      cf: false,
      log: new Log(LogLevel.WARN),
    }),
  );
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= miniflare.dispose();
    return stopped;
  };
  // A hook that reaches its time limit would leave it running.
  onCleanup(stop);
  const { origin } = await miniflare.ready;
  const db = await miniflare.getD1Database("DB");
  const bucket = await miniflare.getR2Bucket("FILES");
  if (!stores) await db.batch((await readMigrations()).map((statement) => db.prepare(statement)));
  return {
    url: origin,
    sql: async (statement, ...values) =>
      (
        await db
          .prepare(statement)
          .bind(...values)
          .all()
      ).results,
    objects: async () => (await bucket.list()).objects.map(({ key }) => key),
    put: async (path, text) => void (await bucket.put(path, text)),
    async logged(text) {
      await waitFor(`“${text}” in the log`, () => logs.some((line) => line.includes(text)));
      return logs.join("\n");
    },
    async cron() {
      const response = await fetch(`${origin}/cdn-cgi/local/scheduled`);
      if (!response.ok) throw new Error(`The cron trigger failed: ${await response.text()}`);
    },
    stop,
  };
}
