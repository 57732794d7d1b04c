import { DeliveryError } from "../../ports/mailer";

const TIMEOUT_MS = 15_000;
/** The message itself is refused; anything else may pass later or once the settings are right. */
const PERMANENT = new Set([400, 413, 422]);

/**
 * Posts a message to a gateway's HTTP interface.
 * @throws DeliveryError where it is not reached, does not answer in 15 seconds or refuses
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
    throw new DeliveryError(`${gateway} was not reached: ${reason}`, {
      permanent: false,
      // One that is slow to answer may have taken it: that is no reason to try another at once.
      outage: !(error instanceof Error && error.name === "TimeoutError"),
    });
  });
  if (response.ok) return void (await response.body?.cancel());
  const answer = (await response.text().catch(() => "")).slice(0, 500);
  throw new DeliveryError(`${gateway} answered ${response.status}: ${answer}`, {
    permanent: PERMANENT.has(response.status),
    outage: response.status >= 500,
    ...retryAfter(response.headers.get("Retry-After")),
  });
}

/** Seconds, or the moment the header names. */
function retryAfter(header: string | null): { retryAfterSeconds?: number } {
  if (!header) return {};
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) && seconds > 0 ? { retryAfterSeconds: Math.ceil(seconds) } : {};
}
