import { type Context, Hono } from "hono";
import type { AppEnv, SignedInEnv } from "../../app-env";
import { reauthenticateInput } from "../../contract/auth";
import { whenDone, whenLogged } from "../../middleware/describe";
import { forSessions, sessionToken } from "../../middleware/session";
import { jsonBody } from "../../middleware/validate";
import { mailConfirmationCode, reauthenticate } from "./reauthentication.service";

const confirming = (c: Context<SignedInEnv>) => ({ sid: c.var.sid, token: sessionToken(c) ?? "" });

/** Confirming again who uses a session, before what would let somebody else keep access to the account. */
export const reauthenticationRoutes = new Hono<AppEnv>()
  .post(
    "/",
    forSessions(
      "Confirm that it is still you",
      { 204: null },
      [
        "wrong_password",
        "invalid_passkey",
        "invalid_code",
        "challenge_ended",
        "rate_limited",
        "password_sign_in_off",
      ],
      { details: "For ten minutes, this session may make the calls that need a recent sign-in." },
    ),
    jsonBody(reauthenticateInput),
    async (c) => {
      const confirmed = reauthenticate(c.var.deps, c.var.user, confirming(c), c.req.valid("json"));
      return whenLogged(c, confirmed, "confirmed");
    },
  )
  .post(
    "/mail",
    forSessions("Mail a code to confirm with", { 204: null }, ["other_method", "rate_limited"], {
      details: "For an account with neither a password nor a second factor.",
    }),
    async (c) => whenDone(c, mailConfirmationCode(c.var.deps, c.var.user, confirming(c))),
  );
