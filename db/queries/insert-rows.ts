import { getTableColumns } from "drizzle-orm";
import type { SQLiteInsertValue, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database, Statement } from "../client";

/** D1 binds at most this many values in a statement. */
const VALUES_PER_STATEMENT = 100;

/** The statements that insert any number of rows, each within what D1 binds. */
export function insertRows<Table extends SQLiteTable>(
  db: Database,
  table: Table,
  rows: SQLiteInsertValue<Table>[],
): Statement[] {
  const rowsPerStatement = Math.floor(VALUES_PER_STATEMENT / Object.keys(getTableColumns(table)).length);
  const statements: Statement[] = [];
  for (let start = 0; start < rows.length; start += rowsPerStatement)
    statements.push(db.insert(table).values(rows.slice(start, start + rowsPerStatement)));
  return statements;
}
