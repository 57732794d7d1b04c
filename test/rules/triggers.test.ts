import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { file } from "bun";
import journal from "../../db/migrations/meta/_journal.json";

const DB = join(import.meta.dir, "../../db");

/** At most so many: a trigger is for a rule that must hold for every writer. */
const MOST = 24;

test("db/README.md lists each trigger of a migrated database, with its table and the migration that has its text", async () => {
  const db = new Database(":memory:");
  const texts = new Map<string, string>();
  for (const { tag } of journal.entries) {
    const script = await file(join(DB, "migrations", `${tag}.sql`)).text();
    db.run(script);
    for (const [, name = ""] of script.matchAll(/^CREATE TRIGGER `(\w+)`/gm)) texts.set(name, tag);
  }
  const triggers = db
    .query<{ name: string; tbl_name: string }, []>(
      "select name, tbl_name from sqlite_master where type = 'trigger' order by rowid",
    )
    .all()
    .map(({ name, tbl_name }) => `${name} on ${tbl_name} in ${texts.get(name)}`);
  const rows = (await file(join(DB, "README.md")).text()).matchAll(
    /^\| `(\w+)` \| `(\w+)` \| [^|]+ \| `(\w+)` \|$/gm,
  );
  const listed = Array.from(rows, ([, name, table, tag]) => `${name} on ${table} in ${tag}`);
  expect(listed.sort()).toEqual(triggers.sort());
  expect(triggers.length).toBeLessThanOrEqual(MOST);
});
