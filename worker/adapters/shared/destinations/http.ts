import { readBeginning } from "../../../lib/streams";
import type { DestinationProblem } from "../../../ports/destination";
import { AddressError, type PublicFetch } from "../../../ports/public-fetch";

/** For what has no file in it: a file may take longer, as long as its bytes flow. */
const CALL_MS = 30_000;
const READ_BYTES = 64 * 1024;
const SAID_CHARACTERS = 200;

export type Reply = { status: number; headers: Headers; text: string };

export class ProblemError extends Error {
  constructor(readonly problem: DestinationProblem) {
    super(problem.message);
  }
}

export const problem = (kind: DestinationProblem["kind"], message: string, more = {}) =>
  new ProblemError({ kind, message: said(message), ...more });

/** Runs the work. @returns what it returns, or the problem that it throws */
export async function orProblem<T>(work: () => Promise<T>): Promise<T | DestinationProblem> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProblemError) return error.problem;
    throw error;
  }
}

type Call = {
  method: string;
  headers: Record<string, string>;
  body?: BodyInit | undefined;
  signal: AbortSignal;
};

/** Sends a request and reads the beginning of the response. @throws ProblemError if there is no response */
export async function send(fetchPublic: PublicFetch, url: URL, call: Call): Promise<Reply> {
  const hasFile = call.body !== undefined && typeof call.body !== "string";
  const signal = hasFile ? call.signal : AbortSignal.any([call.signal, AbortSignal.timeout(CALL_MS)]);
  try {
    const response = await fetchPublic(url, { ...call, signal });
    return {
      status: response.status,
      headers: response.headers,
      text: (await readBeginning(response, READ_BYTES)) || response.statusText,
    };
  } catch (error) {
    if (error instanceof AddressError) throw problem("refused", error.message);
    throw problem(
      "again",
      signal.aborted ? "No answer in time" : error instanceof Error ? error.message : "",
    );
  }
}

/** What a response says, as text for a person. A tag ends at the next one, so that no text takes long to search. */
const said = (text: string) =>
  text
    .replace(/<[^<>]*>|[\p{Cc}\s]+/gu, " ")
    .replace(/ +/g, " ")
    .replace(" Is the computer able to access the url?", "")
    .trim()
    .slice(0, SAID_CHARACTERS)
    .toWellFormed() || "No answer";

/** The problem that a status means where nothing else is known of it. */
export function problemOf({ status, headers, text }: Reply): ProblemError {
  const message = `${status} ${text}`;
  if (status === 401) return problem("reconnect", message);
  if (status === 507) return problem("full", message);
  const later = status === 408 || status === 423 || status === 425 || status === 429 || status >= 500;
  return problem(later ? "again" : "refused", message, retryAfter(headers));
}

/** Seconds, or the date in the header. */
function retryAfter(headers: Headers): { retryAfterSeconds?: number } {
  const text = headers.get("retry-after") ?? "";
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) && seconds > 0 ? { retryAfterSeconds: Math.ceil(seconds) } : {};
}

/** A path of a URL whose parts contain any character. */
export const encodePath = (parts: readonly string[]): string =>
  parts
    .map((part) =>
      encodeURIComponent(part).replace(
        /[!'()*]/g,
        (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
      ),
    )
    .join("/");

/** A name for the file that `check` writes. */
export const testName = () => `.doculopes-test-${crypto.randomUUID().slice(0, 8)}`;
export const TEST_BYTES = new TextEncoder().encode("Doculopes\n");
