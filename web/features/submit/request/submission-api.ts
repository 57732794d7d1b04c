import type { InferResponseType } from "hono/client";
import { isRecord } from "../../../../worker/contract/is-record";
import type { Language } from "../../../../worker/contract/options";
import type { api } from "../../../lib/api";
import { codeIn, isSentence } from "../../../lib/response-code";
import { LOADING_RETRIES, retry } from "../../../lib/retry";
import type { FirstTexts, StepTexts } from "../translation/use-texts";

/** The request behind the link. */
export type RecipientRequest = InferResponseType<(typeof api.submissions)[":token"]["$get"], 200>;
export type RequestedDocument = RecipientRequest["documents"][number];

/** Whether the document was received and takes no more files. */
export const isReceived = ({ state }: Pick<RequestedDocument, "state">): boolean =>
  state === "received" || state === "accepted";

/** The server's response; status 0 if there was none, or only one of a proxy, a router or a portal. */
export type ApiResponse = { status: number; body: unknown; retryAfter: number | null };

/**
 * The response's error code, if the app itself responded. The specification knows a link that is no longer open, and the
 * server's own failures, by their text alone: what stands before the app responds with a page of its own.
 */
export function codeOf({ status, body }: ApiResponse): string | null {
  const code = codeIn(body);
  if (code || (status !== 410 && status !== 500)) return code ?? null;
  const message = isRecord(body) ? body.message : body;
  if (!isSentence(message)) return null;
  if (status === 500) return "internal";
  return message.includes("expired") ? "completed" : null;
}

/** Whether the server says that the link never works again. */
export const isDeadLink = (response: ApiResponse): boolean =>
  /^(?:submission_not_found|link_replaced)$/.test(codeOf(response) ?? "");

/** The response, which says nothing about the link or the file unless it is the server's. */
export const onlyServers = (response: ApiResponse, isServers: boolean): ApiResponse =>
  isServers ? response : { ...response, status: 0, body: null };

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

/** Loads the request behind the link. Never rejects. Browsers would store a proxy's 301 or 410 for ever. */
export const fetchRequest = (token: string): Promise<ApiResponse> =>
  callServer(submissionUrl(token), { cache: "no-store" }, "This submission has expired");

/** Calls the server. Never rejects. An empty response says what is `unsaid`. */
export async function callServer(url: string, init?: RequestInit, unsaid = ""): Promise<ApiResponse> {
  try {
    const response = await fetch(url, init);
    const { status, ok, headers } = response;
    const body = parseBody((await response.text()) || unsaid);
    const read = { status, body, retryAfter: parseSeconds(headers.get("Retry-After")) };
    return onlyServers(read, ok ? status === 204 || isRecord(body) : codeOf(read) !== null);
  } catch {
    return { status: 0, body: null, retryAfter: null };
  }
}

export function parseSeconds(header: string | null): number | null {
  const seconds = Number.parseInt(header ?? "", 10);
  return Number.isNaN(seconds) ? null : seconds;
}

/** What the JSON says, or the text if it is none. */
export function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Loads the first step's texts in one language. */
export const fetchTexts = (language: Language, onFailure?: () => void): Promise<FirstTexts> =>
  fetchNamespace(language, "submit", onFailure);

/** Loads the later steps' texts. */
export const fetchStepTexts = (language: Language): Promise<StepTexts> =>
  fetchNamespace(language, "submit-steps");

/** Retries until it succeeds, since there is no page without its texts. */
function fetchNamespace<Namespace>(
  language: Language,
  name: string,
  onFailure?: () => void,
): Promise<Namespace> {
  return retry(
    async () => {
      const response = await fetch(`/locales/${language}/${name}.json`);
      if (!response.ok) throw new Error(`Status ${response.status}`);
      return await response.json();
    },
    {
      policy: LOADING_RETRIES,
      onFailure: () => {
        onFailure?.();
      },
    },
  );
}
