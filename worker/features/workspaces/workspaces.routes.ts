import { type Context, Hono } from "hono";
import { runBatch } from "../../../db/client";
import { findBrand } from "../../../db/queries/brands";
import { listDeletionNotices, recordDeletionNotice } from "../../../db/queries/deletion-notices";
import { findAffectedByRetention } from "../../../db/queries/retention";
import { dismissStopped } from "../../../db/queries/scheduled-envelopes";
import {
  insertWorkspace,
  isWorkspaceWithoutAccount,
  listWorkspaces,
  selectWorkspace,
} from "../../../db/queries/workspaces";
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
import { appError } from "../../errors";
import { csvHeaders } from "../../lib/csv";
import { describe, respond, whenDone } from "../../middleware/describe";
import { idempotent } from "../../middleware/idempotency";
import { uploadOf } from "../../middleware/late-body";
import { linkNextPage } from "../../middleware/list-pages";
import { requireRecentSession, requireRecentSignIn } from "../../middleware/recent-sign-in";
import { revocable } from "../../middleware/revocable-download";
import { serveImage } from "../../middleware/serve-image";
import {
  asMember,
  asOwner,
  asViewer,
  rejectLimitedToken,
  requireSignIn,
  requireUser,
} from "../../middleware/session";
import { jsonBody, query, rowIdParam } from "../../middleware/validate";
import { NOTICE_DAYS } from "../envelope-rules/envelope-dates";
import { IMAGE_ERRORS } from "../files/incoming-image";
import { storedLogo } from "../files/stored-images";
import { changeLogo, removeLogo } from "./logo.service";
import {
  activityCsv,
  changeInvitation,
  changeRole,
  inviteMember,
  readActivity,
  readMemberLinks,
  readMembers,
  removeMember,
  removeWorkspace,
  requireMemberInvitation,
  revokeInvitation,
} from "./members.service";
import { revertOwner } from "./owner-revert.service";
import { changeWorkspace, missing, requireOwnWorkspace, throwIfAccountFull } from "./workspaces.service";

const FOR_OWNERS = ["workspace_not_found", "role_required"] as const;

/** The caller as an owner, with the account. */
const ownerOf = (c: Context<UserEnv>) => ({ ...asOwner(c), user: c.var.user });

/** The member that the path names. */
const memberOf = (c: Context<UserEnv, "/:id/members/:userId" | "/:id/members/:userId/links">) => ({
  workspaceId: rowIdParam(c.req.param("id")),
  userId: rowIdParam(c.req.param("userId")),
});

