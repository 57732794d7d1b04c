import { type Context, Hono } from "hono";
import { runBatch } from "../../../db/client";
import { isReferenceGone } from "../../../db/errors";
import { findBrand } from "../../../db/queries/brands";
import {
  listDeletionNotices,
  recordDeletionNotice,
  recordSomeNotices,
} from "../../../db/queries/deletion-notices";
import { findAffectedByRetention } from "../../../db/queries/retention";
import { dismissStopped } from "../../../db/queries/scheduled-envelopes";
import { insertWorkspace, listWorkspaces, selectWorkspace } from "../../../db/queries/workspaces";
import type { AppEnv, UserEnv } from "../../app-env";
import { emailLinkInput } from "../../contract/auth";
import { SERVER_LIMITS } from "../../contract/limits";
import {
  activityFilterQuery,
  activityQuery,
  activityResponse,
  invitationChanges,
  memberInvitationInput,
  memberInvitationResponse,
  memberLinksResponse,
  memberResponse,
  membersQuery,
  membersResponse,
  removalQuery,
  roleInput,
} from "../../contract/members";
import {
  deletionNoticeInput,
  deletionNoticeResponse,
  retentionPreviewResponse,
  retentionQuery,
  workspaceChanges,
  workspaceInput,
  workspaceResponse,
} from "../../contract/workspaces";
import { appError, required } from "../../errors";
import { csvHeaders } from "../../lib/csv";
import { describe, respond, whenDone, whenLogged } from "../../middleware/describe";
import { idempotent } from "../../middleware/idempotency";
import { uploadOf } from "../../middleware/late-body";
import { rowsOf } from "../../middleware/list-pages";
import { requireRecentSession, requireRecentSignIn } from "../../middleware/recent-sign-in";
import { revocable } from "../../middleware/revocable-download";
import { serveImage } from "../../middleware/serve-file";
import {
  asMember,
  asOwner,
  asViewer,
  forSessions,
  forUsers,
  rejectLimitedToken,
  requireUser,
} from "../../middleware/session";
import { idOf, jsonBody, query } from "../../middleware/validate";
import { NOTICE_DAYS } from "../envelope-rules/envelope-dates";
import { IMAGE_ERRORS } from "../files/incoming-image";
import { storedLogo } from "../files/stored-images";
import { changeWorkspace, missing, requireOwnWorkspace, throwIfAccountFull } from "./workspaces.service";

const logoService = () => import("./logo.service");
const members = () => import("./members.service");

const FOR_OWNERS = ["workspace_not_found", "role_required"] as const;

/** The caller as an owner, with the account. */
const ownerOf = (c: Context<UserEnv>) => ({ ...asOwner(c), user: c.var.user });

const inviterOf = (c: Context<UserEnv>) => ({ ...ownerOf(c), apiTokenId: c.var.apiToken?.id ?? null });

/** The member, or the invitation, that the path names. */
const memberOf = (c: Context<UserEnv>) => ({ workspaceId: idOf(c), userId: idOf(c, "userId") });
const timesOf = (c: Context<UserEnv>) => ({
  now: c.var.deps.clock.now().toISOString(),
  noticeDays: NOTICE_DAYS,
});
const invitationOf = (c: Context<UserEnv>) => ({ workspaceId: idOf(c), id: idOf(c, "invitationId") });

