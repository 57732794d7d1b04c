import { StoreUnavailableError } from "../../../ports/file-store";
import { errorCode } from "./disk-errors";

/** Reads the XML of S3's responses, and writes what S3 expects. */

const KEY_REJECTED =
  /^(?:AccessDenied|InvalidAccessKeyId|SignatureDoesNotMatch|AuthorizationHeaderMalformed)$/;
const MISSING = /^NoSuch(?:Key|Upload|Version)$/;
const UNREACHABLE =
  /^(?:E[A-Z]+|Connection\w+|DNS\w+|TLS\w+|Timeout|FailedToOpenSocket|UNABLE_TO\w+|CERT_\w+)$/;

/** The content of each element with this name. */
export const entries = (xml: string, name: string) =>
  [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, "gs"))].map(([, entry = ""]) => entry);

export const tag = (xml: string, name: string) => entries(xml, name)[0];

/** @throws StoreUnavailableError if it is missing */
export function requireTag(xml: string, name: string): string {
  const value = tag(xml, name);
  if (value === undefined) throw new StoreUnavailableError(`The file store's response has no ${name}`);
  return value;
}

type Bucket = { endpoint: string; bucket: string };

/** A failure of the connection or of Bun's S3 client. */
export function failureOf(error: unknown, bucket: Bucket): StoreUnavailableError {
  const code = error instanceof Error && error.name === "TimeoutError" ? "Timeout" : errorCode(error);
  return sentenceFor(code, bucket) ?? new StoreUnavailableError("The file store failed", { cause: error });
}

/**
 * The failure that a response reports, and whether it is only that the object or upload is missing. Another server's 404,
 * such as that of a proxy, does not count; only the response to HEAD has no body that would tell.
 */
export async function failureIn(response: Response, method: string, bucket: Bucket) {
  const text = await response.text();
  const code = codeOf(text);
  const known = sentenceFor(code, bucket);
  const failure = known ?? new StoreUnavailableError(`The file store answered ${response.status}: ${code}`);
  return { failure, isMissing: response.status === 404 && (method === "HEAD" || MISSING.test(code)) };
}

/** What the operator can do, for a code of S3 or of the connection that is a matter of settings. */
function sentenceFor(code: string, { endpoint, bucket }: Bucket): StoreUnavailableError | undefined {
  const server = `The S3 server ${new URL(endpoint).host}`;
  if (code === "NoSuchBucket")
    return new StoreUnavailableError(`${server} has no bucket “${bucket}”: create it, or correct S3_BUCKET`);
  if (KEY_REJECTED.test(code))
    return new StoreUnavailableError(
      `${server} rejects the key (${code}): check S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and S3_REGION, and what the key may do in the bucket “${bucket}”`,
    );
  if (UNREACHABLE.test(code))
    return new StoreUnavailableError(
      `${server} cannot be reached (${code}): check S3_ENDPOINT and the network`,
    );
}

/** The code of an error. */
export const codeOf = (xml: string) => tag(xml, "Code") ?? "no code";
export const escapeXml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
