import { AddressError } from "../../ports/public-fetch";
import { WebhookError, type WebhookResponse } from "../../ports/webhook-sender";

const TIMEOUT_MS = 10_000;
const READ_BYTES = 64 * 1024;
const MAX_CHARACTERS = 1024;

/**
 * Posts a message and reads the beginning of the response, all within ten seconds.
 * @param open starts the request with this signal, without following redirects
 * @throws WebhookError
 */
export async function postMessage(
  open: (signal: AbortSignal) => Promise<Response>,
  timeoutMs = TIMEOUT_MS,
): Promise<WebhookResponse> {
  const signal = AbortSignal.timeout(timeoutMs);
  const late = Promise.withResolvers<never>();
  late.promise.catch(() => {});
  signal.addEventListener("abort", () => late.reject(signal.reason));
  try {
    const response = await open(signal);
    return { statusCode: response.status, response: await readBeginning(response, late.promise) };
  } catch (error) {
    const failure = signal.aborted ? "timeout" : "unreachable";
    throw new WebhookError(error instanceof AddressError ? "address" : failure, { cause: error });
  }
}

/** Only the status matters: a body that breaks off or never ends is truncated. */
async function readBeginning({ body }: Response, late: Promise<never>): Promise<string> {
  if (!body) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  try {
    while (bytes < READ_BYTES) {
      const { done, value } = await Promise.race([reader.read(), late]);
      if (done) break;
      bytes += value.byteLength;
      if (text.length < MAX_CHARACTERS) text += decoder.decode(value, { stream: true });
    }
  } catch {
    // Whatever was received so far.
  }
  reader.cancel().catch(() => {});
  return text.slice(0, MAX_CHARACTERS).replaceAll("\0", "").toWellFormed();
}
