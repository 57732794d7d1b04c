import { Database } from "bun:sqlite";
import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { file, write } from "bun";
import { openLibsql } from "../../../db/libsql";

let migrated: Promise<Uint8Array<ArrayBuffer>> | undefined;

/** Writes an empty database after all migrations, which take longer than most tests. They run once for all files. */
export async function writeMigrated(path: string): Promise<void> {
  migrated ??= migrate();
  await write(path, await migrated);
}

/** An empty database after all migrations, in a folder that `close` removes. */
export async function openMigrated() {
  const folder = await mkdtemp(join(tmpdir(), "doculopes-test-"));
  const path = join(folder, "test.db");
  await writeMigrated(path);
  const { db, close } = await openLibsql({ url: `file:${path}` });
  return {
    db,
    close() {
      close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** The statements that make the same database, which has no rows: half as many as those of the migrations. */
export async function readSchema(): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "doculopes-test-"));
  const path = join(folder, "test.db");
  await writeMigrated(path);
  const database = new Database(path);
  const statements = database.query<{ sql: string }, []>(
    `select sql from sqlite_master where sql is not null and name not like 'sqlite_%' and name <> '__drizzle_migrations'
       and name not in (select name from pragma_table_list where type = 'shadow') order by type <> 'table', rowid`,
  );
  const schema = statements.all().map(({ sql }) => sql);
  database.close();
  await rm(folder, { recursive: true });
  return schema;
}

async function migrate(): Promise<Uint8Array<ArrayBuffer>> {
  const folder = await mkdtemp(join(tmpdir(), "doculopes-test-"));
  const path = join(folder, "migrated.db");
  const database = await openLibsql({ url: `file:${path}` });
  await database.migrate();
  await database.emptyJournal();
  const bytes = await file(path).bytes();
  database.close();
  await rm(folder, { recursive: true });
  return bytes;
}
