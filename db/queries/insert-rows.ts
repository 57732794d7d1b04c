import { getTableColumns } from "drizzle-orm";
import type { SQLiteInsertValue, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database, Statement } from "../client";

/** The maximum number of parameters in a D1 statement. */
const VALUES_PER_STATEMENT = 100;

/** The statements that insert any number of rows, each within D1's limit of parameters. */
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
