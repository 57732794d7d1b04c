import { SchemaError } from "../../../db/version";
import { ConfigError } from "../../config";
import { apiHeaders } from "../../lib/security-headers";

/**
 * The answer of a Worker whose variables or database cannot be used. The reason stands in the log alone: of a
 * variable it holds what was given.
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
