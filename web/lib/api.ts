import { type ClientResponse, hc } from "hono/client";
import type { AppType } from "../../worker/app";
import type { ChangedMeanwhile, Issue, OwnedWorkspaces } from "../../worker/contract/error-body";
import type { ErrorCode } from "../../worker/contract/errors";
import { isRecord } from "../../worker/contract/is-record";
import type { ConfirmationMethod } from "../../worker/contract/options";
import { fetchOrTakeEarly } from "./early-reads";
import { codeIn, isSentence } from "./response-code";

/**
 * A failed request; status 0 unless the server itself responded, since a proxy or a portal says nothing about an entry or
 * the account. The message is "status: body".
 */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  /** The stable code that translations are chosen by; absent if there is only a message. */
  readonly code: ErrorCode | "network" | undefined;
  readonly text: string;
  readonly hasMessage: boolean;
  readonly issues: readonly Issue[];
  readonly params: Readonly<Record<string, string | number>>;
  /** Of `changed_meanwhile`: who changed the entry since it was read, and when. */
  readonly changed: ChangedMeanwhile | undefined;
  /** Those that need another owner first. */
  readonly workspaces: OwnedWorkspaces;
  /** Of `second_factor_required`: the token of the second step. */
  readonly challenge: string | undefined;
  /** Of `second_factor_required` and `reauthentication_required`: how the user can confirm that it is them. */
  readonly methods: readonly ConfirmationMethod[];
  /** When the call may succeed; 0 if the server did not say. */
  readonly retryAfterSeconds: number;

  constructor(status: number, body: string, statusText = "", retryAfter: string | null = null) {
    super(`${status}: ${body || statusText}`);
    const parsed = parseFailure(body);
    const code = codeIn(parsed) as ErrorCode | undefined;
    this.status = code ? status : 0;
    this.hasMessage = typeof parsed.message === "string" && parsed.message !== "";
    // An empty 500 comes from the server as likely as from a proxy, so it is not called a lost connection.
    const isOwn = this.hasMessage || (status === 500 && (!body || isSentence(body)));
    this.code = code ?? (isOwn ? undefined : "network");
    this.text = typeof parsed.message === "string" ? parsed.message : body;
    this.retryAfterSeconds = Number(retryAfter) || 0;
    this.issues = Array.isArray(parsed.issues) ? parsed.issues : [];
    // A changed destination names nobody.
    this.changed = "changedBy" in parsed ? (parsed as ChangedMeanwhile) : undefined;
    this.workspaces = Array.isArray(parsed.workspaces) ? parsed.workspaces : [];
    this.challenge = typeof parsed.challenge === "string" ? parsed.challenge : undefined;
    this.methods = Array.isArray(parsed.methods) ? parsed.methods : [];
    this.params = isRecord(parsed.params) ? (parsed.params as Record<string, string>) : {};
  }
}

/** Whether the server has rejected the call for certain, which it repeats for the same `Idempotency-Key`. */
export const isRejection = (error: unknown) =>
  error instanceof ApiError &&
  error.status >= 400 &&
  error.status < 500 &&
  error.code !== "idempotency_running";

function parseFailure(body: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(body);
    return isRecord(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

/** Somebody else has changed the entry since it was read, which the form asks about: see `useChangedMeanwhile`. */
export const isChangedMeanwhile = (error: unknown) =>
  error instanceof ApiError && error.changed !== undefined;

/** What a call can need first: the user confirms that it is still them, or sets up a second factor. */
export type Precondition = Extract<ErrorCode, "reauthentication_required" | "second_factor_setup_required">;
type Ask = (error: ApiError) => Promise<boolean>;
const questions = new Map<ErrorCode | "network", Ask>();

/** Sets what asks the user for the precondition of a call, which is repeated once it is met. */
export function onPrecondition(code: Precondition, ask: Ask): () => void {
  questions.set(code, ask);
  return () => {
    questions.delete(code);
  };
}

const isMet = async (error: ApiError) => error.code && (await questions.get(error.code)?.(error));

/** The user did not confirm that it is still them, so that nothing was done. */
export const isUnconfirmed = (error: unknown) =>
  error instanceof ApiError && error.code === "reauthentication_required";

const sessionEndListeners = new Set<() => void>();

/** Calls the listener when a response says that the session has ended. */
export function onSessionEnd(listener: () => void): () => void {
  sessionEndListeners.add(listener);
  return () => sessionEndListeners.delete(listener);
}

/** Whether it is a page, such as that of a portal, which the API has none of. */
const isPage = ({ headers }: Response) => headers.get("Content-Type")?.startsWith("text/html");

/**
 * `fetch` with cookies. Repeats a call once the user has met its precondition. Throws an ApiError for every response that
 * is not ok.
 */
export async function checkedFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetchOrTakeEarly(input, { ...init, credentials: "include" }).catch(
    (cause: unknown) => {
      throw Object.assign(new ApiError(0, "", "Network error"), { cause });
    },
  );
  if (response.ok && !isPage(response)) return response;
  const { status, statusText, headers } = response;
  const body = await response.text().catch(() => "");
  const error = new ApiError(status, body, statusText, headers.get("Retry-After"));
  if (error.code === "unauthenticated") for (const listener of sessionEndListeners) listener();
  if (await isMet(error)) return checkedFetch(input, init);
  throw error;
}

const root = typeof location === "undefined" ? "http://localhost" : location.origin;

/** The typed client: `api.contacts.$get({ query })`. */
export const api = hc<AppType>(root, { fetch: checkedFetch }).api;

/** The parameter of a call for one entry: `api.contacts[":id"].$get(byId(id))`. */
export const byId = (id: number) => ({ param: { id: String(id) } });

type Success = 200 | 201 | 202;
type BodyOf<Result> =
  Result extends ClientResponse<infer Body, infer Status, "json">
    ? Status extends Success
      ? Body
      : never
    : never;

const parseBody = async (text: string): Promise<unknown> =>
  text.includes("xn--") ? (await import("./shown-address")).parseShown(text) : JSON.parse(text);

const parsed = (response: { text(): Promise<string> }): Promise<unknown> =>
  response
    .text()
    .then(parseBody)
    .catch((cause: unknown) => {
      // The page of a portal, for example.
      throw Object.assign(new ApiError(0, "", "Unexpected response"), { cause });
    });

/** The body of a successful response; failures are thrown by `checkedFetch`. */
export async function json<Result extends { text(): Promise<string> }>(
  call: Promise<Result>,
): Promise<BodyOf<Result>> {
  return (await parsed(await call)) as BodyOf<Result>;
}

/** The rows of one page of a list, and the cursor of the next page if there is one. */
export type ListPage<Row> = { rows: Row[]; next: string | undefined };

/** A page of a list, with the cursor of the next page from its `Link` header. */
export async function listPage<Result extends { text(): Promise<string>; headers: Headers }>(
  call: Promise<Result>,
): Promise<BodyOf<Result> extends (infer Row)[] ? ListPage<Row> : never> {
  const response = await call;
  const [, path] = /<([^>]+)>; rel="next"/.exec(response.headers.get("Link") ?? "") ?? [];
  const next = path && new URL(path, root).searchParams.get("cursor");
  return { rows: await parsed(response), next } as Awaited<ReturnType<typeof listPage<Result>>>;
}
