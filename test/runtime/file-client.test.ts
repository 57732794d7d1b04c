import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Client, createClient } from "@libsql/client";
import { FileClient } from "../../db/file-client";

let folder: string;
let client: FileClient;
/** As another process has it. */
let other: Client;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "doculopes-file-client-"));
  const url = pathToFileURL(join(folder, "test.db")).href;
  other = createClient({ url });
  await other.execute("PRAGMA journal_mode=WAL");
  await other.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)");
  client = new FileClient({ url, timeout: 20 });
});

afterEach(async () => {
  client.close();
  other.close();
  await rm(folder, { recursive: true, force: true });
});

const insert = (id: number) => ({ sql: "INSERT INTO notes VALUES (?, ?)", args: [id, `note ${id}`] });
const writes = {
  "a statement": (id: number) => client.execute(insert(id)),
  "a statement that returns rows": (id: number) =>
    client.execute({ sql: "INSERT INTO notes VALUES (?, 'x') RETURNING id", args: [id] }),
  "a batch": (id: number) => client.batch([insert(id), insert(id + 100)]),
};
/** The ids that another process sees, which are those that are committed. */
const committed = async () =>
  (await other.execute("SELECT id FROM notes WHERE id < 100 ORDER BY id")).rows.map(({ id }) => id);

for (const [refused, write] of Object.entries(writes)) {
  test(`what is written after ${refused} found the database locked is committed when it is acknowledged`, async () => {
    const lock = await other.transaction("write");
    await expect(write(1)).rejects.toThrow("SQLITE_BUSY");
    await lock.commit();
    const acknowledged: number[] = [];
    for (const [place, next] of Object.values(writes).entries()) {
      await next(place + 2);
      acknowledged.push(place + 2);
      expect(await committed()).toEqual(acknowledged);
    }
    await other.execute("INSERT INTO notes VALUES (50, 'the lock is free')");
  });
}

test("a statement that failed leaves nothing behind and can be used again", async () => {
  await client.execute(insert(1));
  await expect(client.execute(insert(1))).rejects.toThrow("UNIQUE");
  await expect(client.batch([insert(2), insert(1)])).rejects.toThrow("UNIQUE");
  expect(await committed()).toEqual([1]);
  await client.execute(insert(2));
  expect(await committed()).toEqual([1, 2]);
});

test("a statement used again gives all rows, those of others included, and keeps no old state of the database", async () => {
  const read = async () => (await client.execute("SELECT id, text FROM notes ORDER BY id")).rows;
  await client.batch(Array.from({ length: 350 }, (_, id) => insert(id)));
  expect(await read()).toHaveLength(350);
  await other.execute("INSERT INTO notes VALUES (999, 'of another process')");
  const rows = await read();
  expect(rows).toHaveLength(351);
  expect({ ...rows.at(-1) }).toEqual({ id: 999, text: "of another process" });
  // A reader that is not done would keep the log from being emptied.
  const { rows: done } = await other.execute("PRAGMA wal_checkpoint(TRUNCATE)");
  expect({ ...done[0] }).toEqual({ busy: 0, log: 0, checkpointed: 0 });
});

test("calls at once are all answered, also where one of them fails", async () => {
  const calls = [insert(1), insert(2), insert(1), insert(3)].map((statement) => client.execute(statement));
  const outcomes = (await Promise.allSettled(calls)).map(({ status }) => status);
  expect(outcomes).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  expect(await committed()).toEqual([1, 2, 3]);
});