export const workspaceRoutes = new Hono<AppEnv>()
  .get("/", forUsers("List the workspaces", { 200: [workspaceResponse] }), async (c) =>
    respond(c, await listWorkspaces(c.var.deps.db, asViewer(c))),
  )
  .post(
    "/",
    requireUser,
    rejectLimitedToken,
    describe("Create a workspace", { 201: workspaceResponse }, ["account_full", "workspace_not_found"]),
    idempotent((c, id) => requireOwnWorkspace(c.var.deps, asViewer(c), Number(id))),
    jsonBody(workspaceInput),
    async (c) => {
      const { db, clock } = c.var.deps;
      const now = clock.now().toISOString();
      const workspace = { ...c.req.valid("json"), createdAt: now, updatedAt: now };
      const inserted = await insertWorkspace(db, c.var.user.id, workspace, c.var.claim).catch(
        (error: unknown) => {
          if (isReferenceGone(error)) throw appError("unauthenticated");
          return throwIfAccountFull(SERVER_LIMITS.workspacesPerAccount)(error);
        },
      );
      return respond(c, inserted);
    },
  )
  .post(
    "/restore-owner",
    describe("Undo the removal or demotion of an owner", { 204: null }, ["invalid_token"], {
      details:
        "With the token of the link in the mail about it, within 7 days. Ends the membership of who has done it.",
    }),
    jsonBody(emailLinkInput),
    async (c) => {
      const { revertOwner } = await import("./restore-owner.service");
      const { userId, workspaceId } = await revertOwner(
        c.var.deps,
        c.req.valid("json").token,
        c.env.clientAddress,
      );
      c.var.deps.log.info("owner restored", { userId, workspaceId });
      return c.body(null, 204);
    },
  )
  .patch(
    "/:id",
    forUsers("Change a workspace", { 200: workspaceResponse }, FOR_OWNERS),
    jsonBody(workspaceChanges),
    async (c) => {
      return respond(c, await changeWorkspace(c.var.deps, asOwner(c), idOf(c), c.req.valid("json")));
    },
  )
  .post(
    "/:id/logo",
    forUsers(
      "Change the logo of a workspace",
      { 200: workspaceResponse },
      [
        ...FOR_OWNERS,
        "logo_missing",
        "logo_too_large",
        "logo_too_many_pixels",
        "logo_type_not_allowed",
        ...IMAGE_ERRORS,
      ],
      { body: "multipart/form-data", details: "PNG, JPEG or WebP in the field `logo`." },
    ),
    async (c) => {
      const { changeLogo } = await logoService();
      return respond(c, await changeLogo(c.var.deps, asOwner(c), idOf(c), uploadOf(c)));
    },
  )
  .delete("/:id/logo", forUsers("Remove the logo of a workspace", { 204: null }, FOR_OWNERS), async (c) => {
    const { removeLogo } = await logoService();
    return whenDone(c, removeLogo(c.var.deps, asOwner(c), idOf(c)));
  })
  .get("/:id/logo", forUsers("Read the logo of a workspace", { 200: "*/*", 304: null }), async (c) => {
    const brand = await findBrand(c.var.deps.db, asViewer(c), idOf(c));
    return serveImage(c, c.var.deps, storedLogo(brand));
  })
  .delete(
    "/:id/stopped-schedules",
    forUsers("Dismiss the notice that an import has stopped the schedules", { 204: null }, FOR_OWNERS),
    async (c) => {
      const id = idOf(c);
      if (!(await dismissStopped(c.var.deps.db, asMember(c), id)))
        throw await missing(c.var.deps, asMember(c), "workspace_not_found", { kind: "workspace", id });
      return c.body(null, 204);
    },
  )
  .delete(
    "/:id",
    forUsers("Delete a workspace with everything in it", { 204: null }, [...FOR_OWNERS, "last_workspace"]),
    requireRecentSignIn,
    async (c) => {
      const workspaceId = idOf(c);
      const { removeWorkspace } = await members();
      const removed = removeWorkspace(c.var.deps, ownerOf(c), workspaceId);
      return whenLogged(c, removed, "workspace deleted", { workspaceId });
    },
  )
  .get(
    "/:id/members",
    forUsers("List the members of a workspace", { 200: membersResponse }, ["workspace_not_found"]),
    query(membersQuery),
    async (c) => {
      const counts = c.req.valid("query").counts !== undefined;
      const { readMembers } = await members();
      return respond(c, await readMembers(c.var.deps, asViewer(c), idOf(c), { counts }));
    },
  )
  .get(
    "/:id/members/:userId/links",
    forUsers(
      "Count the open envelopes whose links a member may know",
      { 200: memberLinksResponse },
      FOR_OWNERS,
    ),
    async (c) => {
      const { readMemberLinks } = await members();
      return respond(c, await readMemberLinks(c.var.deps, asOwner(c), memberOf(c)));
    },
  )
  .patch(
    "/:id/members/:userId",
    forUsers("Change the role of a member", { 200: memberResponse }, [
      ...FOR_OWNERS,
      "last_owner",
      "account_changed",
    ]),
    requireRecentSignIn,
    jsonBody(roleInput),
    async (c) => {
      const { changeRole } = await members();
      return respond(c, await changeRole(c.var.deps, ownerOf(c), memberOf(c), c.req.valid("json")));
    },
  )
  .delete(
    "/:id/members/:userId",
    forUsers(
      "Remove a member, or leave",
      { 204: null },
      [...FOR_OWNERS, "last_owner", "reauthentication_required"],
      {
        details:
          "`replaceLinks=own` gives the open envelopes that a removed member has created or was assigned to new links, `all` all of the workspace, and sends them to the recipients.",
      },
    ),
    query(removalQuery),
    async (c) => {
      const member = memberOf(c);
      if (member.userId !== c.var.user.id) await requireRecentSession(c.var);
      const { removeMember } = await members();
      const removed = removeMember(c.var.deps, ownerOf(c), member, c.req.valid("query"));
      return whenLogged(c, removed, "member removed", { workspaceId: member.workspaceId });
    },
  )
  .post(
    "/:id/invitations",
    forUsers("Invite somebody to a workspace", { 201: memberInvitationResponse }, [
      ...FOR_OWNERS,
      "address_not_proved",
      "already_member",
      "workspace_full",
      "sign_up_closed",
      "administrators_invite",
      "account_changed",
      "too_many_messages",
      "too_many_mails",
      "sending_paused",
      "recipient_busy",
      "rate_limited",
    ]),
    requireRecentSignIn,
    idempotent(async (c, id) => {
      const { requireMemberInvitation } = await members();
      return requireMemberInvitation(c.var.deps, asOwner(c), idOf(c), (open) => open.id === Number(id));
    }),
    jsonBody(memberInvitationInput),
    async (c) => {
      const { claim } = c.var;
      const { inviteMember } = await members();
      return respond(c, await inviteMember(c.var.deps, inviterOf(c), idOf(c), c.req.valid("json"), claim));
    },
  )
  .patch(
    "/:id/invitations/:invitationId",
    forUsers("Change the role of an open invitation", { 200: memberInvitationResponse }, [
      ...FOR_OWNERS,
      "not_found",
      "address_not_proved",
      "sign_up_closed",
      "administrators_invite",
      "account_changed",
    ]),
    requireRecentSignIn,
    jsonBody(invitationChanges),
    async (c) => {
      const { role } = c.req.valid("json");
      const { changeInvitation } = await members();
      return respond(c, await changeInvitation(c.var.deps, inviterOf(c), invitationOf(c), role));
    },
  )
  .delete(
    "/:id/invitations/:invitationId",
    forUsers("Revoke an invitation to a workspace", { 204: null }, FOR_OWNERS),
    async (c) => {
      const { revokeInvitation } = await members();
      return whenDone(c, revokeInvitation(c.var.deps, asOwner(c), invitationOf(c)));
    },
  )
  .get(
    "/:id/activity",
    forUsers("List the activity of a workspace", { 200: [activityResponse] }, FOR_OWNERS),
    query(activityQuery),
    async (c) => {
      const { readActivity } = await members();
      const page = await readActivity(c.var.deps, asOwner(c), idOf(c), c.req.valid("query"));
      return respond(c, rowsOf(c, page));
    },
  )
  .get(
    "/:id/activity.csv",
    forUsers("Download the activity of a workspace as a CSV file", { 200: "text/csv" }, FOR_OWNERS),
    query(activityFilterQuery),
    async (c) => {
      const id = idOf(c);
      await requireOwnWorkspace(c.var.deps, asOwner(c), id);
      const { activityCsv } = await members();
      const file = activityCsv(c.var.deps, asOwner(c), id, c.req.valid("query"));
      return c.body(await revocable(c, asOwner(c), file), 200, csvHeaders("activity.csv"));
    },
  )
  .get(
    "/:id/retention",
    forUsers("Preview the deletions of a retention period", { 200: retentionPreviewResponse }, FOR_OWNERS),
    query(retentionQuery),
    async (c) => {
      const id = idOf(c);
      const { db, takeTurn } = c.var.deps;
      const period = { ...c.req.valid("query"), ...timesOf(c), takeTurn };
      const affected = await findAffectedByRetention(db, asOwner(c), id, period);
      if (!affected)
        throw await missing(c.var.deps, asOwner(c), "workspace_not_found", { kind: "workspace", id });
      return respond(c, affected);
    },
  )
  .get(
    "/deletion-notices",
    forUsers("List the notices of files that will be deleted", { 200: [deletionNoticeResponse] }),
    async (c) => {
      const { db, takeTurn } = c.var.deps;
      return respond(c, await listDeletionNotices(db, asOwner(c), { ...timesOf(c), takeTurn }));
    },
  )
  .post(
    "/:id/deletion-notice",
    forSessions("Record that the notice was shown", { 204: null }, FOR_OWNERS),
    jsonBody(deletionNoticeInput),
    async (c) => {
      const { deps } = c.var;
      const { id: workspaceId } = await requireOwnWorkspace(deps, asOwner(c), idOf(c));
      const notice = { workspaceId, announcedBy: c.req.valid("json").announcedAt };
      const now = deps.clock.now().toISOString();
      const known = { ...notice, now };
      const after = await recordSomeNotices(deps.db, asOwner(c), known, deps.takeTurn);
      await runBatch(deps.db, [recordDeletionNotice(deps.db, asOwner(c), known, after)]);
      return c.body(null, 204);
    },
  )
  // A browser without a selection opens this workspace.
  .post("/:id/select", forSessions("Select a workspace", { 204: null }, FOR_OWNERS), async (c) =>
    whenDone(c, required(selectWorkspace(c.var.deps.db, asViewer(c), idOf(c)), "workspace_not_found")),
  );
