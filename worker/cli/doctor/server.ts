import { appConfig, type Variables } from "../../config";
import { VERSION } from "../../lib/version";
import { type Finding, findingsOf, reasonOf } from "./finding";

const { ok, warning, failure } = findingsOf("Server");

const PUBLIC_MS = 10_000;

/** Checks whether a server runs at HOST and PORT, and whether PUBLIC_URL leads to one. */
export async function checkServer(variables: Variables): Promise<Finding[]> {
  const found = variables.PORT === 0 ? [] : [await checkLocally(variables)];
  return variables.PUBLIC_URL ? [...found, await checkPublicUrl(appConfig(variables).publicUrl)] : found;
}

async function checkLocally(variables: Variables): Promise<Finding> {
  const { url, state, status } = await checkReadiness(variables);
  if (state === "silent") return ok(`no server runs at ${url}`);
  if (state === "ready") return ok(`runs at ${url}, and is ready`);
  if (state === "unready")
    return failure(
      `runs at ${url}, and is not ready (${status ?? "no answer"})`,
      "see its log, and the failures above",
    );
  return warning(`another program answers at ${url} (${status})`, "stop it, or choose another PORT");
}

/** As people reach it: through name resolution, the proxy and its certificate. */
async function checkPublicUrl(origin: string): Promise<Finding> {
  const url = `${origin}/api/health`;
  try {
    const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(PUBLIC_MS) });
    const body: unknown = await response.json().catch(() => null);
    const version = typeof body === "object" && body && "version" in body ? body.version : undefined;
    const location = response.headers.get("location");
    if (response.ok && version === VERSION)
      return ok(`PUBLIC_URL, ${origin}, leads to a server of this version`);
    if (response.ok && version !== undefined)
      return warning(
        `PUBLIC_URL, ${origin}, leads to a server of version ${String(version)}, but this is ${VERSION}`,
        "restart the server, or correct PUBLIC_URL or the proxy",
      );
    if (location)
      return warning(
        `PUBLIC_URL, ${origin}, redirects to ${new URL(location, url).origin}`,
        "set PUBLIC_URL to the address that does not redirect",
      );
    return warning(
      `PUBLIC_URL, ${origin}, answers ${response.status} and does not lead to the server`,
      "start the server, and let the proxy pass all requests of that name to it",
    );
  } catch (error) {
    return warning(
      `PUBLIC_URL, ${origin}, cannot be reached from this machine: ${reasonOf(error)}`,
      "check its DNS record, the firewall, the proxy and its certificate; some networks cannot reach their own public address",
    );
  }
}

const TIMEOUT_MS = 10_000;
/** The address at which to reach a server that listens on all interfaces. */
const LOOPBACK_FOR: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

type Readiness = { url: string; state: "ready" | "unready" | "silent" | "other"; status?: number };

/** Asks the server at HOST and PORT on this machine whether it is ready. */
export async function checkReadiness({ HOST, PORT }: Variables): Promise<Readiness> {
  const host = LOOPBACK_FOR[HOST] ?? HOST;
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${PORT}`;
  try {
    const response = await fetch(`${url}/api/ready`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const body: unknown = await response.json().catch(() => null);
    const isOurs = typeof body === "object" && body !== null && ("code" in body || "status" in body);
    const state = !isOurs ? "other" : response.ok ? "ready" : "unready";
    return { url, state, status: response.status };
  } catch (error) {
    const isSlow = error instanceof Error && error.name === "TimeoutError";
    return { url, state: isSlow ? "unready" : "silent" };
  }
}
