import { Hono } from "hono";
import { listBulkSends } from "../../../db/queries/bulk-sends";
import type { AppEnv } from "../../app-env";
import {
  acceptedBulkSendResponse,
  bulkSendDetailsResponse,
  bulkSendInput,
  bulkSendResponse,
  bulkSendsQuery,
} from "../../contract/bulk-sends";
import { SERVER_LIMITS } from "../../contract/limits";
import { respond } from "../../middleware/describe";
import { idempotent } from "../../middleware/idempotency";
import { asViewer, forUsers, senderOf } from "../../middleware/session";
import { idOf, jsonBody, query } from "../../middleware/validate";
import { ofOwnWorkspace } from "../workspaces/workspaces.service";
import { MESSAGE_ERRORS } from "./sending-limits";

/** Not part of the script that a Worker reads at its start. */
const loadService = () => import("./bulk-sends.service");

/** The response does not change with what has been done since. */
const accepted = ({ id, total }: { id: number; total: number }) => ({ id, total, created: 0, failed: [] });

/** One envelope for many recipients. */
export const bulkSendRoutes = new Hono<AppEnv>()
  .get(
    "/",
    forUsers("List the latest bulk sends", { 200: [bulkSendResponse] }, ["workspace_not_found"]),
    query(bulkSendsQuery),
    async (c) => {
      const { workspaceId } = c.req.valid("query");
      const viewer = asViewer(c);
      const { bulkSendView } = await loadService();
      const call = { workspaceId: workspaceId ?? viewer.workspaceId, limit: SERVER_LIMITS.bulkSendsPage };
      const rows = await listBulkSends(c.var.deps.db, viewer, call);
      await ofOwnWorkspace(c.var.deps, viewer, workspaceId, rows);
      return respond(c, rows.map(bulkSendView));
    },
  )
  .post(
    "/",
    forUsers(
      "Send a request to many recipients",
      { 202: acceptedBulkSendResponse },
      [
        "role_required",
        "workspace_not_found",
        "contact_not_found",
        "template_not_found",
        "attachment_not_found",
        "missing_placeholder",
        "verify_email",
        "too_many_invitations",
        "bulk_too_large",
        "account_changed",
        ...MESSAGE_ERRORS,
        "envelope_not_found",
      ],
      {
        details:
          "All recipients are checked before anything is stored; the requests are created in the background. `GET /api/requests/bulk/{id}` tells how far it is.",
      },
    ),
    idempotent(async (c, id) => {
      const { requireBulkSend } = await loadService();
      return accepted(await requireBulkSend(c.var.deps, asViewer(c), Number(id)));
    }, 202),
    jsonBody(bulkSendInput),
    async (c) => {
      const sender = { ...senderOf(c), apiTokenId: c.var.apiToken?.id ?? null };
      const { sendToMany } = await loadService();
      return respond(c, accepted(await sendToMany(c.var.deps, sender, c.req.valid("json"), c.var.claim)));
    },
  )
  .get(
    "/:id",
    forUsers("Read the progress of a bulk send", { 200: bulkSendDetailsResponse }, ["envelope_not_found"]),
    async (c) => {
      const { requireBulkSendDetails } = await loadService();
      return respond(c, await requireBulkSendDetails(c.var.deps, asViewer(c), idOf(c)));
    },
  );
