import { Hono } from "hono";
import { findAttachment } from "../../../db/queries/attachments";
import type { AppEnv } from "../../app-env";
import { attachmentResponse } from "../../contract/attachments";
import { appError } from "../../errors";
import { respond } from "../../middleware/describe";
import { uploadOf } from "../../middleware/late-body";
import { serveDownload } from "../../middleware/serve-file";
import { asMember, asViewer, forUsers } from "../../middleware/session";
import { idOf } from "../../middleware/validate";
import { addAttachment } from "./attachments.service";

export const attachmentRoutes = new Hono<AppEnv>()
  .post(
    "/",
    forUsers(
      "Add a form to fill in",
      { 201: attachmentResponse },
      [
        "workspace_not_found",
        "role_required",
        "too_many_attachments",
        "attachment_missing",
        "attachment_too_large",
        "attachment_type_not_allowed",
        "infected_attachment",
        "scanner_unavailable",
        "malformed_multipart",
        "multipart_required",
        "upload_interrupted",
        "upload_too_slow",
      ],
      {
        body: "multipart/form-data",
        details:
          "PDF, Word, Excel, PNG or JPEG in the field `file`, and `workspaceId`. Name its id in `attachments` of a requested document. 7 days after nothing has it any more, it is deleted.",
      },
    ),
    async (c) => {
      const added = await addAttachment(c.var.deps, asMember(c), uploadOf(c));
      c.var.deps.log.info("form added", { userId: c.var.user.id, attachmentId: added.id });
      return respond(c, added);
    },
  )
  .get(
    "/:id",
    forUsers("Download a form to fill in", { 200: "*/*", 304: null }, ["attachment_not_found"]),
    async (c) => {
      const attachment = await findAttachment(c.var.deps.db, asViewer(c), idOf(c));
      if (!attachment) throw appError("attachment_not_found");
      return serveDownload(c, c.var.deps, attachment);
    },
  );
