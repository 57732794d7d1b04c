import { mkdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { R2Bucket } from "@cloudflare/workers-types";
import { openD1 } from "../../db/d1";
import { requireMigrated, SchemaError } from "../../db/version";
import { StartError } from "../adapters/bun/start-error";
import type { Bindings } from "../adapters/cloudflare/bindings";
import { r2Bucket } from "../adapters/cloudflare/r2-bucket";
import { createObjectFileStore } from "../adapters/shared/object-file-store";
import type { Variables } from "../config";
import { type OpenStores, openBunStores } from "./bun-stores";
import { findDatabase, orThrow, requireLogin } from "./cloudflare/cloud-resources";
import { joinMigrations } from "./cloudflare/join-migrations";
import { ROOT } from "./cloudflare/stage-assets";
import { wranglerByBun } from "./cloudflare/wrangler";
import { readWranglerConfig, writeWranglerConfig } from "./cloudflare/wrangler-config";

/** The stores of a Bun server, of `bun run dev:worker` on this machine, or of the deployed Worker. */
export type InstanceKind = "bun" | "worker" | "remote";

const CHUNK = 4 * 1024 * 1024;

/**
 * Opens an instance's migrated database and its file store. A Worker's database is never migrated, since the Worker that is
 * deployed could not work with it then; with `create`, one without tables gets them.
 * @throws StartError or SchemaError if something is unavailable
 */
export function openStores(
  kind: InstanceKind,
  variables: Variables,
  { create = false } = {},
): Promise<OpenStores> {
  return kind === "bun"
    ? openBunStores(variables)
    : openWorkerStores(kind, resolve(variables.DATA_DIR), create);
}

async function openWorkerStores(
  kind: "worker" | "remote",
  folder: string,
  create: boolean,
): Promise<OpenStores> {
  const path = join(ROOT, ".wrangler/move", `${process.pid}.json`);
  await mkdir(folder, { recursive: true });
  const joined = join(ROOT, ".wrangler/move", `${process.pid}`);
  const migrations = kind === "worker" && create ? { migrations_dir: await joinMigrations(joined) } : {};
  await writeStoreConfig(path, kind, migrations);
  try {
    return await openMigrated({ kind, folder, path, create });
  } finally {
    await rm(path, { force: true });
    await rm(joined, { recursive: true, force: true });
  }
}

type Place = { kind: "worker" | "remote"; folder: string; path: string; create: boolean };

async function openMigrated(place: Place): Promise<OpenStores> {
  const { kind, folder, path, create } = place;
  const stores = await openByWrangler(place);
  try {
    await requireMigrated(stores.db);
    return stores;
  } catch (error) {
    await stores.close();
    if (!create || !(error instanceof SchemaError) || error.state !== "none") throw error;
  }
  const flags = kind === "remote" ? ["--remote"] : ["--local", "--persist-to", folder];
  const migrate = ["d1", "migrations", "apply", "DB", "--config", path, ...flags];
  orThrow("The migrations could not be applied", await wranglerByBun()(migrate));
  return openMigrated({ ...place, create: false });
}

async function openByWrangler({ kind, folder, path }: Place): Promise<OpenStores> {
  // Imported on demand: slow to load and not needed for a Bun instance.
  const { getPlatformProxy } = await import("wrangler");
  const proxy = await getPlatformProxy<Bindings>({
    configPath: path,
    persist: { path: join(folder, "v3") },
    remoteBindings: kind === "remote",
  });
  const { DB, FILES } = proxy.env;
  const files = {
    ...createObjectFileStore(r2Bucket(FILES)),
    read: (key: string) => readInChunks(FILES, key),
  };
  return { db: openD1(DB), files, close: () => proxy.dispose() };
}

/** The storage bindings of wrangler.toml; for a deployed Worker with its real database id. */
async function writeStoreConfig(
  path: string,
  kind: "worker" | "remote",
  ofNew: { migrations_dir?: string },
): Promise<void> {
  const { name, compatibility_date, d1_databases, r2_buckets } = await readWranglerConfig();
  const isRemote = kind === "remote";
  const databases = d1_databases.map(async (database) => ({
    ...database,
    ...ofNew,
    ...(isRemote && { database_id: await deployedDatabase(database.database_name), remote: true }),
  }));
  await writeWranglerConfig(path, {
    name,
    compatibility_date,
    d1_databases: await Promise.all(databases),
    r2_buckets: r2_buckets.map((bucket) => ({ ...bucket, ...(isRemote && { remote: true }) })),
  });
}

async function deployedDatabase(name: string): Promise<string> {
  const run = wranglerByBun();
  await requireLogin(run);
  const id = await findDatabase(run, name);
  if (!id) throw new StartError(`The account has no D1 database ${name}; \`bun run deploy\` creates it`);
  return id;
}

/** Problem: under Bun, wrangler's bindings do not deliver the body of an object as a stream. Ranges of it work. */
async function readInChunks(bucket: R2Bucket, key: string): Promise<ReadableStream<Uint8Array> | null> {
  const path = `uploads/${key}`;
  const found = await bucket.head(path);
  if (!found) return null;
  let offset = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const length = Math.min(CHUNK, found.size - offset);
        const chunk = length > 0 ? await bucket.get(path, { range: { offset, length } }) : null;
        if (chunk) controller.enqueue(new Uint8Array(await chunk.arrayBuffer()));
        else if (length > 0) controller.error(new Error(`The file ${key} was removed while it was read`));
        offset += length;
        if (offset >= found.size) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}
