import { afterAll, afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { LibsqlError } from "@libsql/client";
import { serve } from "bun";
import { sql } from "drizzle-orm";
import { isDatabaseUnavailable } from "../../db/errors";
import { openFileClient } from "../../db/file-client";
import { openLibsql } from "../../db/libsql";
import { openServerClient } from "../../db/server-client";
import type { SqlClient, SqlStatement } from "../../db/sql-client";
import { type CuttableProxy, startCuttableProxy } from "../support/servers/cuttable-proxy";
import { type Sqld, startSqld } from "../support/servers/sqld";
import { makeFolder } from "../support/temporary-folder";

setDefaultTimeout(240_000);

const opened: SqlClient[] = [];
afterAll(async () => {
  for (const client of opened) client.close();
});

/** Every client that Drizzle may use. */
const CLIENTS: Record<string, () => Promise<SqlClient>> = {
  "the app's, for a file": async () => openFileClient(join(makeFolder(), "test.db")),
  "the app's, for a server": async () => openServer(await startSqld(makeFolder())),
  "the app's, for a server by web socket": async () => openServer(await startSqld(makeFolder()), "ws"),
};

const openServer = ({ url }: Sqld, scheme = "http") =>
  openServerClient({ url: url.replace("http", scheme), responseMs: 20_000 });

const statement = (sql: string, ...args: SqlStatement["args"]): SqlStatement => ({ sql, args });
const TABLES = [
  "create table parents (id integer primary key, name text not null unique)",
  "create table children (parent_id integer not null references parents (id))",
];
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "no error",
    (error: unknown) => (error instanceof LibsqlError ? error.code : String(error)),
  );

