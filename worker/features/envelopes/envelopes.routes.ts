import { type Context, Hono } from "hono";
import { listEnvelopes } from "../../../db/queries/envelopes";
import type { AppEnv, UserEnv } from "../../app-env";
import { envelopeChanges, envelopeInput, envelopeListQuery, seenInput } from "../../contract/envelopes";
import { describe } from "../../middleware/describe";
import { idempotent } from "../../middleware/idempotency";
import { linkNextPage } from "../../middleware/next-page";
import { callerOf, requireUser } from "../../middleware/session";
import { jsonBody, query, requireJson, rowIdParam } from "../../middleware/validate";
import { ofOwnWorkspace } from "../workspaces/workspaces.service";
import { envelopeView } from "./envelope-view";
import { createEnvelope, editEnvelope, markSeen, removeEnvelope, requireEnvelope } from "./envelopes.service";
import { unverified } from "./sending-limits";

const SENDING_ERRORS = [
  "workspace_not_found",
  "contact_not_found",
  "template_not_found",
  "verify_email",
  "too_many_invitations",
  "too_many_messages",
] as const;

export const envelopeRoutes = new Hono<AppEnv>()
  .get(
    "/",
    requireUser,
    describe("List the requests", { 200: "Request[]" }, ["workspace_not_found"]),
    query(envelopeListQuery),
    async (c) => {
      const { db, clock } = c.var.deps;
      const { counts, ...page } = c.req.valid("query");
      const now = clock.now();
      const { rows, next, summary } = await listEnvelopes(db, c.var.user.id, {
        ...page,
        ...(counts === "1" && { summarize: { now: now.toISOString() } }),
      });
      await ofOwnWorkspace(c.var.deps, c.var.user.id, page.workspaceId, rows);
      linkNextPage(c, next);
      if (summary) c.header("Envelope-Counts", countsHeader(summary));
      return c.json(rows.map((row) => envelopeView(row, now)));
    },
  )
  .post(
    "/",
    requireUser,
    describe(
      "Create a request",
      { 201: "Request" },
      [...SENDING_ERRORS, "account_full", "envelope_not_found"],
      {
        details: "Sends it to its recipient, unless `isDraft` is true.",
      },
    ),
    idempotent(async (c, id) => {
      const envelope = await requireEnvelope(c.var.deps, c.var.user.id, Number(id));
      const { isDraft } = await c.req.json();
      if (envelope.isDraft && !isDraft) throw unverified(envelope.id);
      return envelopeView(envelope, c.var.deps.clock.now());
    }),
    requireJson,
    jsonBody(envelopeInput),
    async (c) => {
      const envelope = await createEnvelope(c.var.deps, senderOf(c), c.req.valid("json"), c.var.claim);
      return c.json(envelopeView(envelope, c.var.deps.clock.now()), 201);
    },
  )
  .get(
    "/:id",
    requireUser,
    describe("Read a request", { 200: "Request" }, ["envelope_not_found", "not_found"]),
    async (c) => {
      const envelope = await requireEnvelope(c.var.deps, c.var.user.id, rowIdParam(c.req.param("id")));
      return c.json(envelopeView(envelope, c.var.deps.clock.now()));
    },
  )
  .put(
    "/:id",
    requireUser,
    describe("Replace a request", { 200: "Request" }, [
      ...SENDING_ERRORS,
      "envelope_not_found",
      "not_found",
      "envelope_completed",
      "envelope_already_sent",
      "envelope_changed",
      "document_has_submission",
    ]),
    requireJson,
    jsonBody(envelopeChanges),
    async (c) => {
      const id = rowIdParam(c.req.param("id"));
      const envelope = await editEnvelope(c.var.deps, senderOf(c), id, c.req.valid("json"));
      return c.json(envelopeView(envelope, c.var.deps.clock.now()));
    },
  )
  .post(
    "/:id/seen",
    requireUser,
    describe("Mark a request as seen", { 204: null }, ["envelope_not_found", "not_found"]),
    requireJson,
    jsonBody(seenInput),
    async (c) => {
      const id = rowIdParam(c.req.param("id"));
      await markSeen(c.var.deps, c.var.user.id, id, c.req.valid("json").completedAt);
      return c.body(null, 204);
    },
  )
  .delete(
    "/:id",
    requireUser,
    describe("Delete a request", { 204: null }, ["envelope_not_found", "not_found"]),
    async (c) => {
      const [userId, envelopeId] = [c.var.user.id, rowIdParam(c.req.param("id"))];
      await removeEnvelope(c.var.deps, userId, envelopeId);
      c.var.deps.log.info("envelope deleted", { userId, envelopeId });
      return c.body(null, 204);
    },
  );

const senderOf = (c: Context<UserEnv>) => ({ ...callerOf(c), user: c.var.user });

/** The counts as a header: `all=12, waiting=3, …`. */
const countsHeader = (counts: Record<string, number>) =>
  Object.entries(counts)
    .map(([name, count]) => `${name}=${count}`)
    .join(", ");
