import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Client, createClient, type Transaction } from "@libsql/client";
import { file } from "bun";
import { openDatabaseFile } from "../../db/libsql-file";

/** What db/libsql-file.ts works around. A test that fails here says that its workaround may go. */
const NEEDED_BY = "@libsql/client 0.18.0 with libsql 0.5.29";

const HELD_MS = 300;
const insert = (id: number) => `insert into notes values (${id})`;

let folder: string;
let url: string;
/** Another process, as far as the lock is concerned. */
let other: Client;
let lock: Transaction;
let client: Client | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "doculopes-libsql-"));
  const path = join(folder, "test.db");
  url = pathToFileURL(path).href;
  client = undefined;
  other = createClient({ url });
  await other.execute("PRAGMA journal_mode=WAL");
  await other.execute("create table notes (id integer primary key)");
});

afterEach(async () => {
  client?.close();
  other.close();
  await rm(folder, { recursive: true, force: true });
});

const hold = async () => {
  lock = await other.transaction("write");
};
const release = () => lock.commit();
/** The number of rows that are committed. */
const committed = async () => (await other.execute("select id from notes")).rows.length;
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

describe("a statement that was refused as busy", () => {
  test(`stays open in ${NEEDED_BY}: the next write is answered as done and not committed`, async () => {
    client = createClient({ url, concurrency: 1 });
    await hold();
    expect(await codeOf(client.execute(insert(1)))).toBe("SQLITE_BUSY");
    await release();
    expect(await codeOf(client.execute(insert(2)))).toBe("done");
    expect(await committed()).toBe(0);
    expect(await codeOf(client.batch([insert(3)], "write"))).toBe("SQLITE_BUSY");
  });

  test("leaves nothing open in the app's client: it is written once the lock is free, and so is the next", async () => {
    client = openDatabaseFile(join(folder, "test.db"));
    await hold();
    const refused = codeOf(client.execute(insert(1)));
    expect(await committed()).toBe(0);
    await release();
    expect(await refused).toBe("done");
    expect(await codeOf(client.execute(insert(2)))).toBe("done");
    expect(await codeOf(client.batch([insert(3)], "write"))).toBe("done");
    expect(await committed()).toBe(3);
  });
});

describe("waiting for the lock", () => {
  /** How often the event loop comes round while a write waits. */
  async function turnsWhile(work: () => Promise<unknown>): Promise<number> {
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    const waiting = work();
    const during = turns;
    await waiting;
    clearInterval(timer);
    return turns - during;
  }

  test(`blocks the event loop in ${NEEDED_BY}`, async () => {
    const plain = createClient({ url, timeout: HELD_MS });
    client = plain;
    await hold();
    const turns = await turnsWhile(() => codeOf(plain.execute(insert(1))));
    await release();
    expect(turns).toBe(0);
  });

  test("leaves the event loop free in the app's client", async () => {
    const patient = openDatabaseFile(join(folder, "test.db"));
    client = patient;
    await hold();
    const turns = await turnsWhile(() => {
      const write = codeOf(patient.execute(insert(1)));
      setTimeout(release, HELD_MS);
      return write;
    });
    expect(turns).toBeGreaterThan(3);
    expect(await committed()).toBe(1);
  });
});

describe("a batch that reads before it writes", () => {
  const readThenWrite = ["select count(*) from notes", insert(1)];

  test("takes the write lock first in the app's client, so that nothing it has read can change", async () => {
    client = openDatabaseFile(join(folder, "test.db"));
    await hold();
    await lock.execute(insert(9));
    const batch = client.batch(readThenWrite, "deferred");
    await release();
    const [read] = await batch;
    expect(read?.rows[0]?.[0]).toBe(1);
    expect(await committed()).toBe(2);
  });
});