describe.each(Object.entries(CLIENTS))("an SQL client: %s", (_, open) => {
  let client: SqlClient;
  const parent = (id: number, name: string) =>
    statement("insert into parents (id, name) values (?, ?)", id, name);
  const orphan = statement("insert into children (parent_id) values (?)", 99);
  const names = async () => {
    const { rows } = await client.execute(statement("select name from parents order by id"));
    return rows.map(({ name }) => name);
  };

  test("opens, and runs statements that change tables", async () => {
    client = await open();
    opened.push(client);
    for (const sql of TABLES) await client.execute(statement(sql));
    expect(await names()).toEqual([]);
  });

  test("returns each value of a row by index and by name; only the names are enumerable", async () => {
    const { columns, rows } = await client.execute(
      statement("select 7 as number, 'seven' as text, null as empty"),
    );
    expect(columns).toEqual(["number", "text", "empty"]);
    expect(rows).toHaveLength(1);
    expect(Array.prototype.slice.call(rows[0])).toEqual([7, "seven", null]);
    expect({ ...rows[0] }).toEqual({ number: 7, text: "seven", empty: null });
  });

  test("returns the first of two columns with the same name by name, and both by index", async () => {
    const { rows } = await client.execute(statement("select 1 as id, 2 as id"));
    expect([rows[0]?.id, rows[0]?.[0], rows[0]?.[1]]).toEqual([1, 1, 2]);
  });

  test("accepts text, numbers, null, booleans, dates and bytes as parameters", async () => {
    const bytes = new Uint8Array([0, 1, 254, 255]);
    const at = new Date("2026-03-14T09:26:53.000Z");
    const values = ["ä'\u{1f600}", 0.5, Number.MAX_SAFE_INTEGER, -1n, null, true, false, at];
    const { rows } = await client.execute(statement("select ?, ?, ?, ?, ?, ?, ?, ?, ?", ...values, bytes));
    const [blob, ...rest] = Array.prototype.slice.call(rows[0]).reverse();
    expect(rest.reverse()).toEqual([
      "ä'\u{1f600}",
      0.5,
      Number.MAX_SAFE_INTEGER,
      -1,
      null,
      1,
      0,
      at.getTime(),
    ]);
    expect(new Uint8Array(blob as ArrayBuffer)).toEqual(bytes);
  });

  test("rejects an unsupported parameter, and an integer beyond Number's range", async () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY])
      expect(await codeOf(client.execute(statement("select ?", value)))).toContain("RangeError");
    const large = statement("select 9007199254740993 as id");
    expect(await codeOf(client.execute(large))).toContain("RangeError");
    // A batch that reads such a number after a write is rolled back as a whole.
    expect(await codeOf(client.batch([parent(1, "Ada"), large]))).toContain("RangeError");
  });

  test("counts the rows that a write changed, and returns its RETURNING rows", async () => {
    await client.execute(statement("delete from parents"));
    const { rowsAffected } = await client.execute(
      statement("insert into parents (name) values (?), (?)", "Ada", "Grace"),
    );
    expect(rowsAffected).toBe(2);
    const { rows } = await client.execute(
      statement("update parents set name = name || '!' where name = ? returning name", "Ada"),
    );
    expect(rows.map(({ name }) => name)).toEqual(["Ada!"]);
    expect(await names()).toEqual(["Ada!", "Grace"]);
  });

  test("runs all statements of a batch or none, and returns their results in order", async () => {
    await client.execute(statement("delete from parents"));
    const count = statement("select count(*) as n from parents");
    const results = await client.batch([count, parent(1, "Ada"), parent(2, "Grace"), count]);
    expect(results.map(({ rows }) => rows[0]?.n)).toEqual([0, undefined, undefined, 2]);
    expect(await codeOf(client.batch([parent(3, "Mary"), parent(4, "Ada")]))).toBe("SQLITE_CONSTRAINT");
    expect(await codeOf(client.batch([parent(3, "Mary"), statement("no SQL")]))).toMatch(/SQL/);
    expect(await names()).toEqual(["Ada", "Grace"]);
  });

  test("writes all concurrent batches but those that fail", async () => {
    const before = await names();
    const outcomes = await Promise.all(
      [
        client.batch([parent(20, "Emmy"), statement("select count(*) as n from parents")]),
        client.execute(parent(21, "Ada")),
        client.batch([parent(22, "Rosalind"), orphan]),
        client.batch([parent(23, "Sofia"), statement("insert into parents values (?, ?)", 24, Number.NaN)]),
        client.execute(parent(25, "Chien")),
      ].map(codeOf),
    );
    const constraint = "SQLITE_CONSTRAINT";
    expect(outcomes.with(3, "")).toEqual(["no error", constraint, constraint, "", "no error"]);
    expect(outcomes[3]).toContain("RangeError");
    expect(await names()).toEqual([...before, "Emmy", "Chien"]);

    // After what is no SQL, the app's client opens another connection.
    const writes = [parent(26, "Grete"), statement("insert no SQL"), parent(27, "Hedy")];
    const [first, second, third] = await Promise.all(writes.map((write) => codeOf(client.execute(write))));
    expect([first, third]).toEqual(["no error", "no error"]);
    expect(second).toMatch(/SQL/);
    expect(await names()).toEqual([...before, "Emmy", "Chien", "Grete", "Hedy"]);
    await client.execute(statement("delete from parents where id >= 20"));
  });

  test("reads a batch from one snapshot", async () => {
    const reads = [statement("select count(*) as n from parents"), statement("select 1 as n")];
    expect((await client.batch(reads)).map(({ rows }) => rows[0]?.n)).toEqual([2, 1]);
  });

  test("reads as many rows as a limit allows, and what was written since", async () => {
    const idsUpTo = async (limit: number) => {
      const { rows } = await client.execute(statement("select id from parents order by id limit ?", limit));
      return rows.map(({ id }) => id);
    };
    expect([await idsUpTo(0), await idsUpTo(1), await idsUpTo(2)]).toEqual([[], [1], [1, 2]]);
    await client.execute(parent(-1, "Earlier"));
    expect([await idsUpTo(1), await idsUpTo(2)]).toEqual([[-1], [-1, 1]]);
    await client.execute(statement("delete from parents where id = -1"));
    expect(await idsUpTo(1)).toEqual([1]);
  });

  test("reports a constraint failure by code and text, and stays usable", async () => {
    const rejected = client.execute(parent(9, "Ada"));
    expect(await codeOf(rejected)).toBe("SQLITE_CONSTRAINT");
    await expect(rejected).rejects.toThrow("UNIQUE constraint failed: parents.name");
    await client.execute(parent(9, "Mary"));
    expect(await names()).toContain("Mary");
  });

  test("enforces foreign keys, also after another failure", async () => {
    expect(await codeOf(client.execute(orphan))).toBe("SQLITE_CONSTRAINT");
    expect(await codeOf(client.execute(statement("select missing from parents")))).toMatch(/SQL/);
    expect(await codeOf(client.execute(orphan))).toBe("SQLITE_CONSTRAINT");
  });

  test("migrates tables that others reference, all or nothing, and enforces foreign keys afterwards", async () => {
    await client.batch([statement("insert into children (parent_id) values (?)", 1)]);
    const rebuilt = [
      statement("create table renamed (id integer primary key, name text not null unique, note text)"),
      statement("insert into renamed (id, name) select id, name from parents"),
      statement("drop table parents"),
      statement("alter table renamed rename to parents"),
    ];
    expect(await codeOf(client.migrate([...rebuilt, statement("no SQL")]))).toMatch(/SQL/);
    expect(await codeOf(client.execute(statement("select note from parents")))).toMatch(/SQL/);
    await client.migrate(rebuilt);
    expect((await client.execute(statement("select note from parents"))).rows).toHaveLength(3);
    expect((await client.execute(statement("select * from children"))).rows).toHaveLength(1);
    expect(await codeOf(client.execute(orphan))).toBe("SQLITE_CONSTRAINT");
  });

  test("rejects every call after it is closed", async () => {
    client.close();
    await expect(client.execute(statement("select 1"))).rejects.toThrow("closed");
    await expect(client.batch([parent(5, "Emmy")])).rejects.toThrow("closed");
  });
});

