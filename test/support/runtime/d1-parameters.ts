import type { Database } from "../../../db/client";
import type { SqlClient, SqlStatement } from "../../../db/sql-client";

/** What D1 takes in one statement. */
const MAX_PARAMETERS = 100;

/** Refuses what D1 refuses, so that a test at a limit fails in each runtime. */
export function limitParameters(db: Database): void {
  const { $client: client } = db as unknown as { $client: SqlClient };
  const { execute, batch } = client;
  const checked = (statement: SqlStatement) => {
    if (statement.args.length > MAX_PARAMETERS)
      throw new Error(
        `${statement.args.length} parameters, which D1 refuses: ${statement.sql.slice(0, 200)}`,
      );
    return statement;
  };
  client.execute = async (statement) => execute(checked(statement));
  client.batch = async (statements) => batch(statements.map(checked));
}
