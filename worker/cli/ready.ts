import type { Variables } from "../config";

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
