import { rm } from "node:fs/promises";
import { join } from "node:path";
import { file, write } from "bun";
import { MIGRATIONS } from "../../../db/version";
import { ROOT } from "./stage-assets";

/**
 * Writes all migrations to one file of an own folder, for a local database without tables: wrangler starts a runtime for
 * each file. The file has the name of the last one, which wrangler records, and records the others. @returns the folder
 */
export async function joinMigrations(folder: string): Promise<string> {
  const names = MIGRATIONS.map((tag) => `${tag}.sql`);
  const texts = names.map((name) => file(join(ROOT, "db/migrations", name)).text());
  const recorded = names.slice(0, -1).map((name) => `('${name}')`);
  const record = `INSERT INTO d1_migrations (name) VALUES ${recorded.join(", ")};`;
  await rm(folder, { recursive: true, force: true });
  await write(join(folder, `${names.at(-1)}`), [...(await Promise.all(texts)), record].join("\n"));
  return folder;
}
