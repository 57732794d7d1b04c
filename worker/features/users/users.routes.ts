import { Hono } from "hono";
import { listProviders } from "../../../db/queries/identities";
import { deleteSession, deleteSessions } from "../../../db/queries/sessions";
import type { AppEnv } from "../../app-env";
import { changePasswordInput, emailLinkInput } from "../../contract/auth";
import { PRODUCT_NAME } from "../../contract/product";
import {
  onboardingInput,
  profileInput,
  providerResponse,
  sessionResponse,
  setAsideResponse,
  signInResponse,
  signInsQuery,
  userResponse,
} from "../../contract/users";
import { workspaceResponse } from "../../contract/workspaces";
import { contentDisposition } from "../../lib/file-names";
import { describe, respond, whenDone, whenLogged } from "../../middleware/describe";
import { uploadOf } from "../../middleware/late-body";
import { rowsOf } from "../../middleware/list-pages";
import { countTry } from "../../middleware/rate-limit";
import { requireRecentSession, requireRecentSignIn } from "../../middleware/recent-sign-in";
import { revocable } from "../../middleware/revocable-download";
import {
  clearSessionCookie,
  currentSession,
  forSessions,
  forUsers,
  requireSignIn,
} from "../../middleware/session";
import { idOf, jsonBody, optionalJsonBody, query } from "../../middleware/validate";
import { releaseEmail, resendVerification, verifyEmail } from "../auth/email-verification.service";
import { publicUser } from "../auth/public-user";
import { IMAGE_ERRORS } from "../files/incoming-image";
import { RATE_RULES } from "../rate-limits/rate-rules";
import { enabledSignIn, isFactorOfAddress } from "../sign-in-policy/sign-in-policy";
import { readSessions, readSignIns, requireSession } from "./sessions.service";
import {
  changeAvatar,
  changePassword,
  completeOnboarding,
  deleteAccount,
  unlinkProvider,
  updateProfile,
} from "./users.service";

/** Of the downloads of an account: nobody knows how many files it will have. */
const EXPORT_WEIGHT = 10;

