import { DeliveryError } from "../../ports/mailer";

const TIMEOUT_MS = 15_000;
/** The message itself is rejected; other failures may pass later or with other settings. */
const PERMANENT = new Set([400, 413, 422]);

/**
 * Posts a message to a gateway's HTTP API.
 * @throws DeliveryError if it is unreachable, does not reply in 15 seconds or rejects the message
 */
export async function postToGateway(
  gateway: string,
  url: string,
  init: { headers: Record<string, string>; body: string },
): Promise<void> {
  const response = await fetch(url, {
    method: "POST",
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...init,
  }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DeliveryError(`${gateway} could not be reached: ${reason}`, {
      permanent: false,
      // After a timeout the gateway may have accepted the message, so it does not count as an outage and is not
      // retried at once.
      outage: !(error instanceof Error && error.name === "TimeoutError"),
    });
  });
  if (response.ok) return void (await response.body?.cancel());
  const reply = (await response.text().catch(() => "")).slice(0, 500);
  throw new DeliveryError(`${gateway} answered ${response.status}: ${reply}`, {
    permanent: PERMANENT.has(response.status),
    outage: response.status >= 500,
    ...retryAfter(response.headers.get("Retry-After")),
  });
}

/** Seconds, or the date in the header. */
function retryAfter(header: string | null): { retryAfterSeconds?: number } {
  if (!header) return {};
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) && seconds > 0 ? { retryAfterSeconds: Math.ceil(seconds) } : {};
}
