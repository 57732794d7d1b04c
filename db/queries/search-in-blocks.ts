import { type SQL, sql } from "drizzle-orm";
import type { Database } from "../client";
import { envelopeTexts } from "../schema";
import type { Member } from "./members";
import { type Cursor, keysIn, memberships, type Order, orderBy, type Parts, type Source } from "./paging";
import { lastBlock } from "./search";

/** Of a query that is built once for many blocks: building takes as long as reading one. */
const BLOCK = sql.placeholder("block");

type Turns = { takeTurn: () => Promise<void> };

/**
 * Reads the blocks of each of the caller's workspaces, the last ones first if `descending`.
 * @param readerOf returns what reads a block of the workspace, and whether to read its other blocks too
 */
async function readBlocks(
  db: Database,
  member: Member,
  { workspaceId, takeTurn, descending }: { workspaceId: number | undefined; descending: boolean } & Turns,
  readerOf: (workspaceId: number) => (block: number) => Promise<boolean>,
): Promise<void> {
  const mine = await db.values<[id: number, last: number | null]>(
    sql`select me.workspace_id as id, ${lastBlock(sql`me.workspace_id`)} as last from ${memberships(member, workspaceId)}`,
  );
  for (const { 0: id, 1: last } of mine) {
    const read = readerOf(id);
    for (let count = 0; count <= (last ?? -1); count += 1) {
      await takeTurn();
      if (!(await read(descending ? (last ?? 0) - count : count))) break;
    }
  }
}

/** Reads a search block by block. */
export const inBlocks = (takeTurn: () => Promise<void>): Parts => ({
  async findKeys(db, member, { workspaceId, table }, keys) {
    const { source, order, limit } = keys;
    const { descending } = order;
    let found: [sorted: Cursor["value"], id: number][] = [];
    /** The last one of a page, which rows of further blocks must precede. */
    let last: Cursor | undefined;
    const firstFound = () =>
      sql`select found.value ->> 0 as sorted, found.value ->> 1 as id from json_each(${JSON.stringify(found)}) as found ${orderBy(order)} limit ${limit}`;
    const prepare = (query: SQL) =>
      db
        .select({ json: sql<string>`json_group_array(json_array(sorted, id))` })
        .from(sql`(${query})`)
        .prepare();
    const read = async (query: ReturnType<typeof prepare>, block?: number): Promise<typeof found> =>
      JSON.parse((await query.get({ block }))?.json ?? "[]");
    const preceding: Source = (id, block) => {
      const all = source(id, block);
      return last ? { ...all, where: [...all.where, precedes(order, last)] } : all;
    };
    // Dates, and most other values, follow the ids: the blocks that a page is in are read first.
    await readBlocks(db, member, { workspaceId, takeTurn, descending }, (id) => {
      const mine = sql`(select me.workspace_id from ${memberships(member, id)})`;
      const prepareBlock = () => prepare(keysIn(mine, { ...keys, source: preceding, block: BLOCK }));
      let query = prepareBlock();
      return async (block) => {
        found.push(...(await read(query, block)));
        // Sorted for each page of further rows, not for each block.
        if (found.length >= (last ? 2 * limit : limit)) {
          found = await read(prepare(firstFound()));
          const [value, id] = found.at(-1) ?? [null, 0];
          last = { value, id };
          query = prepareBlock();
        }
        if (order.value || !last) return true;
        const [rest] = await db.values<[next: number | null]>(nextId(id, block, descending));
        const next = rest?.[0] ?? last.id;
        return descending ? next > last.id : next < last.id;
      };
    });
    const mine = sql`(select me.workspace_id from ${memberships(member, workspaceId)})`;
    return sql`select page.sorted, own.id as id from (${firstFound()}) as page cross join ${table} as own on own.id = page.id where own.workspace_id in ${mine}`;
  },
  async sum(db, member, workspaceId, readerOf) {
    // Those of no workspace are zeros.
    const sums = await readerOf(0)();
    await readBlocks(db, member, { workspaceId, takeTurn, descending: true }, (id) => {
      const read = readerOf(id, BLOCK);
      return async (block) => {
        const part = await read(block);
        for (const name in part) sums[name] += part[name];
        return true;
      };
    });
    return sums;
  },
});

/** Whether a row comes before this one. */
function precedes({ value, descending }: Order, { value: other, id }: Cursor): SQL {
  const before = sql.raw(descending ? ">" : "<");
  if (!value) return sql`own.id ${before} ${id}`;
  if (other === null) return sql`(${value} is not null or own.id ${before} ${id})`;
  return sql`(${value}, own.id) ${before} (${other}, ${id})`;
}

/** The highest id in the blocks before this one, or the lowest in those after it. */
const nextId = (workspaceId: number, block: number, descending: boolean) =>
  sql`select ${sql.raw(descending ? "max" : "min")}(id) from ${envelopeTexts} where ${envelopeTexts.workspaceId} = ${workspaceId} and ${envelopeTexts.block} ${sql.raw(descending ? "<" : ">")} ${block}`;
