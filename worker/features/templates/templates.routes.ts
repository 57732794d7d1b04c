import { Hono } from "hono";
import { hasAttachments, isAttachmentMissing } from "../../../db/queries/attachments";
import type { Member } from "../../../db/queries/members";
import {
  countTemplates,
  deleteTemplate,
  findTemplate,
  insertTemplate,
  isTemplateInUse,
  listTemplates,
  type Template,
  updateTemplate,
} from "../../../db/queries/templates";
import type { AppEnv } from "../../app-env";
import { SERVER_LIMITS } from "../../contract/limits";
import { namedListQuery } from "../../contract/lists";
import { templateChanges, templateInput, templateResponse } from "../../contract/templates";
import type { Dependencies } from "../../dependencies";
import { rejectedAs, required } from "../../errors";
import { respond, whenDone } from "../../middleware/describe";
import { idempotent } from "../../middleware/idempotency";
import { rowsOf, setCounts } from "../../middleware/list-pages";
import { asMember, asViewer, forUsers } from "../../middleware/session";
import { idOf, jsonBody, query } from "../../middleware/validate";
import { requireAttachments } from "../attachments/attachments.service";
import { readNamedPage } from "../lists/lists.service";
import {
  missingOrChanged,
  ofOwnWorkspace,
  requireWorkspace,
  throwIfAccountFull,
} from "../workspaces/workspaces.service";

export const templateRoutes = new Hono<AppEnv>()
  .get(
    "/",
    forUsers("List the templates", { 200: [templateResponse] }, ["workspace_not_found"]),
    query(namedListQuery),
    async (c) => {
      const { workspaceId } = c.req.valid("query");
      const lists = { list: listTemplates, count: countTemplates };
      const page = await readNamedPage(c.var.deps.db, asViewer(c), c.req.valid("query"), lists);
      setCounts(c, "Template-Counts", page.counts);
      return respond(c, await ofOwnWorkspace(c.var.deps, asViewer(c), workspaceId, rowsOf(c, page)));
    },
  )
  .post(
    "/",
    forUsers("Create a template", { 201: templateResponse }, [
      "workspace_not_found",
      "role_required",
      "account_full",
      "template_not_found",
      "attachment_not_found",
    ]),
    idempotent((c, id) => requireTemplate(c.var.deps, asViewer(c), Number(id))),
    jsonBody(templateInput),
    async (c) => {
      const { db, clock, config } = c.var.deps;
      const input = c.req.valid("json");
      const workspaceId = await requireWorkspace(c.var.deps, asMember(c), input.workspaceId);
      const now = clock.now().toISOString();
      const fields = await requireAttachments(c.var.deps, asMember(c), workspaceId, input.fields);
      const template = { ...input, fields, workspaceId, createdAt: now, updatedAt: now };
      const inserted = await insertTemplate(db, asMember(c), template, config.quotas, c.var.claim)
        .catch(throwIfNoAttachment)
        .catch(throwIfAccountFull(SERVER_LIMITS.templatesPerAccount));
      return respond(c, inserted);
    },
  )
  .get("/:id", forUsers("Read a template", { 200: templateResponse }, ["template_not_found"]), async (c) =>
    respond(c, await requireTemplate(c.var.deps, asViewer(c), idOf(c))),
  )
  .put(
    "/:id",
    forUsers("Replace a template", { 200: templateResponse }, [
      "template_not_found",
      "role_required",
      "changed_meanwhile",
      "attachment_not_found",
    ]),
    jsonBody(templateChanges),
    async (c) => {
      const { db, clock, config } = c.var.deps;
      const { workspaceId: _kept, updatedAt: read, ...changes } = c.req.valid("json");
      const key = { id: idOf(c), read };
      const viewer = asViewer(c);
      const fields = hasAttachments(changes.fields)
        ? await requireAttachments(
            c.var.deps,
            viewer,
            (await requireTemplate(c.var.deps, viewer, key.id)).workspaceId,
            changes.fields,
          )
        : changes.fields;
      const changed = { ...changes, fields, now: clock.now().toISOString() };
      const template = await updateTemplate(db, asMember(c), key, changed, config.quotas).catch(
        throwIfNoAttachment,
      );
      if (!template) throw await noTemplate(c.var.deps, asMember(c), key);
      return respond(c, template);
    },
  )
  .delete(
    "/:id",
    forUsers("Delete a template", { 204: null }, ["template_not_found", "role_required", "template_in_use"]),
    async (c) => whenDone(c, removeTemplate(c.var.deps, asMember(c), idOf(c))),
  );

/** One was deleted between the lookup and the write. */
const throwIfNoAttachment = rejectedAs(isAttachmentMissing, "attachment_not_found");

const noTemplate = (
  deps: Dependencies,
  member: Member,
  key: { id: number; read?: string | null | undefined },
) => missingOrChanged(deps, member, "template_not_found", { kind: "template", read: undefined, ...key });

const requireTemplate = ({ db }: Dependencies, member: Member, id: number): Promise<Template> =>
  required(findTemplate(db, member, id), "template_not_found");

/** @throws AppError `template_in_use` while envelopes use it, `template_not_found`, `role_required` */
async function removeTemplate(deps: Dependencies, member: Member, id: number): Promise<void> {
  const deleted = await deleteTemplate(deps.db, member, { id, now: deps.clock.now().toISOString() }).catch(
    rejectedAs(isTemplateInUse, "template_in_use"),
  );
  if (!deleted) throw await noTemplate(deps, member, { id });
}
