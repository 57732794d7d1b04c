import { resolve } from "node:path";
import { pathOfFile } from "../../db/libsql";
import { databaseUrl } from "../adapters/bun/resources";
import { StartError } from "../adapters/bun/start-error";
import type { Variables } from "../config";

/**
 * The path of the database file.
 * @throws StartError if the database is on a server
 */
export function requireDatabaseFile(variables: Variables): string {
  const url = databaseUrl(variables);
  const path = pathOfFile(url);
  if (path !== null) return resolve(path);
  throw new StartError(
    `The database is at ${url.split("?", 1)[0]}, which is not a local file: stop the app, and let \`import\` read the backup into it`,
  );
}
