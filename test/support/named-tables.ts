import { Column, getTableName, is, SQL, StringChunk, Table } from "drizzle-orm";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";

type Build = (fields: { field: unknown }[], options?: { isSingleTable?: boolean }) => SQL;

/**
 * Makes a query fail whose selection has a correlated subquery with columns of its own chunks. If the query reads a single
 * table, drizzle renders these columns without their tables: `"bulk_id" = "id"` then compares two columns of the
 * subquery's table. `sql` within the `sql` of the selection keeps them.
 */
export function requireNamedTables(): void {
  const dialect = Object.getPrototypeOf(SQLiteSyncDialect.prototype) as { buildSelection: Build };
  const build = dialect.buildSelection;
  dialect.buildSelection = function (this: unknown, fields, options) {
    for (const { field } of options?.isSingleTable ? fields : []) {
      const expression = is(field, SQL.Aliased) ? field.sql : field;
      if (is(expression, SQL) && isCorrelated(expression))
        throw new Error("A subquery in the selection of a single table has columns without their tables");
    }
    return build.call(this, fields, options);
  };
}

function isCorrelated({ queryChunks }: SQL): boolean {
  const columns = queryChunks.filter((chunk) => is(chunk, Column));
  const tables = [...columns.map(({ table }) => table), ...queryChunks.filter((chunk) => is(chunk, Table))];
  return (
    columns.length > 0 &&
    new Set(tables.map(getTableName)).size > 1 &&
    queryChunks.some((chunk) => is(chunk, StringChunk) && /\bselect\b/i.test(chunk.value.join("")))
  );
}
