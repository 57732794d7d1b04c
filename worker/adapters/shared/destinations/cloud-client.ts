import { type RetryPolicy, retryDelay } from "../../../contract/retry-policy";
import { MINUTE_MS } from "../../../lib/durations";
import { retry, sleep, withDeadline } from "../../../lib/retry";
import { type OAuthProvider, providerAddress } from "../../../lib/sign-in-providers";
import { storedTokens } from "../../../lib/stored-tokens";
import { readBeginning } from "../../../lib/streams";
import type { Clock } from "../../../ports/clock";
import type { DestinationAccess, DestinationCredentials } from "../../../ports/destination";
import { ProblemError, problem, problemOf } from "./http";

/** For everything but the bytes of a file, which may take as long as the whole attempt. */
const CALL_MS = 30_000;
const REFRESH_MS = 20_000;
/** Longer than a refresh: after that, the process that has begun it is gone. */
const REFRESH_LEASE_MS = 45_000;
/** Others wait longer and longer until they look again. */
const POLL_MS = [20, 50, 100, 250, 500] as const;
/** An access token that ends sooner is renewed first. */
const MIN_LIFETIME_MS = MINUTE_MS;
/** Codes of Microsoft and reasons of Google. */
const FULL = /^(?:quotaLimitReached|insufficientStorage|storageQuotaExceeded|teamDriveFileLimitExceeded)$/i;
const TOO_OFTEN = /^(?:(?:user)?rateLimitExceeded|dailyLimitExceeded)$/i;

/** Errors of a token endpoint that do not mean that the grant, or the app, has been refused. */
const TEMPORARY = /^(?:temporarily_unavailable|server_error|slow_down)$/;
const STORE_RETRIES: RetryPolicy = { delays: [200, 1000, 5000], givesUp: true };

/** A folder or file is not there. */
export class MissingError extends ProblemError {}

export type CloudClient = ReturnType<typeof createCloudClient>;

/** The options of a provider's kind of destination. */
export type CloudOptions = {
  provider: OAuthProvider;
  scopes: string[];
  providerUrl: string | undefined;
  clock: Clock;
};

/** Calls Microsoft or Google with the access token of the destination, which it renews. */
export function createCloudClient(access: DestinationAccess, options: CloudOptions) {
  const { providerUrl } = options;
  const tokens = createTokens(access, options);

  /** @throws ProblemError if there is no response */
  async function send(url: string, init: RequestInit, signal: AbortSignal): Promise<Response> {
    try {
      return await fetch(url, { ...init, redirect: "manual", signal });
    } catch (error) {
      throw problem("again", signal.aborted ? "No answer in time" : reasonOf(error));
    }
  }

  async function call(address: string, init: RequestInit = {}): Promise<Response> {
    const url = providerAddress(address, providerUrl);
    const attempt = async (token: string) => {
      const headers = { ...init.headers, Authorization: `Bearer ${token}`, Accept: "application/json" };
      return send(url, { ...init, headers }, AbortSignal.any([access.signal, AbortSignal.timeout(CALL_MS)]));
    };
    const token = await tokens.get();
    const response = await attempt(token);
    if (response.status !== 401) return response;
    await response.body?.cancel();
    return attempt(await tokens.get(token));
  }

  return {
    call,
    /** @throws ProblemError, and MissingError for 404 */
    async json(address: string, init?: RequestInit): Promise<ReturnType<typeof JSON.parse>> {
      return bodyOf(await call(address, init));
    },
    post: (address: string, body: object, headers: Record<string, string> = {}) =>
      call(address, {
        method: "POST",
        headers: { "Content-Type": "application/json", ...headers },
        body: JSON.stringify(body),
      }),
    /** Calls the address of an upload, which needs no token. */
    upload: (url: string, init: RequestInit) => send(url, init, access.signal),
  };
}

