import { stat } from "node:fs/promises";
import { openLibsql, pathOfFile } from "../../../db/libsql";
import { requireCurrent } from "../../../db/version";
import { databaseUrl } from "../../adapters/bun/resources";
import { StartError } from "../../adapters/bun/start-error";
import { createJsonLogger } from "../../adapters/shared/loggers";
import { appConfig, type Variables } from "../../config";
import type { Administration } from "../../features/administration/accounts.service";
import { systemClock } from "../../ports/clock";

export type Operator = Administration & { variables: Variables };

/** What an operator's command uses beside the database. */
export const operatorOf = (variables: Variables): Omit<Administration, "db"> => ({
  config: appConfig(variables),
  clock: systemClock,
  log: createJsonLogger(systemClock, () => {}),
});

/**
 * Runs a command on the configured database, whether or not its server is running. Only the server sends mail and
 * removes files, because only it knows their configuration.
 * @throws StartError, SchemaError
 */
export async function asOperator<T>(
  variables: Variables,
  work: (operator: Operator) => Promise<T>,
): Promise<T> {
  const url = databaseUrl(variables);
  const path = pathOfFile(url);
  if (path !== null && !(await stat(path).catch(() => null)))
    throw new StartError(`There is no database at ${path}; is DATA_DIR the app's folder?`);
  const { db, close } = await openLibsql({ url, authToken: variables.DATABASE_AUTH_TOKEN });
  try {
    await requireCurrent(db);
    return await work({ ...operatorOf(variables), db, variables });
  } finally {
    close();
  }
}
