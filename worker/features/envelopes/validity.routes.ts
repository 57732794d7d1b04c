import { Hono } from "hono";
import type { AppEnv } from "../../app-env";
import { envelopeResponse } from "../../contract/envelopes";
import {
  expiringDocumentResponse,
  expiringQuery,
  resumeInput,
  validityChanges,
} from "../../contract/validity";
import { describe, respond, whenDone } from "../../middleware/describe";
import { linkNextPage } from "../../middleware/list-pages";
import { asMember, asViewer, requireUser, senderOf, viewerOf } from "../../middleware/session";
import { jsonBody, query, rowIdParam } from "../../middleware/validate";
import { ofOwnWorkspace } from "../workspaces/workspaces.service";
import { viewEnvelope } from "./envelope-view";

const loadService = () => import("./validity.service");
const ERRORS = ["envelope_not_found", "role_required", "not_found", "not_completed"] as const;

/** Until when a submitted document is valid. */
export const validityRoutes = new Hono<AppEnv>()
  .patch(
    "/:id/documents/:documentId",
    requireUser,
    describe(
      "Change until when a document is valid",
      { 200: envelopeResponse },
      [...ERRORS, "changed_meanwhile", "envelope_changed"],
      { details: "Of a submitted document, in every status. Absent fields stay unchanged." },
    ),
    jsonBody(validityChanges),
    async (c) => {
      const ids = {
        envelopeId: rowIdParam(c.req.param("id")),
        documentId: rowIdParam(c.req.param("documentId")),
      };
      const { changeValidity } = await loadService();
      const envelope = await changeValidity(c.var.deps, senderOf(c), ids, c.req.valid("json"));
      return respond(c, await viewEnvelope(c.var.deps, c.var.user, envelope, viewerOf(c)));
    },
  )
  .delete(
    "/:id/documents/:documentId/renewal",
    requireUser,
    describe("Stop asking again for a document", { 204: null }, [...ERRORS, "envelope_changed"]),
    async (c) => {
      const ids = {
        envelopeId: rowIdParam(c.req.param("id")),
        documentId: rowIdParam(c.req.param("documentId")),
      };
      const { changeValidity } = await loadService();
      return whenDone(c, changeValidity(c.var.deps, senderOf(c), ids, { renewDays: null, updatedAt: null }));
    },
  );

/** The submitted documents of all requests. */
export const documentRoutes = new Hono<AppEnv>()
  .get(
    "/expiring",
    requireUser,
    describe("List the documents that expire", { 200: [expiringDocumentResponse] }, ["workspace_not_found"], {
      details:
        "Those that were received or accepted, with the day until which they are valid; the soonest first. Without those of which the same recipient has handed in a newer one.",
    }),
    query(expiringQuery),
    async (c) => {
      const call = c.req.valid("query");
      const { readExpiring } = await loadService();
      const { documents, next } = await readExpiring(c.var.deps, asViewer(c), call);
      linkNextPage(c, next);
      await ofOwnWorkspace(c.var.deps, asViewer(c), call.workspaceId, documents);
      return respond(c, documents);
    },
  )
  .post(
    "/expiring/resume",
    requireUser,
    describe("Go on asking again for documents", { 204: null }, ["workspace_not_found", "role_required"], {
      details: "After an import, which pauses all renewals.",
    }),
    jsonBody(resumeInput),
    async (c) => {
      const { goOnRenewing } = await loadService();
      return whenDone(c, goOnRenewing(c.var.deps, asMember(c), c.req.valid("json").workspaceId));
    },
  );