export const userRoutes = new Hono<AppEnv>()
  .get("/", forUsers("Read the account", { 200: userResponse }), (c) =>
    respond(c, publicUser(c.var.deps, c.var.user)),
  )
  .patch(
    "/profile",
    forSessions("Change the profile", { 200: userResponse }, [
      "email_taken",
      "account_changed",
      "last_administrator",
      "reauthentication_required",
    ]),
    jsonBody(profileInput),
    async (c) => {
      const { deps, sid } = c.var;
      const input = c.req.valid("json");
      const isMoved = input.email != null && input.email !== c.var.user.email;
      if (isMoved && isFactorOfAddress(deps.config, c.var.user)) await requireRecentSession(c.var);
      const user = await updateProfile(deps, c.var.user, sid, input);
      return respond(c, publicUser(c.var.deps, user));
    },
  )
  .post(
    "/complete-onboarding",
    forSessions("Complete the onboarding", { 200: userResponse }),
    optionalJsonBody(onboardingInput),
    async (c) => {
      const user = await completeOnboarding(c.var.deps, c.var.user, c.req.valid("json"));
      return respond(c, publicUser(c.var.deps, user));
    },
  )
  .post(
    "/change-password",
    forSessions("Change the password", { 200: userResponse }, ["wrong_password", "account_changed"]),
    jsonBody(changePasswordInput),
    async (c) => {
      await changePassword(c.var.deps, c.var.user, c.var.sid, c.req.valid("json"));
      c.var.deps.log.info("password changed", { userId: c.var.user.id });
      return respond(c, publicUser(c.var.deps, c.var.user));
    },
  )
  .post(
    "/avatar",
    forSessions(
      "Change the profile picture",
      { 200: userResponse },
      [
        "avatar_missing",
        "avatar_too_large",
        "avatar_too_many_pixels",
        "avatar_type_not_allowed",
        ...IMAGE_ERRORS,
      ],
      { body: "multipart/form-data" },
    ),
    async (c) => respond(c, publicUser(c.var.deps, await changeAvatar(c.var.deps, c.var.user, uploadOf(c)))),
  )
  .get("/export", forSessions("Export the account", { 200: "application/zip" }), async (c) => {
    const { deps, user, sid } = c.var;
    await countTry(c, RATE_RULES.exports, String(user.id));
    deps.log.info("account exported", { userId: user.id });
    const name = `${PRODUCT_NAME.toLowerCase()}-${deps.clock.now().toISOString().slice(0, 10)}.zip`;
    const { exportAccount } = await import("./account-export.service");
    const archive = await exportAccount(deps, user, sid);
    return c.body(await revocable(c, { userId: user.id, role: "owner" }, archive, EXPORT_WEIGHT), 200, {
      "Content-Type": "application/zip",
      "Content-Disposition": contentDisposition("attachment", name),
    });
  })
  .delete("/account", forSessions("Delete the account", { 204: null }, ["last_owner"]), async (c) => {
    await deleteAccount(c.var.deps, c.var.user, c.var.sid);
    clearSessionCookie(c);
    c.var.deps.log.info("account deleted", { userId: c.var.user.id });
    return c.body(null, 204);
  })
  .get(
    "/set-aside",
    forSessions(
      "List the workspaces that were made before the address was proved",
      { 200: [setAsideResponse] },
      [],
      { details: "Somebody else may have made them. They are closed until the owner keeps or deletes them." },
    ),
    async (c) => {
      const { listSetAside } = await import("../../../db/queries/set-aside");
      return respond(c, await listSetAside(c.var.deps.db, c.var.user.id));
    },
  )
  .post(
    "/set-aside/:id/keep",
    forSessions("Keep such a workspace, with new links", { 200: workspaceResponse }, ["workspace_not_found"]),
    async (c) => {
      const { keepSetAside } = await import("../workspaces/set-aside.service");
      const workspace = await keepSetAside(c.var.deps, c.var.user.id, idOf(c));
      c.var.deps.log.info("workspace kept", { userId: c.var.user.id, workspaceId: workspace.id });
      return respond(c, workspace);
    },
  )
  .delete(
    "/set-aside/:id",
    requireSignIn,
    requireRecentSignIn,
    describe("Delete such a workspace", { 204: null }, ["workspace_not_found"]),
    async (c) => {
      const workspaceId = idOf(c);
      const { discardSetAside } = await import("../workspaces/set-aside.service");
      const discarded = discardSetAside(c.var.deps, c.var.user.id, workspaceId);
      return whenLogged(c, discarded, "workspace deleted", { workspaceId });
    },
  )
  .post(
    "/verify",
    describe("Verify an e-mail address", { 204: null }, [
      "invalid_token",
      "confirm_signed_in",
      "email_taken",
    ]),
    jsonBody(emailLinkInput),
    async (c) => whenDone(c, verifyEmail(c.var.deps, c.req.valid("json").token, await currentSession(c))),
  )
  .post(
    "/revert-email",
    describe("Undo a change of the e-mail address", { 204: null }, [
      "invalid_token",
      "account_disabled",
      "email_taken",
    ]),
    jsonBody(emailLinkInput),
    async (c) => {
      const { revertEmail } = await import("../auth/email-revert.service");
      const { userId } = await revertEmail(c.var.deps, c.req.valid("json").token);
      clearSessionCookie(c);
      c.var.deps.log.info("email change reverted", { userId });
      return c.body(null, 204);
    },
  )
  .post(
    "/release-email",
    describe("Remove an unconfirmed e-mail address from the account that entered it", { 204: null }, [
      "invalid_token",
    ]),
    jsonBody(emailLinkInput),
    async (c) => {
      const { userId } = await releaseEmail(c.var.deps, c.req.valid("json").token);
      c.var.deps.log.info("unconfirmed email removed", { userId });
      return c.body(null, 204);
    },
  )
  .get(
    "/sign-ins",
    forSessions("List the sign-ins of the last 90 days, failures included", { 200: [signInResponse] }),
    query(signInsQuery),
    async (c) => respond(c, rowsOf(c, await readSignIns(c.var.deps, c.var.user.id, c.req.valid("query")))),
  )
  .get("/providers", forSessions("List the linked providers", { 200: [providerResponse] }), async (c) =>
    respond(c, await listProviders(c.var.deps.db, c.var.user.id, enabledSignIn(c.var.deps.config))),
  )
  .delete(
    "/providers/:provider",
    forSessions("Unlink a provider", { 204: null }, ["not_found", "last_sign_in"], { texts: ["provider"] }),
    requireRecentSignIn,
    async (c) => {
      const { deps, user, sid } = c.var;
      const provider = await unlinkProvider(deps, { user, sid }, c.req.param("provider"));
      deps.log.info("provider unlinked", { userId: user.id, provider });
      return c.body(null, 204);
    },
  )
  .post("/resend-verification", forSessions("Send the verification mail again", { 204: null }), async (c) =>
    whenDone(c, resendVerification(c.var.deps, c.var.user)),
  )
  .get("/sessions", forSessions("List the sessions", { 200: [sessionResponse] }), async (c) =>
    respond(c, await readSessions(c.var.deps, c.var.user.id, c.var.sid)),
  )
  .delete("/sessions", forSessions("Sign out everywhere else", { 204: null }), async (c) =>
    whenLogged(c, deleteSessions(c.var.deps.db, c.var.user.id, c.var.sid), "signed out of other sessions"),
  )
  .delete(
    "/sessions/:id",
    forSessions("End a session", { 204: null }, ["not_found"], { texts: ["id"] }),
    async (c) => {
      const sid = await requireSession(c.var.deps, c.var.user.id, c.req.param("id"));
      await deleteSession(c.var.deps.db, sid);
      if (sid === c.var.sid) clearSessionCookie(c);
      c.var.deps.log.info("signed out of a session", { userId: c.var.user.id });
      return c.body(null, 204);
    },
  );
