import { SchemaError } from "../../../db/version";
import { ConfigError } from "../../config";
import { apiHeaders } from "../../lib/security-headers";

/**
 * The response of a Worker whose variables or database cannot be used. Only the log has the reason, because it may
 * contain the value of a variable.
 */
export function misconfigured(error: unknown): Response {
  if (!(error instanceof ConfigError || error instanceof SchemaError)) throw error;
  globalThis.console.error(error.message);
  const body = {
    message: "The server is not set up correctly; its log says what is wrong",
    code: "internal",
  };
  return Response.json(body, { status: 500, headers: apiHeaders({ https: true }) });
}
