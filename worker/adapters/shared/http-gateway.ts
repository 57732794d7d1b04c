import { readBeginning } from "../../lib/streams";
import { DeliveryError } from "../../ports/mailer";

const TIMEOUT_MS = 15_000;
const REPLY_BYTES = 500;
/** A message that may have been accepted is tried once more, when the gateway probably works again. */
const UNCLEAR_SECONDS = 15 * 60;
/** A gateway's proxy does not know what has become of the request. */
const NO_ANSWER = new Set([502, 504]);
/** Failures before the request was sent. workerd says only that the connection was lost, so that counts as one of them. */
const NOT_SENT =
  /^(?:|ConnectionRefused|FailedToOpenSocket|ECONNREFUSED|ENOTFOUND|EAI_\w+|DNS\w*|CERT_\w+|UNABLE_TO\w+|DEPTH_ZERO\w+|SELF_SIGNED\w+|ERR_TLS\w+)$/;
/** The message itself is rejected; other failures may pass later or with other settings. */
const PERMANENT = new Set([400, 413, 422]);

/**
 * Posts a message to a gateway's HTTP API. One that detects a repetition is `idempotent`.
 * @throws DeliveryError if it is unreachable, does not reply in 15 seconds or rejects the message
 */
export async function postToGateway(
  gateway: string,
  url: string,
  { idempotent = false, ...init }: { headers: Record<string, string>; body: string; idempotent?: boolean },
): Promise<void> {
  const unclear = idempotent ? {} : { unclear: true, retryAfterSeconds: UNCLEAR_SECONDS };
  const response = await fetch(url, {
    method: "POST",
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...init,
  }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    throw new DeliveryError(`${gateway} could not be reached: ${reason}`, {
      permanent: false,
      outage: !(error instanceof Error && error.name === "TimeoutError"),
      ...(!NOT_SENT.test(code) && unclear),
    });
  });
  if (response.ok) return void (await response.body?.cancel());
  const reply = await readBeginning(response, REPLY_BYTES).catch(() => "");
  throw new DeliveryError(`${gateway} answered ${response.status}: ${reply}`, {
    permanent: PERMANENT.has(response.status),
    outage: response.status >= 500,
    answered: response.status < 500,
    ...(NO_ANSWER.has(response.status) && unclear),
    ...retryAfter(response.headers.get("Retry-After")),
  });
}

/** Seconds, or the date in the header. */
function retryAfter(header: string | null): { retryAfterSeconds?: number } {
  if (!header) return {};
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) && seconds > 0 ? { retryAfterSeconds: Math.ceil(seconds) } : {};
}
