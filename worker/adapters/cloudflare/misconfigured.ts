import { ConfigError } from "../../config";
import { apiHeaders } from "../../lib/security-headers";

/**
 * The answer of a Worker whose variables cannot be used. Which one it is stands in the log alone: the
 * message holds what was given.
 */
export function misconfigured(error: unknown): Response {
  if (!(error instanceof ConfigError)) throw error;
  globalThis.console.error(error.message);
  const body = {
    message: "The server is not set up correctly; its log says what is wrong",
    code: "internal",
  };
  return Response.json(body, { status: 500, headers: apiHeaders({ https: true }) });
}
