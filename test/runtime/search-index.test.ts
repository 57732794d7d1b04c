import { expect, test } from "bun:test";
import { type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { listIntegrityErrors, resetSearchIndex } from "../../db/maintenance";
import { deleteContacts } from "../../db/queries/contacts";
import { countEnvelopes, listEnvelopeRows } from "../../db/queries/envelope-list";
import { fillListColumns } from "../../db/queries/list-columns";
import type { Cursor } from "../../db/queries/paging";
import {
  INDEXED_AT_ONCE,
  indexBeforeSearch,
  indexStaleEnvelopes,
  mergeSearchIndex,
  SEARCHED_COLUMNS,
  searchExpression,
} from "../../db/queries/search";
import { insertLoad } from "../../db/queries/seed";
import { contacts, envelopeDocuments, envelopes, envelopeTexts, renamedContacts } from "../../db/schema";
import { startIndexing } from "../../worker/jobs/search-index";
import { openMigrated } from "../support/runtime/migrated";
import { TEST_START } from "../support/runtime/runtime";

const file = { bytes: new Uint8Array(1), sha256: "x" };
const MEMBER = { userId: 1, role: "viewer" } as const;

/** A database with two workspaces of one account and as many envelopes in each, which no search has indexed. */
async function openWith(count: number) {
  const { db, close } = await openMigrated();
  await db.run(sql`insert into users (id, email, password, created_at) values (1, 'a@example.com', '', '')`);
  for (const id of [1, 2]) {
    await db.run(
      sql`insert into workspaces (id, name, user_id, created_at, updated_at) values (${id}, '', 1, '', '')`,
    );
    await db.run(
      sql`insert into workspace_members (workspace_id, user_id, role, created_at) values (${id}, 1, 'owner', '')`,
    );
    const samples = { passport: file, address: file };
    await insertLoad(db, { userId: 1, workspaceId: id }, { count, now: new Date(0), samples, textBytes: 0 });
  }
  const find = async (search: string, workspaceId?: number) => {
    const expression = searchExpression(search) ?? undefined;
    const { rows } = await listEnvelopeRows(db, MEMBER, { workspaceId, expression, now: TEST_START });
    return rows.length;
  };
  const indexAll = async () => {
    while ((await indexStaleEnvelopes(db, 20_000)) > 0);
  };
  return { db, close, find, indexAll };
}

test("rows that were there before are indexed in steps, each on its own, and newest changes before a search", async () => {
  const { db, close, find, indexAll } = await openWith(150);
  expect(await find("passport", 1)).toBe(0);
  const first = await indexStaleEnvelopes(db, 20_000);
  expect([first > 10, first < 150, await find("passport", 1)]).toEqual([true, true, first]);
  await indexAll();
  expect([await find("passport", 1), await find("recipient149"), await find("recipient 149")]).toEqual([
    150, 2, 2,
  ]);
  await db.run(sql`update envelopes set subject = 'Überweisung' where id = 3`);
  expect(await find("uberweis")).toBe(0);
  await indexBeforeSearch(db, { ...MEMBER, userId: 2 });
  expect(await find("uberweis")).toBe(0);
  await indexBeforeSearch(db, MEMBER);
  expect(await find("uberweis")).toBe(1);
  close();
});

test("a statement indexes few envelopes with long texts, and only a part of each", async () => {
  const { db, close, find, indexAll } = await openWith(30);
  await db.run(
    sql`insert into envelope_documents (envelope_id, position, name, allowed_file_types) select envelopes.id, key + 10, printf('Papers %03d ', key) || hex(zeroblob(90)), '[]' from envelopes, json_each(${JSON.stringify(Array(90).fill(0))})`,
  );
  const others: string[] = [];
  await indexBeforeSearch(db, MEMBER, async () => {
    others.push("turn");
  });
  const indexed = await db.all<{ size: number }>(
    sql`select length(texts) as size from envelope_texts where not stale`,
  );
  expect(indexed.length).toBeLessThanOrEqual(2 * others.length);
  expect(Math.max(...indexed.map(({ size }) => size))).toBeLessThan(5000);
  await indexAll();
  expect([await find("papers 000", 1), await find("papers 089", 1)]).toEqual([30, 0]);
  await db.run(sql`update envelope_documents set name = 'Other ' || name where position >= 10`);
  expect(await indexStaleEnvelopes(db, INDEXED_AT_ONCE)).toBeLessThanOrEqual(2);
  close();
});

test("a new name of a contact is spread over its envelopes in parts, and so is its deletion", async () => {
  const { db, close, find, indexAll } = await openWith(1);
  const count = async (condition: SQL) => db.$count(envelopeTexts, condition);
  await db.run(
    sql`insert into envelopes (user_id, workspace_id, contact_id, title, description, customer_email, submission_token, created_at, updated_at) select 1, 1, 1, '', '', 'a@example.com', 't' || key, '', '' from json_each(${JSON.stringify(Array(5000).fill(0))})`,
  );
  await db.update(envelopeTexts).set({ stale: false });
  await db.run(sql`update contacts set first_name = 'Renamed' where id = 1`);
  expect(await count(sql`stale`)).toBe(0);
  await indexBeforeSearch(db, { ...MEMBER, userId: 2 });
  expect([await count(sql`stale`), await db.$count(renamedContacts)]).toEqual([0, 1]);
  const indexed = await indexStaleEnvelopes(db, INDEXED_AT_ONCE);
  expect([indexed > 0, (await count(sql`stale`)) + indexed, await find("renamed")]).toEqual([
    true,
    2000,
    indexed,
  ]);
  await db.run(sql`update contacts set last_name = 'Again' where id = 1`);
  await indexAll();
  expect([await find("renamed again"), await db.$count(renamedContacts)]).toEqual([1000, 0]);
  expect(await count(sql`texts like '%Renamed Again%'`)).toBe(5000);
  const parts: number[] = [];
  const deleted = await deleteContacts(db, { userId: 1, role: "owner" }, { ids: [1], now: "" }, async () => {
    parts.push(await db.$count(envelopes, sql`contact_id = 1`));
  });
  expect([deleted, parts]).toEqual([1, Array.from({ length: 100 }, (_, index) => 4950 - 50 * index)]);
  close();
});

test("a search reads a block of 500 envelopes at a time, and finds in every order what one statement finds", async () => {
  const { db, close, indexAll } = await openWith(1);
  await db.run(
    sql`insert into envelopes (user_id, workspace_id, title, description, customer_email, submission_token, created_at, updated_at, subject, subject_key, due_date, status) select 1, 1 + key % 3 / 2, '', '', 'a@example.com', 't' || key, '', '', 'Tax ' || (key % 7), nullif(key % 5, 0), iif(key % 4, '2026-01-0' || (key % 9), null), iif(key % 6, 'pending', 'completed') from json_each(${JSON.stringify(Array(1800).fill(0))})`,
  );
  await indexAll();
  const sizes = await db.all<{ size: number }>(
    sql`select count(*) as size from envelope_texts group by workspace_id, block order by workspace_id, block`,
  );
  expect(sizes.map(({ size }) => size)).toEqual([500, 500, 201, 500, 101]);
  let turns = 0;
  const takeTurn = async () => {
    turns += 1;
  };
  const expression = searchExpression("tax example") ?? "";
  for (const sort of ["-created", "created", "subject", "-due", "due", "status"] as const)
    for (const workspaceId of [1, undefined]) {
      const call = { expression, workspaceId, sort, limit: 250, now: TEST_START };
      const read = async (turn?: () => Promise<void>) => {
        const pages: string[][] = [];
        for (let cursor: Cursor | undefined, more = true; more; more = cursor !== undefined) {
          const page = await listEnvelopeRows(db, MEMBER, { ...call, cursor, takeTurn: turn });
          pages.push(page.rows);
          cursor = page.next ?? undefined;
        }
        return pages;
      };
      const pages = await read(takeTurn);
      expect([pages.length, pages]).toEqual([workspaceId ? 5 : 8, await read()]);
      turns = 0;
      await listEnvelopeRows(db, MEMBER, { ...call, takeTurn });
      // By age, what comes after a full page is not read.
      const ofFirst = { "-created": 2, created: 1 }[sort as string] ?? 3;
      const ofSecond = { created: 1 }[sort as string] ?? 2;
      expect([sort, turns]).toEqual([sort, ofFirst + (workspaceId ? 0 : ofSecond)]);
      expect(await countEnvelopes(db, MEMBER, { ...call, takeTurn })).toEqual(
        await countEnvelopes(db, MEMBER, call),
      );
    }
  const nothing = searchExpression("nothing") ?? "";
  expect((await countEnvelopes(db, MEMBER, { expression: nothing, now: TEST_START, takeTurn })).all).toBe(0);
  const removal = async () => {
    turns += 1;
    if (turns === 3) await db.run(sql`delete from workspace_members where workspace_id = 1`);
  };
  turns = 0;
  const found = await listEnvelopeRows(db, MEMBER, {
    ...{ expression, workspaceId: 1, sort: "due" },
    now: TEST_START,
    takeTurn: removal,
  });
  expect([turns, found.rows]).toEqual([3, []]);
  close();
}, 240_000);

test("a server indexes all beside its other work until it stops, a Worker as much as a run may", async () => {
  const { db, close } = await openWith(800);
  const stale = async () => {
    const [row] = await db.all<{ count: number }>(
      sql`select count(*) as count from envelope_texts where stale`,
    );
    return row?.count;
  };
  const tasks: Promise<unknown>[] = [];
  const stop = new AbortController();
  const background = {
    run: (_: string, task: (signal: AbortSignal) => Promise<unknown>) => tasks.push(task(stop.signal)),
  };
  await startIndexing({ db, background });
  const rest = (await stale()) ?? 0;
  expect([rest > 0, rest < 800, tasks.length]).toEqual([true, true, 0]);
  await startIndexing({ db, background, stopping: stop.signal });
  expect(await stale()).toBeGreaterThan(0);
  await Promise.all(tasks);
  expect(await stale()).toBe(0);
  await db.run(sql`update envelopes set subject = 'New ' || id`);
  stop.abort();
  await startIndexing({ db, background, stopping: stop.signal });
  await Promise.all(tasks);
  expect(await stale()).toBeGreaterThan(1500);
  close();
});

test("the index stays intact, and what was deleted is erased from it", async () => {
  const { db, close, find, indexAll } = await openWith(400);
  await indexAll();
  await db.run(sql`update envelopes set subject = 'New ' || id where id % 3 = 0`);
  await indexAll();
  await db.run(sql`delete from envelopes where id % 2 = 0`);
  await db.run(sql`delete from workspaces where id = 2`);
  expect(await listIntegrityErrors(db)).toEqual([]);
  expect(await find("passport")).toBe(200);
  const bytes = async () => {
    const [row] = await db.all<{ bytes: number }>(
      sql`select sum(length(block)) as bytes from envelope_search_data`,
    );
    return row?.bytes ?? 0;
  };
  await db.run(sql`delete from envelopes`);
  const before = await bytes();
  let merges = 0;
  while ((await mergeSearchIndex(db, 16, merges > 0)) && merges < 1000) merges += 1;
  expect(before).toBeGreaterThan(50_000);
  expect(await bytes()).toBeLessThan(100);
  expect(await listIntegrityErrors(db)).toEqual([]);
  close();
});

test("a damaged index is built again", async () => {
  const { db, close, find, indexAll } = await openWith(50);
  await indexAll();
  await db.run(sql`delete from envelope_search_data where id > 100`);
  await db.update(contacts).set({ firstName: "Søren", filterText: "søren" });
  expect((await listIntegrityErrors(db)).join()).toContain("envelope_search");
  expect(await resetSearchIndex(db)).toBe(100);
  await indexAll();
  await fillListColumns(db, 1000);
  expect((await db.select().from(contacts).get())?.filterText).toContain("soren");
  expect(await listIntegrityErrors(db)).toEqual([]);
  expect(await find("passport")).toBe(100);
  await db.run(sql`delete from envelopes where id = 1`);
  expect(await find("passport")).toBe(99);
  close();
});

test("a word is found in each searched column after it is written there", async () => {
  const { db, close, find, indexAll } = await openWith(3);
  const tables = { envelopes, contacts, envelopeDocuments } satisfies Record<
    keyof typeof SEARCHED_COLUMNS,
    SQLiteTable
  >;
  const columns = Object.entries(SEARCHED_COLUMNS).flatMap(([table, names]) =>
    names.map((name) => [table as keyof typeof tables, name] as const),
  );
  for (const [table, column] of columns) {
    const word = `${table}${column}`;
    await indexAll();
    await db.update(tables[table]).set({ [column]: word });
    expect([word, await find(word)]).toEqual([word, 0]);
    await indexAll();
    expect([word, await find(word)]).toEqual([word, 6]);
  }
  close();
});
