import { Hono } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { isLinked } from "../../../db/queries/identities";
import type { ProviderProfile } from "../../../db/queries/provider-confirmations";
import type { AppEnv } from "../../app-env";
import {
  beginProviderSignInInput,
  confirmedProviderResponse,
  confirmProviderInput,
  providerConfirmationResponse,
  providerNameResponse,
  providerUrlResponse,
} from "../../contract/auth";
import { SIGN_IN_PROVIDERS } from "../../contract/options";
import { safeNextPath } from "../../contract/pages";
import { appError } from "../../errors";
import type { ProviderSettings } from "../../lib/sign-in-providers";
import type { AppContext } from "../../middleware/api-token";
import { describe, respond } from "../../middleware/describe";
import { toAppError } from "../../middleware/error-response";
import { requireProvedAddress } from "../../middleware/proved-address";
import { limitByAddress } from "../../middleware/rate-limit";
import { requireRecentSignIn } from "../../middleware/recent-sign-in";
import { currentSession, endCurrentSession, forSessions } from "../../middleware/session";
import { signInClient, startSession } from "../../middleware/start-session";
import { jsonBody } from "../../middleware/validate";
import { RATE_RULES } from "../rate-limits/rate-rules";
import {
  accountOfProfile,
  askToConfirm,
  beginSignIn,
  claimConfirmation,
  linkProvider,
  nameOfProfile,
  type PendingSignIn,
  PROVIDER_SIGN_IN_MS,
  pendingSignIn,
  readProfile,
  requireConfirmation,
  requireDomain,
  requireProvider,
} from "./provider-sign-in.service";
import { requireRecent } from "./reauthentication.service";

const LINKED_PROVIDERS = "/profile#providers";
/** The page where somebody who is signed in confirms what comes of a sign-in with a provider. */
const CONFIRMATION_PAGE = "/auth?mode=confirm";

/**
 * Registered by name: `/:provider` next to `/providers` would prevent Hono from using its fast router for the whole
 * app.
 */
const PATHS = SIGN_IN_PROVIDERS.map((name) => `/${name}` as const);
const CALLBACK_PATHS = PATHS.map((path) => `${path}/callback` as const);

/**
 * Sign-in with Google, Microsoft, GitHub or an OpenID provider, if configured. It begins with a POST, which other sites
 * cannot send, and no GET changes the account or the session of somebody who is signed in.
 */
export const providerRoutes = new Hono<AppEnv>()
  .get(
    "/providers",
    describe("List the configured sign-in providers", { 200: [providerNameResponse] }),
    (c) =>
      respond(
        c,
        c.var.deps.config.signInProviders.map(({ name }) => name),
      ),
  )
  .on(
    "GET",
    PATHS,
    describe("Open the sign-in page, where signing in with a provider starts", { 302: null }, ["not_found"]),
    (c) => {
      requireProvider(c.var.deps, providerName(c));
      return c.redirect(authPage({ next: safeNextPath(c.req.query("next")) }));
    },
  )
  .on(
    "GET",
    CALLBACK_PATHS,
    describe(
      "Finish signing in with a provider, or ask whether to link it or to end the session for it",
      { 302: null },
      ["not_found"],
    ),
    limitByAddress(RATE_RULES.providerCallbacks),
    async (c) => {
      const { deps } = c.var;
      const provider = requireProvider(deps, providerName(c));
      const pending = readPending(getCookie(c, cookieName(c)));
      deleteCookie(c, cookieName(c), cookieOptions(c));
      const next = safeNextPath(pending?.next);
      const isLink = pending?.link !== undefined;
      let profile: ProviderProfile | undefined;
      try {
        const session = await currentSession(c);
        if (pending?.link !== undefined) {
          if (session?.sid !== pending.link) throw appError("unauthenticated");
          // The cookie is the browser's, so whoever sits there could have written that linking began in time.
          await requireRecent(deps, session, PROVIDER_SIGN_IN_MS);
        }
        const url = new URL(`${deps.config.publicUrl}${c.req.path}${new URL(c.req.url).search}`);
        const callback = { code: c.req.query("code"), state: c.req.query("state"), url };
        profile = await readProfile(deps, provider, callback, pending);
        requireDomain(provider, profile);
        if (!session) {
          await signIn(c, provider, profile, pending?.language);
          return c.redirect(next ?? "/");
        }
        const asked = await askToConfirm(deps, session, {
          purpose: isLink ? "link" : "sign_in",
          provider: provider.name,
          profile,
          next: isLink ? LINKED_PROVIDERS : (next ?? "/"),
        });
        return c.redirect(asked ? CONFIRMATION_PAGE : isLink ? LINKED_PROVIDERS : (next ?? "/"));
      } catch (error) {
        const { code, message } = toAppError(error);
        deps.log.info("provider sign-in rejected", {
          ...{ provider: provider.name, code, reason: profile?.doubt ?? message },
          domain: profile?.email?.split("@")[1],
        });
        // A browser follows these redirects, so failures lead to a page that explains them.
        return c.redirect(
          isLink && code !== "unauthenticated"
            ? `/profile?error=${code}#providers`
            : authPage({ error: code, next }),
        );
      }
    },
  );

