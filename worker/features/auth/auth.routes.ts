import { type Context, Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { isUnchanged } from "../../../db/queries/account-guards";
import { deleteSession } from "../../../db/queries/sessions";
import { hasUsers, type User, updateUser } from "../../../db/queries/users";
import type { AppEnv } from "../../app-env";
import { invitationLinkResponse } from "../../contract/administration";
import {
  acceptInvitationInput,
  forgotPasswordInput,
  joinWorkspaceInput,
  loginInput,
  readInvitationInput,
  registerInput,
  requestInvitationInput,
  resetPasswordInput,
  secondFactorInput,
  sessionStateResponse,
  signInLinkInput,
} from "../../contract/auth";
import { userResponse } from "../../contract/users";
import { workspaceResponse } from "../../contract/workspaces";
import { describe, respond, whenDone, withDescription } from "../../middleware/describe";
import { limitByAddress } from "../../middleware/rate-limit";
import { finishSecondStep } from "../../middleware/second-step";
import {
  clearSessionCookie,
  cookieSession,
  currentSession,
  endCurrentSession,
  forSessions,
  rejectApiToken,
} from "../../middleware/session";
import { signInClient, startSession } from "../../middleware/start-session";
import { jsonBody } from "../../middleware/validate";
import { RATE_RULES } from "../rate-limits/rate-rules";
import { lacksSecondFactor, requirePasswordSignIn } from "../sign-in-policy/sign-in-policy";
import { checkCredentials, forgotPassword, register, resetPassword, useSignInLink } from "./auth.service";
import { publicUser } from "./public-user";
import { currentSignUp, logSetupLink } from "./sign-up";

/** For calls that would sign in or register with a password, or choose one. */
const passwordsOnly = withDescription(
  createMiddleware<AppEnv>(async (c, next) => {
    requirePasswordSignIn(c.var.deps.config);
    await next();
  }),
  { errors: ["password_sign_in_off"] },
);

export const authRoutes = new Hono<AppEnv>()
  .post(
    "/register",
    describe("Register an account", { 201: userResponse }, [
      "email_taken",
      "rate_limited",
      "invalid_credentials",
      "sign_up_closed",
      "invitation_required",
      "setup_required",
    ]),
    jsonBody(registerInput),
    passwordsOnly,
    limitByAddress(RATE_RULES.registrations),
    async (c) => {
      const user = await register(c.var.deps, c.req.valid("json"), c.env.clientAddress);
      const statements = await endCurrentSession(c);
      await startPasswordSession(c, user, { method: "password", isNew: true, statements });
      c.var.deps.log.info("registered", { userId: user.id });
      return respond(c, publicUser(c.var.deps, user));
    },
  )
  .post(
    "/invitations/request",
    describe("Request a link to create an account, for an address whose domain may sign up", { 204: null }, [
      "sign_up_closed",
      "invitation_required",
      "setup_required",
      "rate_limited",
    ]),
    jsonBody(requestInvitationInput),
    passwordsOnly,
    limitByAddress(RATE_RULES.registrations),
    async (c) => {
      const { requestInvitation } = await import("./invitations.service");
      return whenDone(c, requestInvitation(c.var.deps, c.req.valid("json"), c.env.clientAddress));
    },
  )
  .post(
    "/invitations/read",
    describe("Read an invitation", { 200: invitationLinkResponse }, ["invalid_token", "sign_up_closed"]),
    jsonBody(readInvitationInput),
    limitByAddress(RATE_RULES.linkReads),
    async (c) => {
      const { readInvitation } = await import("./invitations.service");
      return respond(c, await readInvitation(c.var.deps, c.req.valid("json").token));
    },
  )
  .post(
    "/invitations/join",
    forSessions("Join a workspace by invitation", { 200: workspaceResponse }, [
      "invalid_token",
      "sign_up_closed",
      "other_account",
    ]),
    jsonBody(joinWorkspaceInput),
    async (c) => {
      const { joinWorkspace } = await import("./invitations.service");
      const workspace = await joinWorkspace(c.var.deps, c.var.user, c.var.sid, c.req.valid("json").token);
      c.var.deps.log.info("joined", { userId: c.var.user.id, workspaceId: workspace.id });
      return respond(c, workspace);
    },
  )
  .post(
    "/invitations/accept",
    describe("Create an account by invitation, and sign in", { 201: userResponse }, [
      "invalid_token",
      "sign_up_closed",
      "email_taken",
      "invalid_credentials",
    ]),
    jsonBody(acceptInvitationInput),
    passwordsOnly,
    limitByAddress(RATE_RULES.registrations),
    async (c) => {
      const { acceptInvitation } = await import("./invitations.service");
      const user = await acceptInvitation(c.var.deps, c.req.valid("json"), c.env.clientAddress);
      const statements = await endCurrentSession(c);
      await startPasswordSession(c, user, { method: "invitation", isNew: true, statements });
      c.var.deps.log.info("registered by invitation", { userId: user.id });
      return respond(c, publicUser(c.var.deps, user));
    },
  )
  .post(
    "/login",
    describe("Sign in", { 200: userResponse }, [
      "invalid_credentials",
      "second_factor_required",
      "provider_sign_in_required",
      "account_disabled",
      "rate_limited",
    ]),
    jsonBody(loginInput),
    passwordsOnly,
    async (c) => {
      const user = await checkCredentials(c.var.deps, c.req.valid("json"), signInClient(c));
      await startPasswordSession(c, user, { method: "password", statements: await endCurrentSession(c) });
      c.var.deps.log.info("signed in", { userId: user.id });
      return respond(c, publicUser(c.var.deps, user));
    },
  )
  .post(
    "/login/second-factor",
    describe("Finish signing in with a second factor", { 200: userResponse }, [
      "invalid_code",
      "challenge_ended",
      "rate_limited",
    ]),
    jsonBody(secondFactorInput),
    limitByAddress(RATE_RULES.secondSteps),
    async (c) => {
      const user = await finishSecondStep(c, c.req.valid("json"));
      c.var.deps.log.info("signed in", { userId: user.id });
      return respond(c, publicUser(c.var.deps, user));
    },
  )
  .post(
    "/login/link",
    describe("Sign in with a link that the operator has made", { 200: userResponse }, [
      "invalid_token",
      "second_factor_required",
      "account_disabled",
      "rate_limited",
    ]),
    jsonBody(signInLinkInput),
    limitByAddress(RATE_RULES.linkReads),
    async (c) => {
      const { deps } = c.var;
      const user = await useSignInLink(deps, c.req.valid("json").token, signInClient(c));
      await startSession(c, {
        user,
        unchanged: isUnchanged(deps.db, user.id, { email: user.email, password: user.password }),
        errorCode: "invalid_token",
        method: "link",
        // The operator knows whom the link was given to.
        statements: [
          ...(await endCurrentSession(c)),
          updateUser(deps.db, user.id, { verifiedByOwner: true }),
        ],
      });
      deps.log.info("signed in by link", { userId: user.id });
      return respond(c, publicUser(deps, user));
    },
  )
  // For the sign-in page. A 401 from the user endpoint would appear as an error in the browser's console.
  .get(
    "/session",
    describe("Check whether a user is signed in", { 200: sessionStateResponse }),
    async (c) => {
      const session = await currentSession(c);
      const signedIn = session !== undefined;
      const signUp = signedIn ? "open" : await currentSignUp(c.var.deps);
      if (signUp === "setup") await logSetupLink(c.var.deps);
      const oidc = c.var.deps.config.signInProviders.find(({ name }) => name === "oidc");
      return respond(c, {
        signedIn,
        ...(signUp !== "open" && { signUp }),
        ...(!signedIn && !(await hasUsers(c.var.deps.db)) && { noAccount: true as const }),
        ...(signUp === "setup" && c.var.deps.memory.otherBackups && { otherBackups: true as const }),
        ...(oidc?.name === "oidc" && { oidcName: oidc.label }),
        ...(!c.var.deps.config.allowsPasswords && { passwordSignIn: "off" as const }),
        ...(session &&
          (await lacksSecondFactor(c.var.deps, session.user, session.method)) && {
            needsSecondFactor: true as const,
          }),
      });
    },
  )
  .post(
    "/logout",
    describe("Sign out", { 204: null }, ["invalid_api_token", "token_not_allowed"]),
    async (c) => {
      await rejectApiToken(c);
      const sid = await cookieSession(c);
      if (sid) await deleteSession(c.var.deps.db, sid);
      clearSessionCookie(c);
      return c.body(null, 204);
    },
  )
  .post(
    "/password/forgot",
    describe("Request a password reset link", { 204: null }, ["rate_limited"]),
    jsonBody(forgotPasswordInput),
    passwordsOnly,
    async (c) => whenDone(c, forgotPassword(c.var.deps, c.req.valid("json").email, c.env.clientAddress)),
  )
  .post(
    "/password/reset",
    describe("Reset the password", { 204: null }, ["invalid_token", "rate_limited"]),
    jsonBody(resetPasswordInput),
    passwordsOnly,
    async (c) => {
      const { userId } = await resetPassword(c.var.deps, c.req.valid("json"), c.env.clientAddress);
      clearSessionCookie(c);
      c.var.deps.log.info("password reset", { userId });
      return c.body(null, 204);
    },
  );

/** Applies only if the password is still the one that was checked: a reset meanwhile invalidates this request. */
async function startPasswordSession(
  c: Context<AppEnv>,
  user: User,
  how: Pick<Parameters<typeof startSession>[1], "method" | "isNew" | "statements">,
): Promise<void> {
  const { id, password } = user;
  const unchanged = isUnchanged(c.var.deps.db, id, { password });
  await startSession(c, { user, unchanged, errorCode: "invalid_credentials", ...how });
}
