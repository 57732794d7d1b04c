import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { spawn } from "bun";
import { makeFolder } from "../support/temporary-folder";

const EACH = 500;
const SCRIPT = `
  const { openFileClient } = await import(process.env.CLIENT);
  const client = openFileClient(process.env.FILE);
  for (let row = 0; row < ${EACH}; row++)
    await client.execute({ sql: "insert into rows (writer) values (?)", args: [process.pid] });
`;

test("two processes that write concurrently lose no row", async () => {
  const folder = makeFolder();
  const path = join(folder, "two.db");
  const db = new Database(path);
  db.run("pragma journal_mode = wal");
  db.run("create table rows (id integer primary key, writer integer)");
  const env = { ...process.env, CLIENT: join(import.meta.dir, "../../db/file-client.ts"), FILE: path };
  const writers = [1, 2].map(() => spawn([process.execPath, "-e", SCRIPT], { env, stderr: "inherit" }));
  expect(await Promise.all(writers.map(({ exited }) => exited))).toEqual([0, 0]);
  const counts = db.query("select count(*) as n from rows group by writer").all();
  expect(counts).toEqual([{ n: EACH }, { n: EACH }]);
  db.close();
}, 120_000);