test("what was read keeps no snapshot of a file open, and is read again after another's writes and migrations", async () => {
  const path = join(makeFolder(), "test.db");
  const [one, other] = [openFileClient(path), openFileClient(path)];
  opened.push(one, other);
  await one.execute(statement("pragma journal_mode=wal"));
  for (const text of [...TABLES, "insert into parents values (1, 'Ada'), (2, 'Grace')"])
    await one.execute(statement(text));
  const last = async (limit: number) => {
    const { rows } = await one.execute(statement("select name from parents order by id desc limit ?", limit));
    return rows.map(({ name }) => name);
  };
  expect([await last(1), await last(9)]).toEqual([["Grace"], ["Grace", "Ada"]]);
  await other.execute(statement("insert into parents values (3, 'Mary')"));
  const { rows } = await other.execute(statement("pragma wal_checkpoint(truncate)"));
  expect(rows[0]?.busy).toBe(0);
  await other.execute(statement("alter table parents add column note text"));
  await other.execute(statement("create index parents_note on parents (note)"));
  expect([await last(1), await last(9)]).toEqual([["Mary"], ["Mary", "Grace", "Ada"]]);
});

describe("over a web socket, a server's client", () => {
  const NOTES = "create table notes (id integer primary key, text text not null unique)";
  const insert = (id: number, text: string) => statement("insert into notes values (?, ?)", id, text);
  const count = statement("select count(*) as n from notes");
  let proxy: CuttableProxy;
  let client: SqlClient;

  beforeEach(async () => {
    proxy = await startCuttableProxy();
    proxy.restore((await startSqld(makeFolder())).url);
    client = openServerClient({ url: proxy.url.replace("http", "ws"), responseMs: 5000 });
    await client.execute(statement(NOTES));
  });
  afterEach(() => {
    client.close();
    proxy.stop();
  });

  test("uses a connection again, also after a constraint, and has at most twelve", async () => {
    for (let id = 0; id < 5; id += 1) await client.execute(insert(id, `Note ${id}`));
    expect(await codeOf(client.execute(insert(1, "Again")))).toBe("SQLITE_CONSTRAINT");
    await client.batch([count, count]);
    expect(proxy.accepted()).toBe(1);
    const reads = await Promise.all(Array.from({ length: 60 }, () => client.execute(count)));
    expect(reads.map(({ rows }) => rows[0]?.n)).toEqual(Array.from({ length: 60 }, () => 5));
    expect(proxy.accepted()).toBe(12);
  });

  test("does not use one again that may be in a transaction, or was cut", async () => {
    await client.execute(statement("begin"));
    expect(await codeOf(client.execute(insert(9, "In it")))).not.toBe("no error");
    expect((await client.execute(count)).rows[0]?.n).toBe(0);
    expect(proxy.accepted()).toBe(2);
    proxy.cut();
    expect(await codeOf(client.execute(count))).toMatch(/^HRANA_(?:WEBSOCKET|CLOSED)_ERROR$/);
    proxy.restore();
    await client.execute(insert(1, "After the cut"));
    expect((await client.execute(count)).rows[0]?.n).toBe(1);
  });

  test("gives concurrent writes one transaction, of which a part may fail", async () => {
    const texts = ["First", "Second", "First", "Third"];
    const writes = texts.map((text, id) => client.batch([insert(id, text), count]));
    const outcomes = await Promise.allSettled(writes);
    expect(
      outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value[1]?.rows[0]?.n : "failed")),
    ).toEqual([1, 2, "failed", 3]);
    expect((await client.execute(count)).rows[0]?.n).toBe(3);
    expect(proxy.accepted()).toBe(1);
  });

  test("writes each alone if what one has written cannot be committed", async () => {
    const child = "create table children (id integer references notes (id) deferrable initially deferred)";
    await client.execute(statement(child));
    const writes = [insert(1, "First"), statement("insert into children values (99)"), insert(2, "Second")];
    const outcomes = await Promise.all(writes.map((write) => codeOf(client.execute(write))));
    expect(outcomes).toEqual(["no error", "SQLITE_CONSTRAINT", "no error"]);
    expect((await client.execute(count)).rows[0]?.n).toBe(2);
  });
});

