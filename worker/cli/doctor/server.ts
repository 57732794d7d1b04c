import { readRevision } from "../../adapters/bun/revision";
import { appConfig, type Variables } from "../../config";
import { CHUNK_TYPE, TUS_VERSION } from "../../lib/tus";
import { nameVersion, VERSION } from "../../lib/version";
import { type Finding, findingsOf, reasonOf } from "./finding";

const { ok, warning, failure } = findingsOf("Server");

const PUBLIC_MS = 10_000;
const UPLOAD_MS = 60_000;

/** Checks whether a server runs at HOST and PORT, and whether PUBLIC_URL leads to one. */
export async function checkServer(variables: Variables): Promise<Finding[]> {
  const found = variables.PORT === 0 ? [] : await checkLocally(variables);
  if (!variables.PUBLIC_URL) return found;
  const { publicUrl } = appConfig(variables);
  const reached = await checkPublicUrl(publicUrl);
  const isReached = reached.every(({ level }) => level === "ok");
  return [...found, ...reached, ...(isReached ? await checkUploads(publicUrl) : [])];
}

async function checkLocally(variables: Variables): Promise<Finding[]> {
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
async function checkPublicUrl(origin: string): Promise<Finding[]> {
  const url = `${origin}/api/health`;
  try {
    const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(PUBLIC_MS) });
    const body: unknown = await response.json().catch(() => null);
    const running: { version?: unknown; commit?: unknown } = typeof body === "object" && body ? body : {};
    const { version, commit } = running;
    const revision = readRevision();
    const location = response.headers.get("location");
    const isSame = version === VERSION && (!commit || !revision || commit === revision.commit);
    if (response.ok && isSame) return ok(`PUBLIC_URL, ${origin}, leads to a server of this version`);
    if (response.ok && version !== undefined)
      return warning(
        `PUBLIC_URL, ${origin}, leads to a server of version ${String(version)}${commit ? ` (${String(commit)})` : ""}, but this is ${nameVersion(revision)}`,
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

/** What the recipient's page sends at once. */
const CHUNK_BYTES = 8 * 1024 * 1024;

/** Whether the calls of an upload get through: proxies have limits of their own, and forbid methods. */
async function checkUploads(origin: string): Promise<Finding[]> {
  const found: Finding[] = [];
  const forbidden: string[] = [];
  for (const method of ["PATCH", "HEAD", "DELETE"]) {
    const status = await statusOfProxy(origin, method);
    if (status === 413 || status === 0)
      found.push(
        ...warning(
          `a proxy before ${origin} rejects bodies of 8 MB (${status || "the connection ends"}), so uploads are slower or fail`,
          "raise its limit, for nginx with `client_max_body_size 0;` (the default is 1 MB)",
        ),
      );
    else if (status) forbidden.push(`${method} (${status})`);
  }
  if (forbidden.length > 0)
    found.push(
      ...warning(
        `a proxy before ${origin} rejects ${forbidden.join(", ")}: the recipient's page sends POST instead, other clients fail`,
        "let it pass all methods to the server",
      ),
    );
  return found.length > 0 ? found : ok("uploads in chunks of 8 MB get through to it");
}

/** The status of a response that is not the server's, which has no such upload; 0 if there is none, null if it is. */
async function statusOfProxy(origin: string, method: string): Promise<number | null> {
  try {
    const response = await fetch(`${origin}/api/submissions/doctor/uploads/doctor`, {
      method,
      headers: { "Tus-Resumable": TUS_VERSION, "Upload-Offset": "0", "Content-Type": CHUNK_TYPE },
      ...(method === "PATCH" && { body: new Uint8Array(CHUNK_BYTES) }),
      redirect: "manual",
      signal: AbortSignal.timeout(UPLOAD_MS),
    });
    await response.body?.cancel();
    return response.status < 400 || response.headers.has("Tus-Resumable") ? null : response.status;
  } catch {
    return 0;
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
