import type { InferResponseType } from "hono/client";
import { isRecord } from "../../../../worker/contract/is-record";
import type { Language } from "../../../../worker/contract/options";
import type { api } from "../../../lib/api";
import { LOADING_RETRIES, retry } from "../../../lib/retry";
import type { FirstTexts, StepTexts } from "../translation/use-texts";

/** The request behind the link. */
export type RecipientRequest = InferResponseType<(typeof api.submissions)[":token"]["$get"], 200>;
export type RequestedDocument = RecipientRequest["documents"][number];

/** Whether the document was received and takes no more files. */
export const isReceived = ({ state }: Pick<RequestedDocument, "state">): boolean =>
  state === "received" || state === "accepted";

/** A server's response; status 0 if there was none. */
export type ApiResponse = { status: number; body: unknown; retryAfter: number | null };

/** The response's error code, if the app itself responded. */
export function codeOf({ body }: ApiResponse): string | null {
  return isRecord(body) && typeof body.code === "string" ? body.code : null;
}

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
export const fetchRequest = (token: string): Promise<ApiResponse> => callServer(submissionUrl(token));

/** Calls the server. Never rejects. */
export async function callServer(url: string, init?: RequestInit): Promise<ApiResponse> {
  try {
    const response = await fetch(url, init);
    return {
      status: response.status,
      body: parseJson(await response.text()),
      retryAfter: parseSeconds(response.headers.get("Retry-After")),
    };
  } catch {
    return { status: 0, body: null, retryAfter: null };
  }
}

export function parseSeconds(header: string | null): number | null {
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
