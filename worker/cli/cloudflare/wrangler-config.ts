import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { file, TOML, write } from "bun";
import { ROOT } from "./stage-assets";

export type WranglerConfig = {
  name: string;
  compatibility_date: string;
  compatibility_flags: string[];
  main: string;
  no_bundle?: boolean;
  define?: Record<string, string>;
  vars?: Record<string, string>;
  build?: unknown;
  dev?: unknown;
  assets: { directory: string };
  d1_databases: { binding: string; database_name: string; database_id: string; migrations_dir: string }[];
  send_email?: { name: string }[];
  r2_buckets: { binding: string; bucket_name: string }[];
};

/** wrangler.toml with absolute paths, so that it can be written anywhere. */
export async function readWranglerConfig(): Promise<WranglerConfig> {
  const config = TOML.parse(await file(join(ROOT, "wrangler.toml")).text()) as WranglerConfig;
  return {
    ...config,
    main: join(ROOT, config.main),
    assets: { ...config.assets, directory: join(ROOT, config.assets.directory) },
    d1_databases: config.d1_databases.map((database) => ({
      ...database,
      migrations_dir: join(ROOT, database.migrations_dir),
    })),
  };
}

/** Writes a configuration for one run of wrangler, without the build step. */
export async function writeWranglerConfig(path: string, config: Partial<WranglerConfig>): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await write(path, JSON.stringify({ ...config, build: undefined }, null, 2));
}
