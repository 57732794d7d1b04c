import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Client, createClient, type Transaction } from "@libsql/client";
import { file } from "bun";
import Libsql from "libsql";
import { openFileClient } from "../../db/file-client";
import type { SqlClient } from "../../db/sql-client";
import { makeFolder } from "../support/temporary-folder";

/** The workarounds of db/file-client.ts. If a test fails here, its workaround is no longer needed. */
const NEEDED_BY = "@libsql/client 0.18.0 with libsql 0.5.29";

const TIMEOUT_MS = 300;
const insert = (id: number) => ({ sql: "insert into notes values (?)", args: [id] });
const COUNT = { sql: "select count(*) as n from notes", args: [] };

let folder: string;
let url: string;
/** Another connection, which has its own lock like another process. */
let other: Client;
let lock: Transaction;
/** libSQL's own client. */
let plain: Client;
let app: SqlClient;

beforeEach(async () => {
  folder = makeFolder();
  const path = join(folder, "test.db");
  url = pathToFileURL(path).href;
  other = createClient({ url });
  await other.execute("PRAGMA journal_mode=WAL");
  await other.execute("create table notes (id integer primary key)");
  plain = createClient({ url, concurrency: 1 });
  app = openFileClient(path);
});

afterEach(async () => {
  for (const client of [plain, app, other]) client.close();
});

const takeLock = async () => {
  lock = await other.transaction("write");
};
const releaseLock = () => lock.commit();
/** The number of rows that are committed. */
const committed = async () => (await other.execute(COUNT)).rows[0]?.n;
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: { code?: string }) => error.code,
  );

test("the workarounds are those of the installed versions", async () => {
  const packages = join(import.meta.dir, "../../node_modules");
  const versionOf = async (name: string) => (await file(join(packages, name, "package.json")).json()).version;
  const installed = [await versionOf("@libsql/client"), await versionOf("libsql")];
  expect(`@libsql/client ${installed[0]} with libsql ${installed[1]}`).toBe(NEEDED_BY);
});

describe("a statement that fails with SQLITE_BUSY", () => {
  test(`stays open in ${NEEDED_BY}: the next write reports success without being committed`, async () => {
    await takeLock();
    expect(await codeOf(plain.execute(insert(1)))).toBe("SQLITE_BUSY");
    await releaseLock();
    expect(await codeOf(plain.execute(insert(2)))).toBe("done");
    expect(await committed()).toBe(0);
    expect(await codeOf(plain.batch([insert(3)], "write"))).toBe("SQLITE_BUSY");
  });

  test("is retried in the app's client once the lock is free, and later writes are committed", async () => {
    await takeLock();
    const write = codeOf(app.execute(insert(1)));
    expect(await committed()).toBe(0);
    await releaseLock();
    expect(await write).toBe("done");
    expect(await codeOf(app.execute(insert(2)))).toBe("done");
    expect(await codeOf(app.batch([insert(3)]))).toBe("done");
    expect(await committed()).toBe(3);
  });
});

describe("waiting for the lock", () => {
  test(`blocks the event loop in ${NEEDED_BY}`, async () => {
    const waiting = createClient({ url, timeout: TIMEOUT_MS });
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    await takeLock();
    const before = turns;
    const write = codeOf(waiting.execute(insert(1)));
    expect(turns).toBe(before);
    expect(await write).toBe("SQLITE_BUSY");
    expect(turns).toBe(before);
    clearInterval(timer);
    await releaseLock();
    waiting.close();
  });

  test("leaves the event loop free in the app's client", async () => {
    await takeLock();
    const write = codeOf(app.execute(insert(1)));
    // If the write blocked the event loop, these timers would fire only after it had failed.
    for (let turns = 0; turns < 10; turns += 1) await new Promise((resolve) => setTimeout(resolve));
    await releaseLock();
    expect(await write).toBe("done");
    expect(await committed()).toBe(1);
  });
});

