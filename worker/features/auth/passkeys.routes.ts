import { Hono } from "hono";
import { hasPasskey, listPasskeys } from "../../../db/queries/passkeys";
import type { AppEnv } from "../../app-env";
import {
  newPasskeyInput,
  passkeyCreationOptions,
  passkeyRequestOptions,
  passkeyResponse,
  passkeyUse,
  renamePasskeyInput,
} from "../../contract/passkeys";
import { userResponse } from "../../contract/users";
import { describe, respond, whenLogged } from "../../middleware/describe";
import { requireProvedAddress } from "../../middleware/proved-address";
import { limitByAddress } from "../../middleware/rate-limit";
import { requireRecentSignIn } from "../../middleware/recent-sign-in";
import { endCurrentSession, forSessions, ownerOf } from "../../middleware/session";
import { signInClient, startSession } from "../../middleware/start-session";
import { idOf, jsonBody } from "../../middleware/validate";
import { RATE_RULES } from "../rate-limits/rate-rules";
import { recordFailedSignIn, requireEnabled } from "./auth.service";
import {
  beginPasskeyCreation,
  beginPasskeyUse,
  changePasskeyName,
  createPasskey,
  passkeyView,
  removePasskey,
  verifyPasskey,
} from "./passkeys.service";
import { publicUser } from "./public-user";

/** The passkeys of an account. */
export const passkeyRoutes = new Hono<AppEnv>()
  .get("/", forSessions("List the passkeys", { 200: [passkeyResponse] }), async (c) =>
    respond(c, (await listPasskeys(c.var.deps.db, c.var.user.id)).map(passkeyView)),
  )
  .post(
    "/options",
    forSessions("Begin to create a passkey", { 200: passkeyCreationOptions }, ["account_full"], {
      details: "The options of `navigator.credentials.create()`, for five minutes and one passkey.",
    }),
    requireProvedAddress,
    requireRecentSignIn,
    async (c) => respond(c, await beginPasskeyCreation(c.var.deps, ownerOf(c))),
  )
  .post(
    "/",
    forSessions(
      "Create a passkey",
      { 201: passkeyResponse },
      ["challenge_ended", "invalid_passkey", "passkey_exists", "account_full"],
      { details: "`response` is the browser's credential as `toJSON()` gives it." },
    ),
    requireProvedAddress,
    requireRecentSignIn,
    jsonBody(newPasskeyInput),
    async (c) => {
      const passkey = await createPasskey(c.var.deps, ownerOf(c), c.req.valid("json"));
      c.var.deps.log.info("passkey created", { userId: c.var.user.id, passkeyId: passkey.id });
      return respond(c, passkeyView(passkey));
    },
  )
  .patch(
    "/:id",
    forSessions("Rename a passkey", { 200: passkeyResponse }),
    jsonBody(renamePasskeyInput),
    async (c) => {
      const { name } = c.req.valid("json");
      return respond(c, passkeyView(await changePasskeyName(c.var.deps, c.var.user.id, idOf(c), name)));
    },
  )
  .delete(
    "/:id",
    forSessions("Remove a passkey", { 204: null }, ["last_sign_in"]),
    requireRecentSignIn,
    async (c) => {
      const passkeyId = idOf(c);
      return whenLogged(c, removePasskey(c.var.deps, ownerOf(c), passkeyId), "passkey removed", {
        passkeyId,
      });
    },
  );

/** Signing in with a passkey. */
export const passkeySignInRoutes = new Hono<AppEnv>()
  .post(
    "/options",
    describe("Begin to use a passkey", { 200: passkeyRequestOptions }, [], {
      details:
        "The options of `navigator.credentials.get()`, for five minutes and one use: to sign in, as a second step, or to confirm a session.",
    }),
    limitByAddress(RATE_RULES.passkeyChallenges),
    async (c) => respond(c, await beginPasskeyUse(c.var.deps)),
  )
  .post(
    "/",
    describe(
      "Sign in with a passkey",
      { 200: userResponse },
      ["challenge_ended", "invalid_passkey", "account_disabled"],
      { details: "The body is the browser's credential as `toJSON()` gives it." },
    ),
    jsonBody(passkeyUse),
    async (c) => {
      const { deps } = c.var;
      const client = signInClient(c);
      const { user, credentialId } = await verifyPasskey(deps, c.req.valid("json"), ({ id }) =>
        recordFailedSignIn(deps, id, { method: "passkey" }, client),
      );
      requireEnabled(deps, user, "passkey", client);
      await startSession(c, {
        user,
        unchanged: hasPasskey(user.id, credentialId),
        errorCode: "invalid_passkey",
        method: "passkey",
        statements: await endCurrentSession(c),
      });
      deps.log.info("signed in", { userId: user.id });
      return respond(c, publicUser(deps, user));
    },
  );
