import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { file } from "bun";
import journal from "../../db/migrations/meta/_journal.json";

const DB = join(import.meta.dir, "../../db");

/** At most so many: a trigger is for a rule that must hold for every writer. */
const MOST = 24;

test("db/README.md lists each trigger of a migrated database with its table", async () => {
  const db = new Database(":memory:");
  for (const { tag } of journal.entries) db.run(await file(join(DB, "migrations", `${tag}.sql`)).text());
  const triggers = db
    .query<{ name: string; tbl_name: string }, []>(
      "select name, tbl_name from sqlite_master where type = 'trigger' order by rowid",
    )
    .all()
    .map(({ name, tbl_name }) => `${name} on ${tbl_name}`);
  const rows = (await file(join(DB, "README.md")).text()).matchAll(/^\| `(\w+)` \| `(\w+)` \| [^|]+ \|$/gm);
  const listed = Array.from(rows, ([, name, table]) => `${name} on ${table}`);
  expect(listed.sort()).toEqual(triggers.sort());
  expect(triggers.length).toBeLessThanOrEqual(MOST);
});