describe("a batch that reads before it writes", () => {
  test(`begins without the lock in ${NEEDED_BY}, and fails once another process has written`, async () => {
    const batch = await plain.transaction("deferred");
    await batch.execute(COUNT);
    await other.execute(insert(9));
    expect(await codeOf(batch.execute(insert(1)))).toBe("SQLITE_BUSY");
    batch.close();
  });

  test("takes the lock first in the app's client, so that nothing it has read can change", async () => {
    await takeLock();
    await lock.execute(insert(9));
    const batch = app.batch([COUNT, insert(1)]);
    await releaseLock();
    const [read] = await batch;
    expect(read?.rows[0]?.n).toBe(1);
    expect(await committed()).toBe(2);
  });
});

describe("a connection that is closed after a failure", () => {
  const brokenBatch = [insert(1), { sql: "no SQL", args: [] }];

  test(`keeps the lock in libsql ${NEEDED_BY.split(" ").at(-1)} while it has a prepared statement`, async () => {
    const connection = new Libsql(join(folder, "test.db"));
    connection.exec("BEGIN IMMEDIATE");
    const statement = connection.prepare("insert into notes values (1)");
    statement.run();
    connection.close();
    expect(await codeOf(other.execute(insert(2)))).toBe("SQLITE_BUSY");
    expect(statement.reader).toBe(false);
  });

  test("releases the lock at once in the app's client", async () => {
    expect(await codeOf(app.batch(brokenBatch))).toBe("SQLITE_ERROR");
    expect(await codeOf(other.execute(insert(2)))).toBe("done");
    expect(await committed()).toBe(1);
  });
});

describe("a statement that is used again", () => {
  const preparedWhile = async (client: { execute: SqlClient["execute"] }) => {
    await client.execute(COUNT);
    const prepare = spyOn(Libsql.prototype, "prepare");
    for (let time = 0; time < 3; time += 1) await client.execute(COUNT);
    const { length } = prepare.mock.calls;
    prepare.mockRestore();
    return length;
  };

  test(`is prepared each time in ${NEEDED_BY}`, async () => {
    expect(await preparedWhile(plain)).toBe(3);
  });

  test("is prepared once in the app's client", async () => {
    expect(await preparedWhile(app)).toBe(0);
  });
});

describe("one row, read after the same statement has found none", () => {
  const text = "select id from notes where id = ? limit ?";

  test(`is missed by \`get\` in libsql ${NEEDED_BY.split(" ").at(-1)}`, async () => {
    await other.execute(insert(1));
    const connection = new Libsql(join(folder, "test.db"));
    const statement = connection.prepare(text);
    expect(statement.all([2, 2])).toEqual([]);
    expect(statement.get([1, 1])).toBeUndefined();
    expect(statement.get([1, 1])).toMatchObject({ id: 1 });
    connection.close();
  });

  test("is found by the app's client", async () => {
    await other.execute(insert(1));
    const found = async (id: number, limit: number) =>
      (await app.execute({ sql: text, args: [id, limit] })).rows.length;
    for (const limit of [2, 1, 1, 2, 1])
      expect([await found(2, limit), await found(1, 1), await found(1, 2)]).toEqual([0, 1, 1]);
  });
});

describe("deleted data", () => {
  const isErased = async (client: { execute: SqlClient["execute"] }) =>
    (await client.execute({ sql: "pragma secure_delete", args: [] })).rows[0]?.secure_delete;

  test(`stays in the file by default in ${NEEDED_BY}`, async () => {
    expect(await isErased(plain)).toBe(0);
  });

  test("is overwritten by the app's client, also after it has opened another connection", async () => {
    expect(await isErased(app)).toBe(1);
    expect(await codeOf(app.execute({ sql: "no SQL", args: [] }))).toBe("SQLITE_ERROR");
    expect(await isErased(app)).toBe(1);
  });
});