export const workspaceRoutes = new Hono<AppEnv>()
  .get("/", requireUser, describe("List the workspaces", { 200: [workspaceResponse] }), async (c) =>
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
          if (isWorkspaceWithoutAccount(error)) throw appError("unauthenticated");
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
    requireUser,
    describe("Change a workspace", { 200: workspaceResponse }, ["workspace_not_found", "role_required"]),
    jsonBody(workspaceChanges),
    async (c) => {
      const id = rowIdParam(c.req.param("id"));
      return respond(c, await changeWorkspace(c.var.deps, asOwner(c), id, c.req.valid("json")));
    },
  )
  .post(
    "/:id/logo",
    requireUser,
    describe(
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
      const id = rowIdParam(c.req.param("id"));
      return respond(c, await changeLogo(c.var.deps, asOwner(c), id, uploadOf(c)));
    },
  )
  .delete(
    "/:id/logo",
    requireUser,
    describe("Remove the logo of a workspace", { 204: null }, FOR_OWNERS),
    async (c) => whenDone(c, removeLogo(c.var.deps, asOwner(c), rowIdParam(c.req.param("id")))),
  )
  .get(
    "/:id/logo",
    requireUser,
    describe("Read the logo of a workspace", { 200: "*/*", 304: null }),
    async (c) => {
      const brand = await findBrand(c.var.deps.db, asViewer(c), rowIdParam(c.req.param("id")));
      return serveImage(c, c.var.deps, storedLogo(brand));
    },
  )
  .delete(
    "/:id/stopped-schedules",
    requireUser,
    describe("Dismiss the notice that an import has stopped the schedules", { 204: null }, [
      "workspace_not_found",
      "role_required",
    ]),
    async (c) => {
      const id = rowIdParam(c.req.param("id"));
      const row = { kind: "workspace", id } as const;
      if (!(await dismissStopped(c.var.deps.db, asMember(c), id)))
        throw await missing(c.var.deps, asMember(c), "workspace_not_found", row);
      return c.body(null, 204);
    },
  )
  .delete(
    "/:id",
    requireUser,
    describe("Delete a workspace with everything in it", { 204: null }, [...FOR_OWNERS, "last_workspace"]),
    requireRecentSignIn,
    async (c) => {
      const id = rowIdParam(c.req.param("id"));
      await removeWorkspace(c.var.deps, ownerOf(c), id);
      c.var.deps.log.info("workspace deleted", { userId: c.var.user.id, workspaceId: id });
      return c.body(null, 204);
    },
  )
  .get(
    "/:id/members",
    requireUser,
    describe("List the members of a workspace", { 200: membersResponse }, ["workspace_not_found"]),
    query(membersQuery),
    async (c) => {
      const id = rowIdParam(c.req.param("id"));
      const counts = c.req.valid("query").counts !== undefined;
      return respond(c, await readMembers(c.var.deps, asViewer(c), id, { counts }));
    },
  )
  .get(
    "/:id/members/:userId/links",
    requireUser,
    describe("Count the open envelopes whose links a member may know", { 200: memberLinksResponse }, [
      ...FOR_OWNERS,
    ]),
    async (c) => respond(c, await readMemberLinks(c.var.deps, asOwner(c), memberOf(c))),
  )
  .patch(
    "/:id/members/:userId",
    requireUser,
    describe("Change the role of a member", { 200: memberResponse }, [...FOR_OWNERS, "last_owner"]),
    requireRecentSignIn,
    jsonBody(roleInput),
    async (c) => respond(c, await changeRole(c.var.deps, ownerOf(c), memberOf(c), c.req.valid("json"))),
  )
  .delete(
    "/:id/members/:userId",
    requireUser,
    describe(
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
      await removeMember(c.var.deps, ownerOf(c), member, c.req.valid("query"));
      c.var.deps.log.info("member removed", { userId: c.var.user.id, workspaceId: member.workspaceId });
      return c.body(null, 204);
    },
  )
  .post(
    "/:id/invitations",
    requireUser,
    describe("Invite somebody to a workspace", { 201: memberInvitationResponse }, [
      ...FOR_OWNERS,
      "address_not_proved",
      "already_member",
      "workspace_full",
      "sign_up_closed",
      "administrators_invite",
      "too_many_messages",
      "too_many_mails",
      "sending_paused",
      "recipient_busy",
      "rate_limited",
    ]),
    requireRecentSignIn,
    idempotent((c, id) =>
      requireMemberInvitation(
        c.var.deps,
        asOwner(c),
        rowIdParam(c.req.param("id") ?? ""),
        (open) => open.id === Number(id),
      ),
    ),
    jsonBody(memberInvitationInput),
    async (c) => {
      const caller = { ...ownerOf(c), apiTokenId: c.var.apiToken?.id ?? null };
      const id = rowIdParam(c.req.param("id"));
      return respond(c, await inviteMember(c.var.deps, caller, id, c.req.valid("json"), c.var.claim));
    },
  )
  .patch(
    "/:id/invitations/:invitationId",
    requireUser,
    describe("Change the role of an open invitation", { 200: memberInvitationResponse }, [
      ...FOR_OWNERS,
      "not_found",
    ]),
    requireRecentSignIn,
    jsonBody(invitationChanges),
    async (c) => {
      const key = { workspaceId: rowIdParam(c.req.param("id")), id: rowIdParam(c.req.param("invitationId")) };
      return respond(c, await changeInvitation(c.var.deps, asOwner(c), key, c.req.valid("json").role));
    },
  )
  .delete(
    "/:id/invitations/:invitationId",
    requireUser,
    describe("Revoke an invitation to a workspace", { 204: null }, FOR_OWNERS),
    async (c) => {
      const workspaceId = rowIdParam(c.req.param("id"));
      const id = rowIdParam(c.req.param("invitationId"));
      await revokeInvitation(c.var.deps, asOwner(c), { workspaceId, id });
      return c.body(null, 204);
    },
  )
  .get(
    "/:id/activity",
    requireUser,
    describe("List the activity of a workspace", { 200: [activityResponse] }, FOR_OWNERS),
    query(activityQuery),
    async (c) => {
      const id = rowIdParam(c.req.param("id"));
      const { entries, next } = await readActivity(c.var.deps, asOwner(c), id, c.req.valid("query"));
      linkNextPage(c, next);
      return respond(c, entries);
    },
  )
  .get(
    "/:id/activity.csv",
    requireUser,
    describe("Download the activity of a workspace as a CSV file", { 200: "text/csv" }, FOR_OWNERS),
    query(activityFilterQuery),
    async (c) => {
      const id = rowIdParam(c.req.param("id"));
      await requireOwnWorkspace(c.var.deps, asOwner(c), id);
      const file = activityCsv(c.var.deps, asOwner(c), id, c.req.valid("query"));
      return c.body(await revocable(c, asOwner(c), file), 200, csvHeaders("activity.csv"));
    },
  )
  .get(
    "/:id/retention",
    requireUser,
    describe("Preview the deletions of a retention period", { 200: retentionPreviewResponse }, [
      "workspace_not_found",
      "role_required",
    ]),
    query(retentionQuery),
    async (c) => {
      const { db, clock } = c.var.deps;
      const times = { now: clock.now().toISOString(), noticeDays: NOTICE_DAYS };
      const id = rowIdParam(c.req.param("id"));
      const { days } = c.req.valid("query");
      const affected = await findAffectedByRetention(db, asOwner(c), id, { days, ...times });
      if (!affected)
        throw await missing(c.var.deps, asOwner(c), "workspace_not_found", { kind: "workspace", id });
      return respond(c, affected);
    },
  )
  .get(
    "/deletion-notices",
    requireUser,
    describe("List the notices of files that will be deleted", { 200: [deletionNoticeResponse] }),
    async (c) => {
      const { db, clock } = c.var.deps;
      const times = { now: clock.now().toISOString(), noticeDays: NOTICE_DAYS };
      return respond(c, await listDeletionNotices(db, asOwner(c), times));
    },
  )
  .post(
    "/:id/deletion-notice",
    requireSignIn,
    describe("Record that the notice was shown", { 204: null }, ["workspace_not_found", "role_required"]),
    jsonBody(deletionNoticeInput),
    async (c) => {
      const { deps } = c.var;
      const { id: workspaceId } = await requireOwnWorkspace(deps, asOwner(c), rowIdParam(c.req.param("id")));
      const notice = { workspaceId, announcedBy: c.req.valid("json").announcedAt };
      const now = deps.clock.now().toISOString();
      await runBatch(deps.db, [recordDeletionNotice(deps.db, asOwner(c), { ...notice, now })]);
      return c.body(null, 204);
    },
  )
  // A browser without a selection opens this workspace.
  .post(
    "/:id/select",
    requireSignIn,
    describe("Select a workspace", { 204: null }, ["workspace_not_found", "role_required"]),
    async (c) => {
      const selected = await selectWorkspace(c.var.deps.db, asViewer(c), rowIdParam(c.req.param("id")));
      if (!selected) throw appError("workspace_not_found");
      return c.body(null, 204);
    },
  );
