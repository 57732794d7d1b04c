import { Hono } from "hono";
import { deleteDevices } from "../../../db/queries/remembered-devices";
import type { AppEnv } from "../../app-env";
import {
  confirmTotpInput,
  newTotpResponse,
  recoveryCodesResponse,
  twoFactorResponse,
} from "../../contract/auth";
import { describe, respond, whenDone, whenLogged } from "../../middleware/describe";
import { noIdempotencyKey } from "../../middleware/idempotency";
import { requireProvedAddress } from "../../middleware/proved-address";
import { requireRecentSignIn } from "../../middleware/recent-sign-in";
import { forSessions, ownerOf, requireSignIn } from "../../middleware/session";
import { jsonBody } from "../../middleware/validate";
import { activateTotp, beginTotp, readTwoFactor, removeTotp, renewRecoveryCodes } from "./two-factor.service";

export const twoFactorRoutes = new Hono<AppEnv>()
  .get("/", forSessions("Read what is set up as a second factor", { 200: twoFactorResponse }), async (c) =>
    respond(c, await readTwoFactor(c.var.deps, c.var.user)),
  )
  .post(
    "/totp",
    requireSignIn,
    requireProvedAddress,
    requireRecentSignIn,
    describe("Begin to set up an authenticator app", { 200: newTotpResponse }, ["secret_key_missing"], {
      details: "Not active, and an app that is set up stays so, until a code confirms the new secret.",
    }),
    noIdempotencyKey,
    async (c) => respond(c, await beginTotp(c.var.deps, ownerOf(c))),
  )
  .post(
    "/totp/confirm",
    requireSignIn,
    requireProvedAddress,
    requireRecentSignIn,
    describe("Activate the authenticator app by a code of it", { 200: recoveryCodesResponse }, [
      "invalid_code",
      "set_up_expired",
      "rate_limited",
      "secret_key_missing",
    ]),
    noIdempotencyKey,
    jsonBody(confirmTotpInput),
    async (c) => {
      const recoveryCodes = await activateTotp(c.var.deps, ownerOf(c), c.req.valid("json").code);
      c.var.deps.log.info("authenticator app added", { userId: c.var.user.id });
      return respond(c, { recoveryCodes });
    },
  )
  .delete(
    "/totp",
    requireSignIn,
    requireRecentSignIn,
    describe("Remove the authenticator app and the recovery codes", { 204: null }),
    async (c) => whenLogged(c, removeTotp(c.var.deps, ownerOf(c)), "authenticator app removed"),
  )
  .post(
    "/recovery-codes",
    requireSignIn,
    requireRecentSignIn,
    describe("Replace the recovery codes", { 200: recoveryCodesResponse }, ["totp_missing"]),
    noIdempotencyKey,
    async (c) => {
      const recoveryCodes = await renewRecoveryCodes(c.var.deps, ownerOf(c));
      c.var.deps.log.info("recovery codes renewed", { userId: c.var.user.id });
      return respond(c, { recoveryCodes });
    },
  )
  .delete(
    "/devices",
    forSessions("Forget the browsers that need no second factor", { 204: null }),
    async (c) => whenDone(c, deleteDevices(c.var.deps.db, c.var.user.id)),
  );
