import { type WebhookAnswer, WebhookError } from "../../ports/webhook-sender";

const TIMEOUT_MS = 10_000;
const READ_BYTES = 64 * 1024;
const KEPT_CHARACTERS = 1024;

/**
 * Posts a message and reads the beginning of the answer, all of it within ten seconds.
 * @param open begins the request with this signal, without following a redirect
 * @throws WebhookError
 */
export async function postMessage(open: (signal: AbortSignal) => Promise<Response>): Promise<WebhookAnswer> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await open(signal);
    return { statusCode: response.status, response: await beginningOf(response, signal) };
  } catch (error) {
    if (error instanceof WebhookError) throw error;
    throw new WebhookError(signal.aborted ? "timeout" : "unreachable", { cause: error });
  }
}

/** The status tells enough: an answer that breaks off, or never ends, is as long as it got. */
async function beginningOf({ body }: Response, signal: AbortSignal): Promise<string> {
  if (!body) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });
  aborted.catch(() => {});
  let text = "";
  let bytes = 0;
  try {
    while (bytes < READ_BYTES) {
      const { done, value } = await Promise.race([reader.read(), aborted]);
      if (done) break;
      bytes += value.byteLength;
      if (text.length < KEPT_CHARACTERS) text += decoder.decode(value, { stream: true });
    }
  } catch {
    // As far as it came.
  }
  reader.cancel().catch(() => {});
  return text.slice(0, KEPT_CHARACTERS).replaceAll("\0", "").toWellFormed();
}
