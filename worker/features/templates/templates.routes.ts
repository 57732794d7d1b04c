import { Hono } from "hono";
import {
  findTemplate,
  insertTemplate,
  listTemplates,
  type Template,
  updateTemplate,
} from "../../../db/queries/templates";
import type { AppEnv } from "../../app-env";
import { listQuery } from "../../contract/fields";
import { LIMITS } from "../../contract/limits";
import { templateInput } from "../../contract/templates";
import type { Dependencies } from "../../dependencies";
import { appError } from "../../errors";
import { describe } from "../../middleware/describe";
import { idempotent } from "../../middleware/idempotency";
import { linkNextPage } from "../../middleware/next-page";
import { requireUser } from "../../middleware/session";
import { jsonBody, query, requireJson, rowIdParam } from "../../middleware/validate";
import { ofOwnWorkspace, requireWorkspace, throwIfAccountFull } from "../workspaces/workspaces.service";
import { removeTemplate } from "./templates.service";

export const templateRoutes = new Hono<AppEnv>()
  .get(
    "/",
    requireUser,
    describe("List the templates", { 200: "Template[]" }, ["workspace_not_found"]),
    query(listQuery),
    async (c) => {
      const page = c.req.valid("query");
      const { rows, next } = await listTemplates(c.var.deps.db, c.var.user.id, page);
      linkNextPage(c, next);
      return c.json(await ofOwnWorkspace(c.var.deps, c.var.user.id, page.workspaceId, rows));
    },
  )
  .post(
    "/",
    requireUser,
    describe("Create a template", { 201: "Template" }, [
      "workspace_not_found",
      "account_full",
      "template_not_found",
    ]),
    idempotent((c, id) => requireTemplate(c.var.deps, c.var.user.id, Number(id))),
    requireJson,
    jsonBody(templateInput),
    async (c) => {
      const { db, clock } = c.var.deps;
      const input = c.req.valid("json");
      const workspaceId = await requireWorkspace(c.var.deps, c.var.user.id, input.workspaceId);
      const template = { ...input, workspaceId, createdAt: clock.now().toISOString() };
      const inserted = await insertTemplate(db, c.var.user.id, template, c.var.claim).catch(
        throwIfAccountFull(LIMITS.templatesPerAccount),
      );
      return c.json(inserted, 201);
    },
  )
  .get(
    "/:id",
    requireUser,
    describe("Read a template", { 200: "Template" }, ["template_not_found", "not_found"]),
    async (c) => c.json(await requireTemplate(c.var.deps, c.var.user.id, rowIdParam(c.req.param("id")))),
  )
  .put(
    "/:id",
    requireUser,
    describe("Replace a template", { 200: "Template" }, ["template_not_found", "not_found"]),
    requireJson,
    jsonBody(templateInput),
    async (c) => {
      const { workspaceId: _kept, ...changes } = c.req.valid("json");
      const template = await updateTemplate(
        c.var.deps.db,
        c.var.user.id,
        rowIdParam(c.req.param("id")),
        changes,
      );
      if (!template) throw appError("template_not_found");
      return c.json(template);
    },
  )
  .delete(
    "/:id",
    requireUser,
    describe("Delete a template", { 204: null }, ["template_not_found", "not_found", "template_in_use"]),
    async (c) => {
      await removeTemplate(c.var.deps, c.var.user.id, rowIdParam(c.req.param("id")));
      return c.body(null, 204);
    },
  );

async function requireTemplate({ db }: Dependencies, userId: number, id: number): Promise<Template> {
  const template = await findTemplate(db, userId, id);
  if (!template) throw appError("template_not_found");
  return template;
}
