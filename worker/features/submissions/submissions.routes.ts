import { type Context, Hono } from "hono";
import { createMiddleware } from "hono/factory";
import type { RecipientEnvelope } from "../../../db/queries/submissions";
import type { AppEnv } from "../../app-env";
import { submitInput } from "../../contract/submissions";
import { appError } from "../../errors";
import { matchesEtag } from "../../lib/etag";
import { RATE_RULES } from "../../lib/rate-rules";
import { fileHeaders } from "../../lib/security-headers";
import { storedAvatar } from "../../lib/stored-avatar";
import { hashToken } from "../../lib/tokens";
import { describe } from "../../middleware/describe";
import { limitByAddress } from "../../middleware/rate-limit";
import { signedInUserId } from "../../middleware/session";
import { jsonBody, optionalJson } from "../../middleware/validate";
import { announcedLength } from "../files/upload-quotas";
import { recipientView } from "./recipient-view";
import {
  completeSubmission,
  recordOpening,
  requireOpenEnvelope,
  requireUploadsFinished,
  type Submitted,
  submitUploads,
} from "./submissions.service";

/** The link's state and its unfinished uploads are checked before the body. */
const openEnvelope = createMiddleware<AppEnv & { Variables: { envelope: RecipientEnvelope } }>(
  async (c, next) => {
    const envelope = await requireOpenEnvelope(c.var.deps, c.req.param("token") ?? "");
    requireUploadsFinished(envelope);
    c.set("envelope", envelope);
    await next();
  },
);

const TOKEN = { texts: ["token"] };
const LINK = ["submission_not_found", "completed", "expired"] as const;
const FILES = [
  "malformed_multipart",
  "too_many_uploads",
  "multipart_required",
  "missing_documents",
  "nothing_to_submit",
  "unknown_document",
  "duplicate_document",
  "not_a_file",
  "empty_file",
  "invalid_file_name",
  "upload_interrupted",
  "upload_too_slow",
  "infected_file",
  "document_has_file",
  "too_many_files",
  "envelope_changed",
  "file_too_large",
  "file_type_not_allowed",
  "file_content_mismatch",
] as const;

export const submissionRoutes = new Hono<AppEnv>()
  .get(
    "/:token",
    describe("Read the request of a link", { 200: "RecipientRequest" }, LINK, TOKEN),
    limitByAddress(RATE_RULES.linkReads),
    async (c) =>
      c.json(recipientView(await requireOpenEnvelope(c.var.deps, c.req.param("token")), c.var.deps)),
  )
  .get(
    "/:token/picture",
    describe("Read the requestor's picture", { 200: "*/*", 304: null }, [...LINK, "not_found"], TOKEN),
    limitByAddress(RATE_RULES.linkReads),
    async (c) => {
      const { config, files } = c.var.deps;
      const { user } = await requireOpenEnvelope(c.var.deps, c.req.param("token"));
      const picture = storedAvatar(user);
      if (!picture) throw appError("not_found");
      const { key, mimeType, fileSize } = picture;
      // The recipient must not see the key.
      const etag = `"${await hashToken(key)}"`;
      const headers = { ...fileHeaders(config.transport), "Content-Type": mimeType, ETag: etag };
      if (matchesEtag(c.req.header("if-none-match"), etag)) return c.body(null, 304, headers);
      const body = await files.read(key);
      if (!body) throw appError("not_found");
      return c.body(body, 200, { ...headers, "Content-Length": String(fileSize) });
    },
  )
  .post(
    "/:token/opened",
    describe("Record that the recipient opened the link", { 204: null }, LINK, TOKEN),
    limitByAddress(RATE_RULES.openings),
    async (c) => {
      const visitor = { userId: await signedInUserId(c), address: c.env.clientAddress };
      await recordOpening(c.var.deps, c.req.param("token"), visitor);
      return c.body(null, 204);
    },
  )
  .post(
    "/:token",
    describe("Submit files", { 201: "Submitted" }, [...LINK, ...FILES], {
      ...TOKEN,
      body: "multipart/form-data",
      details: "One field for each requested document, named as the document. All or nothing.",
    }),
    limitByAddress(RATE_RULES.submissions),
    async (c) => {
      c.env.allowSlowBody?.();
      const upload = {
        body: c.req.raw.body,
        contentType: c.req.header("content-type"),
        contentLength: announcedLength(c.req.header("content-length")),
        address: c.env.clientAddress,
      };
      return submittedResponse(c, await completeSubmission(c.var.deps, c.req.param("token"), upload));
    },
  )
  .post(
    "/:token/submit",
    describe(
      "Submit what was uploaded",
      { 201: "Submitted" },
      [
        ...LINK,
        "uploads_unfinished",
        "missing_documents",
        "nothing_to_submit",
        "unknown_document",
        "document_has_file",
        "envelope_changed",
        "file_type_not_allowed",
        "duplicate_document",
      ],
      { ...TOKEN, errorsAt: { 400: ["document_has_file"] } },
    ),
    limitByAddress(RATE_RULES.submissions),
    openEnvelope,
    optionalJson,
    jsonBody(submitInput),
    async (c) => {
      const answer = { texts: c.req.valid("json"), address: c.env.clientAddress };
      return submittedResponse(c, await submitUploads(c.var.deps, c.var.envelope, answer));
    },
  );

function submittedResponse<Env extends AppEnv>(
  c: Context<Env>,
  { envelopeId, submittedAt, files }: Submitted,
) {
  c.var.deps.log.info("submitted", { envelopeId, files: files.length });
  const submissions = files.map(({ document, fileName, fileSize, sha256 }) => ({
    documentName: document.name,
    fileName,
    fileSize,
    sha256,
  }));
  return c.json({ status: "completed" as const, submittedAt, submissions }, 201);
}
