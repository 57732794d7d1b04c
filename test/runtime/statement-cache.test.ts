import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Client, createClient } from "@libsql/client";
import { openFileClient } from "../../db/file-client";
import type { SqlClient } from "../../db/sql-client";

let folder: string;
let client: SqlClient;
/** As another process sees it. */
let other: Client;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "doculopes-statements-"));
  const path = join(folder, "test.db");
  other = createClient({ url: pathToFileURL(path).href });
  await other.execute("PRAGMA journal_mode=WAL");
  await other.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)");
  client = openFileClient(path);
});

afterEach(async () => {
  client.close();
  other.close();
  await rm(folder, { recursive: true, force: true });
});

const insert = (id: number) => ({ sql: "INSERT INTO notes VALUES (?, ?)", args: [id, `note ${id}`] });
const read = async () =>
  (await client.execute({ sql: "SELECT id, text FROM notes ORDER BY id", args: [] })).rows;
/** The ids that another process sees, which are the committed ones. */
const committed = async () =>
  (await other.execute("SELECT id FROM notes ORDER BY id")).rows.map(({ id }) => id);

test("a statement that failed can be used again", async () => {
  await client.execute(insert(1));
  await expect(client.execute(insert(1))).rejects.toThrow("UNIQUE");
  await expect(client.batch([insert(2), insert(1)])).rejects.toThrow("UNIQUE");
  expect(await committed()).toEqual([1]);
  await client.execute(insert(2));
  expect(await committed()).toEqual([1, 2]);
});

test("a reused statement returns all current rows, including those of other processes", async () => {
  await client.batch(Array.from({ length: 350 }, (_, id) => insert(id)));
  expect(await read()).toHaveLength(350);
  await other.execute("INSERT INTO notes VALUES (999, 'of another process')");
  const rows = await read();
  expect(rows).toHaveLength(351);
  expect({ ...rows.at(-1) }).toEqual({ id: 999, text: "of another process" });
  // An unfinished reader would prevent the checkpoint.
  const { rows: done } = await other.execute("PRAGMA wal_checkpoint(TRUNCATE)");
  expect({ ...done[0] }).toEqual({ busy: 0, log: 0, checkpointed: 0 });
});

test("a statement survives a change of its table by another process", async () => {
  await client.execute(insert(1));
  expect(await read()).toHaveLength(1);
  await other.execute("ALTER TABLE notes ADD COLUMN more TEXT");
  await other.execute("CREATE INDEX notes_text ON notes (text)");
  expect((await read()).map(({ id, text }) => [id, text])).toEqual([[1, "note 1"]]);
});

test("more statements than are cached still return their own results", async () => {
  for (let time = 0; time < 2; time += 1)
    for (let number = 0; number < 600; number += 1) {
      const { rows } = await client.execute({ sql: `SELECT ${number} AS value`, args: [] });
      expect(rows[0]?.value).toBe(number);
    }
});
