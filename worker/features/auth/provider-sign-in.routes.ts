import { type Context, Hono } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { ownerByIdentity } from "../../../db/queries/identities";
import type { AppEnv } from "../../app-env";
import { providerNameResponse } from "../../contract/auth";
import { SIGN_IN_PROVIDERS } from "../../contract/options";
import { describe, respond } from "../../middleware/describe";
import { toAppError } from "../../middleware/error-response";
import { limitByAddress } from "../../middleware/rate-limit";
import { signInClient, startSession } from "../../middleware/start-session";
import { RATE_RULES } from "../rate-limits/rate-rules";
import { beginSignIn, finishSignIn, type PendingSignIn, requireProvider } from "./provider-sign-in.service";

const TEN_MINUTES = 10 * 60;

/**
 * Registered by name: `/:provider` next to `/providers` would prevent Hono from using its fast router for the whole
 * app.
 */
const PATHS = SIGN_IN_PROVIDERS.map((name) => `/${name}` as const);
const CALLBACK_PATHS = PATHS.map((path) => `${path}/callback` as const);

/** Sign-in with Google, Microsoft or GitHub, if configured. */
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
  .on("GET", PATHS, describe("Start to sign in with a provider", { 302: null }, ["not_found"]), async (c) => {
    const { url, pending } = await beginSignIn(c.var.deps, requireProvider(c.var.deps, providerName(c)));
    setCookie(c, cookieName(c), JSON.stringify(pending), cookieOptions(c));
    return c.redirect(url.href);
  })
  .on(
    "GET",
    CALLBACK_PATHS,
    describe("Finish signing in with a provider", { 302: null }, ["not_found"]),
    limitByAddress(RATE_RULES.registrations),
    async (c) => {
      const provider = requireProvider(c.var.deps, providerName(c));
      const pending = readPending(getCookie(c, cookieName(c)));
      deleteCookie(c, cookieName(c), cookieOptions(c));
      try {
        const callback = { code: c.req.query("code"), state: c.req.query("state") };
        const client = signInClient(c);
        const { identity, ...signedIn } = await finishSignIn(c.var.deps, provider, callback, pending, client);
        await startSession(c, {
          ...signedIn,
          userId: ownerByIdentity(identity.provider, identity.subject),
          errorCode: "sign_in_failed",
          method: identity.provider,
        });
        c.var.deps.log.info("signed in", { userId: signedIn.user.id, provider: provider.name });
        return c.redirect("/");
      } catch (error) {
        // A browser follows this redirect, so failures lead to a page that explains them.
        return c.redirect(`/auth?error=${toAppError(error).code}`);
      }
    },
  );

function readPending(cookie: string | undefined): PendingSignIn | undefined {
  try {
    return cookie ? JSON.parse(cookie) : undefined;
  } catch {
    return undefined;
  }
}

const providerName = (c: Context<AppEnv>) => c.req.path.split("/")[3] ?? "";
const isHttps = (c: Context<AppEnv>) => c.var.deps.config.publicUrl.startsWith("https:");
const cookieName = (c: Context<AppEnv>) => (isHttps(c) ? "__Host-sign-in" : "sign-in");
const cookieOptions = (c: Context<AppEnv>) =>
  ({ httpOnly: true, sameSite: "Lax", path: "/", secure: isHttps(c), maxAge: TEN_MINUTES }) as const;
