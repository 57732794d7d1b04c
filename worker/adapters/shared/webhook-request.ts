import { type WebhookAnswer, WebhookError } from "../../ports/webhook-sender";

const TIMEOUT_MS = 10_000;
const READ_BYTES = 64 * 1024;
const MAX_CHARACTERS = 1024;

/**
 * Posts a message and reads the beginning of the response, all within ten seconds.
 * @param open starts the request with this signal, without following redirects
 * @throws WebhookError
 */
export async function postMessage(open: (signal: AbortSignal) => Promise<Response>): Promise<WebhookAnswer> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await open(signal);
    return { statusCode: response.status, response: await readBeginning(response, signal) };
  } catch (error) {
    if (error instanceof WebhookError) throw error;
    throw new WebhookError(signal.aborted ? "timeout" : "unreachable", { cause: error });
  }
}

/** Only the status matters: a body that breaks off or never ends is truncated. */
async function readBeginning({ body }: Response, signal: AbortSignal): Promise<string> {
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
      if (text.length < MAX_CHARACTERS) text += decoder.decode(value, { stream: true });
    }
  } catch {
    // Whatever was received so far.
  }
  reader.cancel().catch(() => {});
  return text.slice(0, MAX_CHARACTERS).replaceAll("\0", "").toWellFormed();
}
