import { type Context, Hono } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { ownerByIdentity } from "../../../db/queries/identities";
import type { AppEnv } from "../../app-env";
import { providerNameResponse } from "../../contract/auth";
import { safeNextPath } from "../../contract/next-path";
import { SIGN_IN_PROVIDERS } from "../../contract/options";
import { appError } from "../../errors";
import { describe, respond } from "../../middleware/describe";
import { toAppError } from "../../middleware/error-response";
import { limitByAddress } from "../../middleware/rate-limit";
import { currentSession } from "../../middleware/session";
import { signInClient, startSession } from "../../middleware/start-session";
import { RATE_RULES } from "../rate-limits/rate-rules";
import {
  beginSignIn,
  finishLinking,
  finishSignIn,
  pendingSignIn,
  requireProvider,
} from "./provider-sign-in.service";
import { requireRecent } from "./reauthentication.service";

const TEN_MINUTES = 10 * 60;
const LINKED_PROVIDERS = "/profile#providers";

/**
 * Registered by name: `/:provider` next to `/providers` would prevent Hono from using its fast router for the whole
 * app.
 */
const PATHS = SIGN_IN_PROVIDERS.map((name) => `/${name}` as const);
const CALLBACK_PATHS = PATHS.map((path) => `${path}/callback` as const);

/** Sign-in with Google, Microsoft, GitHub or an OpenID provider, if configured. */
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
    describe(
      "Start to sign in with a provider or, when signed in, to link it to the account",
      { 302: null },
      ["not_found", "reauthentication_required"],
    ),
    async (c) => {
      const { deps } = c.var;
      const provider = requireProvider(deps, providerName(c));
      const next = safeNextPath(c.req.query("next") ?? null);
      const session = isOwnPage(c) ? await currentSession(c) : undefined;
      if (session) await requireRecent(deps, session);
      try {
        const { url, pending } = await beginSignIn(deps, provider);
        setCookie(
          c,
          cookieName(c),
          JSON.stringify({ ...pending, next, link: session?.sid }),
          cookieOptions(c),
        );
        return c.redirect(url.href);
      } catch (error) {
        return c.redirect(failurePage(error, { next, isLink: session !== undefined }));
      }
    },
  )
  .on(
    "GET",
    CALLBACK_PATHS,
    describe("Finish signing in with a provider, or linking it", { 302: null }, ["not_found"]),
    limitByAddress(RATE_RULES.providerCallbacks),
    async (c) => {
      const { deps } = c.var;
      const provider = requireProvider(deps, providerName(c));
      const pending = readPending(getCookie(c, cookieName(c)));
      deleteCookie(c, cookieName(c), cookieOptions(c));
      const next = safeNextPath(pending?.next ?? null);
      const isLink = pending?.link !== undefined;
      try {
        const url = new URL(`${deps.config.publicUrl}${c.req.path}${new URL(c.req.url).search}`);
        const callback = { code: c.req.query("code"), state: c.req.query("state"), url };
        if (pending?.link !== undefined) {
          const session = await currentSession(c);
          if (session?.sid !== pending.link) throw appError("unauthenticated");
          // The cookie is the browser's, so whoever sits there could have written that linking began in time.
          await requireRecent(deps, session, TEN_MINUTES * 1000);
          await finishLinking(deps, provider, callback, pending, session);
          deps.log.info("provider linked", { userId: session.user.id, provider: provider.name });
          return c.redirect(next ?? LINKED_PROVIDERS);
        }
        const client = signInClient(c);
        const { identity, ...signedIn } = await finishSignIn(deps, provider, callback, pending, client);
        await startSession(c, {
          ...signedIn,
          userId: ownerByIdentity(identity.provider, identity.subject),
          errorCode: "sign_in_failed",
          method: identity.provider,
        });
        deps.log.info("signed in", { userId: signedIn.user.id, provider: provider.name });
        return c.redirect(next ?? "/");
      } catch (error) {
        return c.redirect(failurePage(error, { next, isLink }));
      }
    },
  );

/** A browser follows these redirects, so failures lead to a page that explains them. */
function failurePage(
  error: unknown,
  { next, isLink }: { next: string | undefined; isLink: boolean },
): string {
  const { code } = toAppError(error);
  if (isLink && code !== "unauthenticated") return `/profile?error=${code}#providers`;
  return `/auth?${new URLSearchParams({ error: code, ...(next && { next }) })}`;
}

/**
 * Whether the visitor comes from a page of this site, or the browser does not say. Another site may have signed the visitor
 * in at the provider, to somebody else's account there, which must not be linked to the visitor's account here.
 */
function isOwnPage(c: Context<AppEnv>): boolean {
  const site = c.req.header("sec-fetch-site");
  if (site !== undefined) return site === "same-origin";
  const referrer = URL.parse(c.req.header("referer") ?? "")?.origin;
  return referrer === undefined || c.var.deps.config.allowedOrigins.includes(referrer);
}

function readPending(cookie: string | undefined) {
  try {
    return pendingSignIn.parse(JSON.parse(cookie ?? ""));
  } catch {
    return undefined;
  }
}

const providerName = (c: Context<AppEnv>) => c.req.path.split("/")[3] ?? "";
const isHttps = (c: Context<AppEnv>) => c.var.deps.config.publicUrl.startsWith("https:");
const cookieName = (c: Context<AppEnv>) => (isHttps(c) ? "__Host-sign-in" : "sign-in");
const cookieOptions = (c: Context<AppEnv>) =>
  ({ httpOnly: true, sameSite: "Lax", path: "/", secure: isHttps(c), maxAge: TEN_MINUTES }) as const;
