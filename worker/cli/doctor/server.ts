import type { Variables } from "../../config";
import { checkReadiness } from "../ready";
import { type Finding, findingsOf } from "./finding";

/** Checks whether a server runs at HOST and PORT. */
export async function checkServer(variables: Variables): Promise<Finding[]> {
  const { ok, warning, failure } = findingsOf("Server");
  if (variables.PORT === 0) return [];
  const { url, state, status } = await checkReadiness(variables);
  if (state === "silent") return [ok(`no server runs at ${url}`)];
  if (state === "ready") return [ok(`runs at ${url}, and is ready`)];
  if (state === "unready")
    return [
      failure(
        `runs at ${url}, and is not ready (${status ?? "no answer"})`,
        "see its log, and the failures above",
      ),
    ];
  return [warning(`another program answers at ${url} (${status})`, "stop it, or choose another PORT")];
}
