import { Hono } from "hono";
import { findRetentionReach } from "../../../db/queries/retention";
import {
  insertWorkspace,
  isWorkspaceWithoutAccount,
  listWorkspaces,
  selectWorkspace,
} from "../../../db/queries/workspaces";
import type { AppEnv } from "../../app-env";
import { LIMITS } from "../../contract/limits";
import { retentionQuery, workspaceChanges, workspaceInput } from "../../contract/workspaces";
import { appError } from "../../errors";
import { NOTICE_DAYS } from "../../lib/retention";
import { describe } from "../../middleware/describe";
import { idempotent } from "../../middleware/idempotency";
import { requireSignIn, requireUser } from "../../middleware/session";
import { jsonBody, query, requireJson, rowIdParam } from "../../middleware/validate";
import { changeWorkspace, requireOwnWorkspace, throwIfAccountFull } from "./workspaces.service";

export const workspaceRoutes = new Hono<AppEnv>()
  .get("/", requireUser, describe("List the workspaces", { 200: "Workspace[]" }), async (c) =>
    c.json(await listWorkspaces(c.var.deps.db, c.var.user.id)),
  )
  .post(
    "/",
    requireUser,
    describe("Create a workspace", { 201: "Workspace" }, ["account_full", "workspace_not_found"]),
    idempotent((c, id) => requireOwnWorkspace(c.var.deps, c.var.user.id, Number(id))),
    requireJson,
    jsonBody(workspaceInput),
    async (c) => {
      const { db, clock } = c.var.deps;
      const moment = clock.now().toISOString();
      const workspace = { ...c.req.valid("json"), createdAt: moment, updatedAt: moment };
      const inserted = await insertWorkspace(db, c.var.user.id, workspace, c.var.claim).catch(
        (error: unknown) => {
          if (isWorkspaceWithoutAccount(error)) throw appError("unauthenticated");
          return throwIfAccountFull(LIMITS.workspacesPerAccount)(error);
        },
      );
      return c.json(inserted, 201);
    },
  )
  .patch(
    "/:id",
    requireUser,
    describe("Change a workspace", { 200: "Workspace" }, ["workspace_not_found", "not_found"]),
    requireJson,
    jsonBody(workspaceChanges),
    async (c) => {
      const id = rowIdParam(c.req.param("id"));
      return c.json(await changeWorkspace(c.var.deps, c.var.user.id, id, c.req.valid("json")));
    },
  )
  .get(
    "/:id/retention",
    requireUser,
    describe("Preview the deletions of a retention period", { 200: "RetentionReach" }, [
      "workspace_not_found",
      "not_found",
    ]),
    query(retentionQuery),
    async (c) => {
      const { db, clock } = c.var.deps;
      const moments = { now: clock.now().toISOString(), noticeDays: NOTICE_DAYS };
      const id = rowIdParam(c.req.param("id"));
      const { days } = c.req.valid("query");
      const reach = await findRetentionReach(db, c.var.user.id, id, { days, ...moments });
      if (!reach) throw appError("workspace_not_found");
      return c.json(reach);
    },
  )
  // A browser without a selection opens this workspace.
  .post(
    "/:id/select",
    requireSignIn,
    describe("Select a workspace", { 204: null }, ["workspace_not_found", "not_found"]),
    async (c) => {
      const selected = await selectWorkspace(c.var.deps.db, c.var.user.id, rowIdParam(c.req.param("id")));
      if (!selected) throw appError("workspace_not_found");
      return c.body(null, 204);
    },
  );
