import { Hono } from "hono";
import { insertWorkspace, listWorkspaces } from "../../../db/queries/workspaces";
import type { AppEnv } from "../../app-env";
import { workspaceInput } from "../../contract/workspaces";
import { requireUser } from "../../middleware/session";
import { jsonBody, requireJson } from "../../middleware/validate";

export const workspaceRoutes = new Hono<AppEnv>()
  .get("/", requireUser, async (c) => c.json(await listWorkspaces(c.var.deps.db, c.var.user.id)))
  .post("/", requireUser, requireJson, jsonBody(workspaceInput), async (c) => {
    const { db, clock } = c.var.deps;
    const moment = clock.now().toISOString();
    const workspace = { ...c.req.valid("json"), createdAt: moment, updatedAt: moment };
    return c.json(await insertWorkspace(db, c.var.user.id, workspace), 201);
  });
