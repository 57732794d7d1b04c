import { type AnyColumn, and, asc, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "../client";
import { envelopes } from "../schema";
import { asColumn, type Fields, type Json, jsonRow, jsonRows, type RowOf } from "./json-row";
import { listed } from "./query-helpers";

/** Rows of a table that belong to an envelope, in the order of `key`, which is the name of a field too. */
type Part = {
  table: SQLiteTable & { envelopeId: SQLiteColumn };
  key: string;
  fields: Fields;
  where?: SQL;
  /** At most, of all rows of the envelope: an aggregate, which does not know `where`. Absent if `textBytes` counts them. */
  bytes?: SQL;
};

type Parts = Record<string, Part>;
type RowsOf<P extends Parts> = { [Name in keyof P]: RowOf<P[Name]["fields"]>[] };

/** D1 takes 2,000,000 bytes in a row, and SQLite copies a long one many times. */
export const MOST_BYTES = 128 * 1024;

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

  async function read(db: Database, ids: readonly number[]) {
    const found = new Map(
      ids.map((id) => [id, Object.fromEntries(each.map(([name]) => [name, [] as unknown[]]))]),
    );
    await Promise.all(
      each.map(async ([name, { table, key, fields, where }]) => {
        const rows = await db
          .select({ id: table.envelopeId, row: asColumn(jsonRow(fields)) })
          .from(table)
          .where(and(inArray(table.envelopeId, listed(ids)), where))
          .orderBy(asc(fields[key] as AnyColumn));
        for (const { id, row } of rows) found.get(id as number)?.[name]?.push(row);
      }),
    );
    return found;
  }

  return {
    json: {
      sql: sql`iif(${isShort}, ${lists.sql}, null)`,
      read: (json) => (json === null ? null : lists.read(json)),
    } as Json<RowsOf<P> | null>,
    /** @param rows of envelopes that the caller has read */
    async complete<Row extends { id: number; parts: RowsOf<P> | null }>(
      db: Database,
      rows: readonly Row[],
    ): Promise<(Omit<Row, "parts"> & RowsOf<P>)[]> {
      const long = rows.flatMap(({ id, parts }) => (parts === null ? id : []));
      const found = long.length > 0 ? await read(db, long) : undefined;
      return rows.map(({ parts, ...row }) => ({
        ...row,
        ...(parts ?? (found?.get(row.id) as unknown as RowsOf<P>)),
      }));
    },
  };
}
