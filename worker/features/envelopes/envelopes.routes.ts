import { type Context, Hono } from "hono";
import { listEnvelopes } from "../../../db/queries/envelopes";
import type { AppEnv, UserEnv } from "../../app-env";
import { envelopeChanges, envelopeInput } from "../../contract/envelopes";
import { listQuery } from "../../contract/fields";
import { linkNextPage } from "../../middleware/next-page";
import { callerOf, requireUser } from "../../middleware/session";
import { jsonBody, query, requireJson, rowIdParam } from "../../middleware/validate";
import { ofOwnWorkspace } from "../workspaces/workspaces.service";
import { envelopeView } from "./envelope-view";
import { createEnvelope, editEnvelope, removeEnvelope, requireEnvelope } from "./envelopes.service";

export const envelopeRoutes = new Hono<AppEnv>()
  .get("/", requireUser, query(listQuery), async (c) => {
    const { db, clock } = c.var.deps;
    const page = c.req.valid("query");
    const { rows, next } = await listEnvelopes(db, c.var.user.id, page);
    await ofOwnWorkspace(c.var.deps, c.var.user.id, page.workspaceId, rows);
    linkNextPage(c, next);
    const now = clock.now();
    return c.json(rows.map((row) => envelopeView(row, now)));
  })
  .post("/", requireUser, requireJson, jsonBody(envelopeInput), async (c) => {
    const envelope = await createEnvelope(c.var.deps, senderOf(c), c.req.valid("json"));
    return c.json(envelopeView(envelope, c.var.deps.clock.now()), 201);
  })
  .get("/:id", requireUser, async (c) => {
    const envelope = await requireEnvelope(c.var.deps, c.var.user.id, rowIdParam(c.req.param("id")));
    return c.json(envelopeView(envelope, c.var.deps.clock.now()));
  })
  .put("/:id", requireUser, requireJson, jsonBody(envelopeChanges), async (c) => {
    const id = rowIdParam(c.req.param("id"));
    const envelope = await editEnvelope(c.var.deps, senderOf(c), id, c.req.valid("json"));
    return c.json(envelopeView(envelope, c.var.deps.clock.now()));
  })
  .delete("/:id", requireUser, async (c) => {
    await removeEnvelope(c.var.deps, c.var.user.id, rowIdParam(c.req.param("id")));
    return c.body(null, 204);
  });

const senderOf = (c: Context<UserEnv>) => ({ ...callerOf(c), user: c.var.user });
