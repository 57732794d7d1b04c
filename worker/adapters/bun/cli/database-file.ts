import { fileURLToPath } from "node:url";
import type { Variables } from "../../../config";
import { databaseUrl } from "../resources";
import { StartError } from "../start-error";

/**
 * The path of the database, where it is a file of this machine.
 * @throws StartError where it is a server's
 */
export function requireDatabaseFile(variables: Variables): string {
  const url = databaseUrl(variables).split("?", 1)[0] ?? "";
  if (!url.startsWith("file:"))
    throw new StartError(
      `The database is at ${url}, and not in a file: back it up with its own tools, or stop the app and use \`bun run export\` and \`bun run import\``,
    );
  // `file:data.db`, which libSQL takes, is no URL with a path.
  return url.startsWith("file:/") ? fileURLToPath(url) : url.slice("file:".length);
}
