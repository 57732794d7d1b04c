import type { Database } from "../../../db/client";
import type { SqlClient, SqlResult, SqlStatement } from "../../../db/sql-client";

/** What D1 takes in one statement. */
const MAX_PARAMETERS = 100;
/** In bytes. */
const MAX_STATEMENT = 100_000;
/** In bytes, of a value and of all values of a row. Miniflare's D1 takes more. */
const MAX_ROW = 2_000_000;

/** Refuses what D1 refuses, so that a test at a limit fails in each runtime. */
export function limitStatements(db: Database): void {
  const { $client: client } = db as unknown as { $client: SqlClient };
  const { execute, batch } = client;
  client.execute = async (statement) => checkRows(statement, await execute(checkStatement(statement)));
  client.batch = async (statements) => {
    const results = await batch(statements.map(checkStatement));
    return results.map((result, index) => checkRows(statements[index], result));
  };
}

function checkStatement(statement: SqlStatement): SqlStatement {
  const { sql, args } = statement;
  if (args.length > MAX_PARAMETERS) throw refused(`${args.length} parameters`, statement);
  const length = bytesOf(sql);
  if (length > MAX_STATEMENT) throw refused(`a statement of ${length} bytes`, statement);
  for (const bytes of args.map(bytesOf))
    if (bytes > MAX_ROW) throw refused(`a parameter of ${bytes} bytes`, statement);
  return statement;
}

function checkRows(statement: SqlStatement | undefined, result: SqlResult): SqlResult {
  for (const row of result.rows) {
    const bytes = result.columns.reduce((sum, _, index) => sum + bytesOf(row[index]), 0);
    if (bytes > MAX_ROW) throw refused(`a row of ${bytes} bytes`, statement);
  }
  return result;
}

function bytesOf(value: unknown): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  return value instanceof ArrayBuffer || ArrayBuffer.isView(value) ? value.byteLength : 0;
}

const refused = (what: string, statement: SqlStatement | undefined) =>
  new Error(`${what}, which D1 refuses: ${statement?.sql.slice(0, 200)}`);
