import { Hono } from "hono";
import { unchangedAccount } from "../../../db/queries/account-guards";
import { deleteSession } from "../../../db/queries/sessions";
import type { User } from "../../../db/queries/users";
import type { AppEnv } from "../../app-env";
import {
  acceptInvitationInput,
  forgotPasswordInput,
  loginInput,
  readInvitationInput,
  registerInput,
  resetPasswordInput,
} from "../../contract/auth";
import type { Dependencies } from "../../dependencies";
import { RATE_RULES } from "../../lib/rate-rules";
import { describe } from "../../middleware/describe";
import { limitByAddress } from "../../middleware/rate-limit";
import { clearSessionCookie, cookieSession, isSignedIn, startSession } from "../../middleware/session";
import { jsonBody, requireJson } from "../../middleware/validate";
import { checkCredentials, forgotPassword, register, resetPassword } from "./auth.service";
import { acceptInvitation, requireInvitation } from "./invitations.service";
import { publicUser } from "./public-user";
import { currentSignUp } from "./sign-up";

export const authRoutes = new Hono<AppEnv>()
  .post(
    "/register",
    describe("Register an account", { 201: "User" }, [
      "email_taken",
      "rate_limited",
      "invalid_credentials",
      "sign_up_closed",
      "invitation_required",
    ]),
    requireJson,
    jsonBody(registerInput),
    limitByAddress(RATE_RULES.registrations),
    async (c) => {
      const user = await register(c.var.deps, c.req.valid("json"));
      await startSession(c, signInWithPassword(c.var.deps, user));
      c.var.deps.log.info("registered", { userId: user.id });
      return c.json(publicUser(c.var.deps.config, user), 201);
    },
  )
  .post(
    "/invitations/read",
    describe("Read an invitation", { 200: "InvitationLink" }, ["invalid_token", "sign_up_closed"]),
    requireJson,
    jsonBody(readInvitationInput),
    limitByAddress(RATE_RULES.linkReads),
    async (c) => {
      const { email, expiresAt } = await requireInvitation(c.var.deps, c.req.valid("json").token);
      return c.json({ email, expiresAt });
    },
  )
  .post(
    "/invitations/accept",
    describe("Create an account by invitation, and sign in", { 201: "User" }, [
      "invalid_token",
      "sign_up_closed",
      "email_taken",
      "invalid_credentials",
    ]),
    requireJson,
    jsonBody(acceptInvitationInput),
    limitByAddress(RATE_RULES.registrations),
    async (c) => {
      const user = await acceptInvitation(c.var.deps, c.req.valid("json"));
      await startSession(c, signInWithPassword(c.var.deps, user));
      c.var.deps.log.info("registered by invitation", { userId: user.id });
      return c.json(publicUser(c.var.deps.config, user), 201);
    },
  )
  .post(
    "/login",
    describe("Sign in", { 200: "User" }, ["invalid_credentials", "account_disabled", "rate_limited"]),
    requireJson,
    jsonBody(loginInput),
    async (c) => {
      const user = await checkCredentials(c.var.deps, c.req.valid("json"), c.env.clientAddress);
      const before = await cookieSession(c);
      if (before) await deleteSession(c.var.deps.db, before);
      await startSession(c, signInWithPassword(c.var.deps, user));
      c.var.deps.log.info("signed in", { userId: user.id });
      return c.json(publicUser(c.var.deps.config, user));
    },
  )
  // For the sign-in page. A 401 from the user endpoint would appear as an error in the browser's console.
  .get("/session", describe("Check whether a user is signed in", { 200: "SessionState" }), async (c) => {
    const signedIn = await isSignedIn(c);
    const signUp = signedIn ? "open" : await currentSignUp(c.var.deps);
    return c.json({ signedIn, ...(signUp !== "open" && { signUp }) });
  })
  .post("/logout", describe("Sign out", { 204: null }), async (c) => {
    const sid = await cookieSession(c);
    if (sid) await deleteSession(c.var.deps.db, sid);
    clearSessionCookie(c);
    return c.body(null, 204);
  })
  .post(
    "/password/forgot",
    describe("Request a password reset link", { 204: null }, ["rate_limited"]),
    requireJson,
    jsonBody(forgotPasswordInput),
    async (c) => {
      await forgotPassword(c.var.deps, c.req.valid("json").email, c.env.clientAddress);
      return c.body(null, 204);
    },
  )
  .post(
    "/password/reset",
    describe("Reset the password", { 204: null }, ["invalid_token"]),
    requireJson,
    jsonBody(resetPasswordInput),
    async (c) => {
      const { userId } = await resetPassword(c.var.deps, c.req.valid("json"));
      clearSessionCookie(c);
      c.var.deps.log.info("password reset", { userId });
      return c.body(null, 204);
    },
  );

/** Applies only if the password is still the one that was checked: a reset meanwhile invalidates this request. */
const signInWithPassword = ({ db }: Dependencies, { id, password }: User) => ({
  userId: unchangedAccount(db, id, { password }),
  errorCode: "invalid_credentials" as const,
});