/** Hono has no types for several paths with several handlers. */
for (const path of PATHS) {
  providerRoutes.post(
    path,
    describe("Start to sign in with a provider", { 200: providerUrlResponse }, [
      "not_found",
      "sign_in_failed",
    ]),
    jsonBody(beginProviderSignInInput),
    async (c) => {
      const { next, languagePreference: language } = c.req.valid("json");
      return respond(c, { url: await begin(c, { next: safeNextPath(next), language }) });
    },
  );
  providerRoutes.post(
    `${path}/link`,
    forSessions("Start to link a provider to the account", { 200: providerUrlResponse }, [
      "not_found",
      "sign_in_failed",
    ]),
    requireProvedAddress,
    requireRecentSignIn,
    async (c) => respond(c, { url: await begin(c, { link: c.var.sid }) }),
  );
}

/** What somebody who is signed in confirms after returning from a provider, whose callback is a GET. */
export const providerConfirmationRoutes = new Hono<AppEnv>()
  .get(
    "/",
    forSessions(
      "Read what to confirm after signing in with a provider",
      { 200: providerConfirmationResponse },
      ["challenge_ended"],
    ),
    async (c) => {
      const { deps, user, sid } = c.var;
      const { id, purpose, provider, profile, next } = await requireConfirmation(deps, { user, sid });
      const account = nameOfProfile(profile);
      return respond(c, { id, purpose, provider, account, email: user.email, next });
    },
  )
  .post(
    "/",
    forSessions(
      "Link the provider, or end the session and sign in with the provider",
      { 200: confirmedProviderResponse },
      [
        "not_found",
        "challenge_ended",
        "reauthentication_required",
        "provider_linked_elsewhere",
        "address_not_proved",
        "sign_in_failed",
        "provider_email_missing",
        "provider_email_unverified",
        "sign_in_before_linking",
        "account_disabled",
        "sign_up_closed",
        "invitation_required",
        "rate_limited",
      ],
    ),
    jsonBody(confirmProviderInput),
    async (c) => {
      const { deps, user, sid, session } = c.var;
      const { purpose, profile, next, ...confirmation } = await requireConfirmation(deps, { user, sid });
      const provider = requireProvider(deps, confirmation.provider);
      if (purpose === "link") await requireRecent(deps, { ...session, user }, PROVIDER_SIGN_IN_MS);
      await claimConfirmation(deps, { user, sid }, c.req.valid("json").id);
      if (purpose === "sign_in") await signIn(c, provider, profile);
      else {
        await linkProvider(deps, provider, profile, { user, sid });
        deps.log.info("provider linked", { userId: user.id, provider: provider.name });
      }
      return respond(c, { next });
    },
  );

/** Sends the browser to the provider with a state that only this browser can bring back. @returns the provider's URL */
async function begin(
  c: AppContext,
  purpose: Pick<PendingSignIn, "next" | "language" | "link">,
): Promise<string> {
  const { deps } = c.var;
  const { url, pending } = await beginSignIn(deps, requireProvider(deps, providerName(c)));
  setCookie(c, cookieName(c), JSON.stringify({ ...pending, ...purpose }), cookieOptions(c));
  return url.href;
}

/** Ends the browser's session, if any, and begins one of the account that signs in with this account at the provider. */
async function signIn(
  c: AppContext,
  provider: ProviderSettings,
  profile: ProviderProfile,
  language?: PendingSignIn["language"],
) {
  const { deps } = c.var;
  const { identity, ...signedIn } = await accountOfProfile(
    deps,
    provider,
    profile,
    signInClient(c),
    language,
  );
  await startSession(c, {
    ...signedIn,
    unchanged: isLinked(signedIn.user.id, identity.provider, identity.subject),
    errorCode: "sign_in_failed",
    method: identity.provider,
    statements: await endCurrentSession(c),
  });
  deps.log.info("signed in", { userId: signedIn.user.id, provider: provider.name });
}

function authPage(search: Record<"next" | "error", string | undefined> | { next: string | undefined }) {
  const given = Object.entries(search).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length > 0 ? `/auth?${new URLSearchParams(given)}` : "/auth";
}

function readPending(cookie: string | undefined) {
  try {
    return pendingSignIn.parse(JSON.parse(cookie ?? ""));
  } catch {
    return undefined;
  }
}

const providerName = (c: AppContext) => c.req.path.split("/")[3] ?? "";
const isHttps = (c: AppContext) => c.var.deps.config.publicUrl.startsWith("https:");
const cookieName = (c: AppContext) => (isHttps(c) ? "__Host-sign-in" : "sign-in");
const cookieOptions = (c: AppContext) =>
  ({
    httpOnly: true,
    sameSite: "Lax",
    path: "/",
    secure: isHttps(c),
    maxAge: PROVIDER_SIGN_IN_MS / 1000,
  }) as const;
