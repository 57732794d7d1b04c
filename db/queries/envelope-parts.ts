import { and, eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "../client";
import { envelopes } from "../schema";
import { asColumn, type Fields, type Json, jsonRow, jsonRows, type RowOf } from "./json-row";
import { listed, type TakeTurn } from "./query-helpers";

/** Rows of a table that belong to an envelope, in the order of `key`, which is the name of a field too. */
type Part = {
  table: SQLiteTable & { id: SQLiteColumn; envelopeId: SQLiteColumn };
  key: string;
  fields: Fields;
  where?: SQL;
  /** At most, of all rows of the envelope: an aggregate, which does not know `where`. Absent if `textBytes` counts them. */
  bytes?: SQL;
};

type Place = { id: unknown; envelopeId: unknown };
const laterOf = <Row extends Place>(one: Row, other: Row): Row =>
  (Number(one.envelopeId) - Number(other.envelopeId) || Number(one.id) - Number(other.id)) < 0 ? other : one;

type Parts = Record<string, Part>;
type RowsOf<P extends Parts> = { [Name in keyof P]: RowOf<P[Name]["fields"]>[] };

/** D1 takes 2,000,000 bytes in a row, and SQLite copies a long one many times. */
export const MOST_BYTES = 128 * 1024;

/** Rows that one statement reads: forty of the longest answers have 1.6 MB. Where each statement is a call, all. */
const READ = { inTurn: 40, atOnce: -1 };

/**
 * What belongs to an envelope, as a field `parts` of its row while it is short. Otherwise that is null, and `complete` reads
 * it row by row.
 */
export function envelopeParts<P extends Parts>(parts: P) {
  const each = Object.entries(parts);
  const ofRow = ({ table, where }: Pick<Part, "table" | "where">) =>
    sql`${table} where ${and(eq(table.envelopeId, envelopes.id), where)}`;
  const sizes = each.flatMap(([, { table, bytes }]) =>
    bytes ? sql`(select ${bytes} from ${ofRow({ table })})` : [],
  );
  const bytes = sql.join([sql`${envelopes.textBytes}`, ...sizes], sql` + `);
  const isShort = sql`${bytes} <= ${sql.raw(String(MOST_BYTES))}`;
  const lists = jsonRow(
    Object.fromEntries(
      each.map(([name, part]) => [name, jsonRows(part.fields, ofRow(part), (row) => Number(row[part.key]))]),
    ),
  );

  async function readPart(db: Database, ids: readonly number[], part: Part, takeTurn: TakeTurn) {
    const { table, key, fields, where } = part;
    const found = new Map(ids.map((id) => [id, [] as RowOf<Fields>[]]));
    const limit = takeTurn ? READ.inTurn : READ.atOnce;
    const rowId = sql<number>`${table}.rowid`;
    for (let last: Place | undefined = { id: 0, envelopeId: 0 }; last; ) {
      const isNext: SQL = sql`(${table.envelopeId}, ${rowId}) > (${last.envelopeId}, ${last.id})`;
      // An index need not have this order, and what is sorted is read whole: only the ids are, and the rows of a part here.
      const next = sql`(select ${rowId} from ${table} where ${and(sql`${table.envelopeId} in ${listed(ids)}`, isNext, where)} order by ${table.envelopeId}, ${rowId} limit ${limit})`;
      const rows = await db
        .select({ id: rowId, envelopeId: table.envelopeId, row: asColumn(jsonRow(fields)) })
        .from(table)
        .where(sql`${rowId} in ${next}`);
      for (const { envelopeId, row } of rows) found.get(envelopeId as number)?.push(row);
      await takeTurn?.();
      last = rows.length === limit ? rows.reduce(laterOf) : undefined;
    }
    for (const rows of found.values()) rows.sort((one, other) => Number(one[key]) - Number(other[key]));
    return found;
  }

  return {
    json: {
      sql: sql`iif(${isShort}, ${lists.sql}, null)`,
      read: (json) => (json === null ? null : lists.read(json)),
    } as Json<RowsOf<P> | null>,
    /** Whether the field is not null. */
    isShort,
    /** @param rows of envelopes that the caller has read */
    async complete<Row extends { id: number; parts: RowsOf<P> | null }>(
      db: Database,
      rows: readonly Row[],
      takeTurn?: TakeTurn,
    ): Promise<(Omit<Row, "parts"> & RowsOf<P>)[]> {
      const long = rows.flatMap(({ id, parts }) => (parts === null ? id : []));
      const found: [string, Map<number, unknown[]>][] = [];
      if (long.length > 0)
        for (const [name, part] of each) found.push([name, await readPart(db, long, part, takeTurn)]);
      const partsOf = (id: number) => Object.fromEntries(found.map(([name, lists]) => [name, lists.get(id)]));
      return rows.map(({ parts, ...row }) => ({ ...row, ...(parts ?? (partsOf(row.id) as RowsOf<P>)) }));
    },
  };
}
