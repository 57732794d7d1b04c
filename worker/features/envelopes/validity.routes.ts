import { type Context, Hono } from "hono";
import type { AppEnv, UserEnv } from "../../app-env";
import { envelopeResponse } from "../../contract/envelopes";
import {
  expiringDocumentResponse,
  expiringQuery,
  resumeInput,
  validityChanges,
} from "../../contract/validity";
import { respond, whenDone } from "../../middleware/describe";
import { rowsOf } from "../../middleware/list-pages";
import { asViewer, forUsers, senderOf } from "../../middleware/session";
import { idOf, jsonBody, query } from "../../middleware/validate";
import { ofOwnWorkspace } from "../workspaces/workspaces.service";
import { viewed } from "./envelopes.routes";

const loadService = () => import("./validity.service");
const ERRORS = ["envelope_not_found", "role_required", "not_found", "not_completed"] as const;

/** The document that the path names. */
const documentOf = (c: Context<UserEnv>) => ({ envelopeId: idOf(c), documentId: idOf(c, "documentId") });

/** Until when a submitted document is valid. */
export const validityRoutes = new Hono<AppEnv>()
  .patch(
    "/:id/documents/:documentId",
    forUsers(
      "Change until when a document is valid",
      { 200: envelopeResponse },
      [...ERRORS, "changed_meanwhile", "envelope_changed", "account_changed"],
      { details: "Of a submitted document, in every status. Absent fields stay unchanged." },
    ),
    jsonBody(validityChanges),
    async (c) => {
      const { changeValidity } = await loadService();
      const changed = changeValidity(c.var.deps, senderOf(c), documentOf(c), c.req.valid("json"));
      return respond(c, await viewed(c, changed));
    },
  )
  .delete(
    "/:id/documents/:documentId/renewal",
    forUsers("Stop asking again for a document", { 204: null }, [...ERRORS, "envelope_changed"]),
    async (c) => {
      const { changeValidity } = await loadService();
      const changes = { renewDays: null, updatedAt: null };
      return whenDone(c, changeValidity(c.var.deps, senderOf(c), documentOf(c), changes));
    },
  );

/** The submitted documents of all requests. */
export const documentRoutes = new Hono<AppEnv>()
  .get(
    "/expiring",
    forUsers("List the documents that expire", { 200: [expiringDocumentResponse] }, ["workspace_not_found"], {
      details:
        "Those that were received or accepted, with the day until which they are valid; the soonest first. Without those of which the same recipient has handed in a newer one.",
    }),
    query(expiringQuery),
    async (c) => {
      const call = c.req.valid("query");
      const { readExpiring } = await loadService();
      const documents = rowsOf(c, await readExpiring(c.var.deps, asViewer(c), call));
      return respond(c, await ofOwnWorkspace(c.var.deps, asViewer(c), call.workspaceId, documents));
    },
  )
  .post(
    "/expiring/resume",
    forUsers(
      "Go on asking again for documents",
      { 204: null },
      ["workspace_not_found", "role_required", "account_changed"],
      {
        details:
          "After an import, which pauses all renewals, or a reset of a password, which pauses those that its account has planned.",
      },
    ),
    jsonBody(resumeInput),
    async (c) => {
      const { goOnRenewing } = await loadService();
      return whenDone(c, goOnRenewing(c.var.deps, senderOf(c), c.req.valid("json").workspaceId));
    },
  );