test("a server gets one write at a time, and reads meanwhile", async () => {
  const { url } = await startSqld(makeFolder());
  let writing = 0;
  let most = 0;
  const read = Promise.withResolvers<void>();
  const between = serve({
    port: 0,
    async fetch(request) {
      const body = await request.text();
      const isWrite = body.includes("insert into");
      if (isWrite) {
        writing += 1;
        most = Math.max(most, writing);
        await read.promise;
      }
      const response = await fetch(url + new URL(request.url).pathname, { method: "POST", body });
      const results = await response.json();
      if (isWrite) writing -= 1;
      else if (body.includes("select")) read.resolve();
      return Response.json(results, { status: response.status });
    },
  });
  const { db, close } = await openLibsql({ url: between.url.href });
  await db.run("create table notes (id integer primary key, text text unique)");
  const write = (id: number) => db.run(sql`insert into notes values (${id}, ${`Note ${id}`})`);
  const count = () => db.all(sql`select count(*) as n from notes`);
  await Promise.all([
    ...Array.from({ length: 10 }, (_, id) => [
      write(id),
      db.batch([write(100 + id), write(200 + id)]),
    ]).flat(),
    count(),
  ]);
  // A write that fails holds up none after it.
  await Promise.allSettled([write(0), write(300)]);
  expect(await count()).toEqual([{ n: 31 }]);
  expect(most).toBe(1);
  close();
  await between.stop(true);
});

test("writes that wait for a server without an answer fail with the first, and are not sent", async () => {
  let sent = 0;
  const server = serve({
    port: 0,
    async fetch(request) {
      if ((await request.text()).includes("delete from")) sent += 1;
      return new Promise<Response>(() => {});
    },
  });
  const { db, close } = await openLibsql({ url: server.url.href, responseMs: 50 });
  const failures = await Promise.all(
    Array.from({ length: 20 }, () => db.run("delete from notes").catch((error: unknown) => error)),
  );
  expect(failures.map(isDatabaseUnavailable)).toEqual(Array.from({ length: 20 }, () => true));
  expect(sent).toBeLessThanOrEqual(2);
  close();
  await server.stop(true);
});

test("a migration may take longer than a server's response to anything else", async () => {
  const { url } = await startSqld(makeFolder());
  const slow = serve({
    port: 0,
    async fetch(request) {
      const body = await request.text();
      if (body.includes("CREATE TABLE")) await Bun.sleep(2500);
      const response = await fetch(url + new URL(request.url).pathname, { method: "POST", body });
      return Response.json(await response.json(), { status: response.status });
    },
  });
  const { db, migrate, close } = await openLibsql({ url: slow.url.href, responseMs: 2000 });
  await migrate();
  expect(await db.all("select * from users")).toEqual([]);
  close();
  await slow.stop(true);
});

test.each([
  ["accepts a statement and never answers", () => new Promise<Response>(() => {})],
  [
    "stops in the middle of its answer",
    () => new Response(new ReadableStream({ pull: () => new Promise(() => {}) })),
  ],
])("a server that %s is reported as unavailable", async (_, fetch) => {
  const server = serve({ port: 0, fetch });
  const { db, close } = await openLibsql({ url: server.url.href, responseMs: 50 });
  const failures = await Promise.all([
    db.run("select 1").catch((error: unknown) => error),
    db.batch([db.run("select 1"), db.run("select 2")]).catch((error: unknown) => error),
  ]);
  expect(failures.map(isDatabaseUnavailable)).toEqual([true, true]);
  close();
  await server.stop(true);
});

test("a server that never answers through a web socket is reported as unavailable", async () => {
  const server = serve({
    port: 0,
    fetch: (request, self) => (self.upgrade(request) ? undefined : new Response(null, { status: 400 })),
    websocket: { message: () => {} },
  });
  const { db, close } = await openLibsql({ url: server.url.href.replace(/^http/, "ws"), responseMs: 50 });
  const failures = await Promise.all([
    db.run("select 1").catch((error: unknown) => error),
    db.run("delete from notes").catch((error: unknown) => error),
    db.batch([db.run("select 1"), db.run("select 2")]).catch((error: unknown) => error),
  ]);
  expect(failures.map(isDatabaseUnavailable)).toEqual([true, true, true]);
  close();
  await server.stop(true);
});
