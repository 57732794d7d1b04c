import type { InferResponseType } from "hono/client";
import type { Language } from "../../../../worker/contract/options";
import type { api } from "../../../lib/api";
import { isRecord } from "../../../lib/is-record";
import type { Texts } from "../translation/translate";

/** The request behind the link. */
export type RecipientRequest = InferResponseType<(typeof api.submissions)[":token"]["$get"], 200>;
export type RequestedDocument = RecipientRequest["documents"][number];

/** Whether the document was received and takes no more files. */
export const isReceived = ({ state }: Pick<RequestedDocument, "state">): boolean =>
  state === "received" || state === "accepted";

/** A server's answer; status 0 if there was none. */
export type Answer = { status: number; body: unknown; retryAfter: number | null };

export const NO_ANSWER: Answer = { status: 0, body: null, retryAfter: null };

/** The answer's error code, if the app itself answered. */
export function codeOf({ body }: Answer): string | null {
  return isRecord(body) && typeof body.code === "string" ? body.code : null;
}

const RETRY_MS = 1000;
const MAX_RETRY_MS = 15_000;

export function submissionUrl(token: string): string {
  return `/api/submissions/${encodeURIComponent(token)}`;
}

/** The token in the page's path, decoded. */
export function tokenFromPath(pathname: string): string {
  const [, , token = ""] = pathname.split("/");
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}

/** Loads the request behind the link. Never rejects. */
export const fetchRequest = (token: string): Promise<Answer> => callServer(submissionUrl(token));

/** Calls the server. Never rejects. */
export async function callServer(url: string, init?: RequestInit): Promise<Answer> {
  try {
    return await toAnswer(await fetch(url, init));
  } catch {
    return NO_ANSWER;
  }
}

export async function toAnswer(response: Response): Promise<Answer> {
  return {
    status: response.status,
    body: parseJson(await response.text()),
    retryAfter: parseSeconds(response.headers.get("Retry-After")),
  };
}

export function parseSeconds(header: string | null | undefined): number | null {
  const seconds = Number.parseInt(header ?? "", 10);
  return Number.isNaN(seconds) ? null : seconds;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Loads the page's texts in one language. Retries until it succeeds, since there is no page without them. */
export async function fetchTexts(language: Language, onFailure?: () => void): Promise<Texts> {
  for (let delay = RETRY_MS; ; delay = Math.min(delay * 2, MAX_RETRY_MS)) {
    try {
      const response = await fetch(`/locales/${language}/submit.json`);
      if (response.ok) return await response.json();
    } catch {
      // Retried below.
    }
    onFailure?.();
    await new Promise((resolve) => setTimeout(resolve, delay));
  }
}