/** The JSON of a response. @throws ProblemError, and MissingError for 404 */
export async function bodyOf(response: Response): Promise<ReturnType<typeof JSON.parse>> {
  if (!response.ok) throw await failureOf(response);
  try {
    return JSON.parse(await readBeginning(response));
  } catch (error) {
    throw problem("again", reasonOf(error));
  }
}

/** What a rejected call means. */
export async function failureOf(response: Response): Promise<ProblemError> {
  const { reason, message } = errorOf(await readBeginning(response).catch(() => ""));
  const { status, headers } = response;
  const found = problemOf({ status: TOO_OFTEN.test(reason) ? 429 : status, headers, text: message });
  if (status === 404) return new MissingError(found.problem);
  return FULL.test(reason) ? problem("full", found.message) : found;
}

/** Of Microsoft's and of Google's errors. */
function errorOf(text: string): { reason: string; message: string } {
  try {
    const { error } = JSON.parse(text);
    return { reason: String(error.errors?.[0]?.reason ?? error.code), message: String(error.message) };
  } catch {
    return { reason: "", message: text };
  }
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/**
 * The access token. A refresh token may serve only once, so whoever refreshes first writes into the credentials that it does;
 * others wait for what it stores.
 */
function createTokens(access: DestinationAccess, { provider, scopes, clock }: CloudOptions) {
  let credentials = access.credentials;

  const isUsable = (rejected: string | undefined) =>
    credentials.accessToken !== undefined &&
    credentials.accessToken !== rejected &&
    Date.parse(credentials.expiresAt ?? "") - clock.now().getTime() > MIN_LIFETIME_MS;

  async function refresh(claim: DestinationCredentials): Promise<DestinationCredentials> {
    const { refreshToken = "" } = claim;
    const { OAuth2RequestError, requestTokens } = await import("../../../lib/oauth2");
    const grant = { grant_type: "refresh_token", refresh_token: refreshToken, scope: scopes.join(" ") };
    const signal = AbortSignal.timeout(REFRESH_LEASE_MS);
    const renewed = await requestTokens(provider, grant, signal).catch((error: unknown) => {
      const isTemporary = !(error instanceof OAuth2RequestError) || TEMPORARY.test(error.code);
      const said = error instanceof OAuth2RequestError && `${error.code}: ${error.description}`;
      return problem(isTemporary ? "again" : "reconnect", said || reasonOf(error));
    });
    if (!(renewed instanceof ProblemError)) {
      // The former one may have ended.
      const stored = storedTokens(renewed, clock, refreshToken);
      return retry(
        () => access.renewCredentials(stored),
        (_, failures) => retryDelay(STORE_RETRIES, failures),
      );
    }
    const now = await access.renewCredentials({ refreshToken });
    // Somebody has connected it again meanwhile.
    if (now.refreshToken !== refreshToken) return now;
    throw renewed;
  }

  return {
    /** @param rejected a token that the provider no longer accepts */
    async get(rejected?: string): Promise<string> {
      const givesUpAt = Date.now() + REFRESH_LEASE_MS;
      for (let polls = 0; !isUsable(rejected); ) {
        if (access.signal.aborted || Date.now() > givesUpAt) throw late();
        if (Date.parse(credentials.refreshingUntil ?? "") > clock.now().getTime()) {
          await sleep(POLL_MS[Math.min(polls, POLL_MS.length - 1)] ?? 0, access.signal);
          polls += 1;
          credentials = await access.readCredentials();
          continue;
        }
        const { refreshToken = "" } = credentials;
        const refreshingUntil = new Date(clock.now().getTime() + REFRESH_LEASE_MS).toISOString();
        const claim = { refreshToken, refreshingUntil, claimedBy: crypto.randomUUID() };
        credentials = await access.renewCredentials(claim);
        // What arrives late is stored nevertheless.
        if (credentials.claimedBy === claim.claimedBy)
          credentials = await withDeadline(refresh(claim), REFRESH_MS, late);
      }
      return credentials.accessToken ?? "";
    },
  };
}

const late = () => problem("again", "The access could not be renewed in time");
