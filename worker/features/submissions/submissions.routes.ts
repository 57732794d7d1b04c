import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { findLinkedAttachment } from "../../../db/queries/attachments";
import type { RecipientEnvelope } from "../../../db/queries/submissions";
import type { AppEnv } from "../../app-env";
import { answersInput } from "../../contract/answers";
import {
  linkMessageInput,
  recipientEnvelopeResponse,
  submitInput,
  submittedResponse,
} from "../../contract/submissions";
import type { Dependencies } from "../../dependencies";
import { appError } from "../../errors";
import { describe, respond, withDescription } from "../../middleware/describe";
import { uploadOf } from "../../middleware/late-body";
import { limitByAddress } from "../../middleware/rate-limit";
import { serveDownload, serveImage } from "../../middleware/serve-file";
import { currentSession } from "../../middleware/session";
import { idOf, jsonBody, optionalJsonBody } from "../../middleware/validate";
import { storedAvatar, storedLogo } from "../files/stored-images";
import { declaredLength } from "../files/upload-quotas";
import { RATE_RULES, requireAllowed } from "../rate-limits/rate-rules";
import { offeredAnswers } from "./answers";
import { recipientView } from "./recipient-view";
import { hasQuestions } from "./record-submission";
import {
  completeSubmission,
  keepSentAnswers,
  readOpenEnvelope,
  recordOpening,
  requireOpenEnvelope,
  requireSentEnvelope,
  requireUploadsFinished,
  type Submitted,
  sendMessage,
  submitUploads,
} from "./submissions.service";

/** The link's state is checked before the body. */
const openEnvelope = createMiddleware<AppEnv & { Variables: { envelope: RecipientEnvelope } }>(
  async (c, next) => {
    const envelope = await requireOpenEnvelope(c.var.deps, c.req.param("token") ?? "");
    c.set("envelope", envelope);
    await next();
  },
);

/** So are its unfinished uploads, when they would be submitted; of some documents, answers decide that. */
const uploadsFinished = createMiddleware<AppEnv & { Variables: { envelope: RecipientEnvelope } }>(
  async (c, next) => {
    if (!hasQuestions(c.var.envelope)) requireUploadsFinished(c.var.envelope);
    await next();
  },
);

/** Those that are rejected count too. */
const answersAllowed = withDescription(
  createMiddleware<AppEnv & { Variables: { envelope: RecipientEnvelope } }>(async (c, next) => {
    const { deps, envelope } = c.var;
    requireAllowed(await deps.rateLimiter.hit(RATE_RULES.answersOfLink, String(envelope.id)));
    await next();
  }),
  { errors: ["rate_limited"] },
);

const TOKEN = { texts: ["token"] };
const LINK = ["submission_not_found", "link_replaced", "completed", "expired"] as const;
const FILES = [
  "malformed_multipart",
  "too_many_uploads",
  "multipart_required",
  "missing_documents",
  "nothing_to_submit",
  "unknown_document",
  "duplicate_document",
  "not_a_file",
  "not_an_answer",
  "invalid_answer",
  "empty_file",
  "invalid_file_name",
  "upload_interrupted",
  "upload_too_slow",
  "infected_file",
  "document_answered",
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
    describe("Read the request of a link", { 200: recipientEnvelopeResponse }, LINK, TOKEN),
    limitByAddress(RATE_RULES.linkReads),
    async (c) => {
      const deps = c.get("deps");
      const envelope = await readOpenEnvelope(deps, c.req.param("token"));
      const offered = envelope.prefill ? await offeredAnswers(deps, envelope) : undefined;
      return respond(c, await recipientView(envelope, deps, offered));
    },
  )
  .get(
    "/:token/picture",
    describe("Read the requestor's picture", { 200: "*/*", 304: null }, [...LINK, "not_found"], TOKEN),
    limitByAddress(RATE_RULES.linkReads),
    async (c) => {
      const { user } = await requireOpenEnvelope(c.var.deps, c.req.param("token"));
      return serveImage(c, c.var.deps, storedAvatar(user));
    },
  )
  .get(
    "/:token/logo",
    describe(
      "Read the logo of the sender",
      { 200: "*/*", 304: null },
      ["submission_not_found", "link_replaced", "not_found"],
      TOKEN,
    ),
    limitByAddress(RATE_RULES.linkReads),
    async (c) => {
      const { brand } = await requireSentEnvelope(c.var.deps, c.req.param("token"));
      return serveImage(c, c.var.deps, storedLogo(brand));
    },
  )
  .get(
    "/:token/attachments/:id",
    describe(
      "Download a form of a link",
      { 200: "*/*", 304: null },
      [...LINK, "attachment_not_found", "not_found"],
      TOKEN,
    ),
    limitByAddress(RATE_RULES.linkReads),
    async (c) => {
      const { id } = await requireOpenEnvelope(c.var.deps, c.req.param("token"));
      const attachment = await findLinkedAttachment(c.var.deps.db, id, idOf(c));
      if (!attachment) throw appError("attachment_not_found");
      return serveDownload(c, c.var.deps, attachment);
    },
  )
  .post(
    "/:token/opened",
    describe("Record that the recipient opened the link", { 204: null }, LINK, TOKEN),
    limitByAddress(RATE_RULES.openings),
    async (c) => {
      const session = await currentSession(c);
      const visitor = session && ({ userId: session.userId, role: "viewer" } as const);
      const visit = { visitor, address: c.env.clientAddress };
      await recordOpening(c.var.deps, c.req.param("token"), visit);
      return c.body(null, 204);
    },
  )
  .post(
    "/:token/messages",
    describe("Write to the requestor", { 204: null }, LINK, {
      ...TOKEN,
      details: "A message on its own, before the submission. At most 10 a day for a link.",
    }),
    limitByAddress(RATE_RULES.linkMessages),
    openEnvelope,
    jsonBody(linkMessageInput),
    async (c) => {
      const message = { ...c.req.valid("json"), address: c.env.clientAddress };
      await sendMessage(c.var.deps, c.var.envelope, message);
      return c.body(null, 204);
    },
  )
  .put(
    "/:token/answers",
    describe(
      "Keep answers until the submission",
      { 204: null },
      [...LINK, "unknown_document", "invalid_answer", "document_answered"],
      { ...TOKEN, details: "All or nothing. Nobody sees them before the submission." },
    ),
    limitByAddress(RATE_RULES.answers),
    openEnvelope,
    answersAllowed,
    jsonBody(answersInput),
    async (c) => {
      await keepSentAnswers(c.var.deps, c.var.envelope, c.req.valid("json").answers);
      return c.body(null, 204);
    },
  )
  .post(
    "/:token",
    describe("Submit files", { 201: submittedResponse }, [...LINK, ...FILES], {
      ...TOKEN,
      body: "multipart/form-data",
      details: "One field for each requested document, named as the document. All or nothing.",
    }),
    limitByAddress(RATE_RULES.submissions),
    async (c) => {
      const contentLength = declaredLength(c.req.header("content-length"));
      const upload = { ...uploadOf(c), contentLength, address: c.env.clientAddress };
      const submitted = await completeSubmission(c.var.deps, c.req.param("token"), upload);
      return respond(c, submittedView(c.var.deps, submitted));
    },
  )
  .post(
    "/:token/submit",
    describe(
      "Submit what was uploaded",
      { 201: submittedResponse },
      [
        ...LINK,
        "uploads_unfinished",
        "missing_documents",
        "missing_valid_until",
        "nothing_to_submit",
        "unknown_document",
        "invalid_answer",
        "document_answered",
        "document_has_file",
        "envelope_changed",
        "file_type_not_allowed",
        "duplicate_document",
      ],
      { ...TOKEN, errorsAt: { 400: ["document_has_file"] } },
    ),
    limitByAddress(RATE_RULES.submissions),
    openEnvelope,
    uploadsFinished,
    optionalJsonBody(submitInput),
    async (c) => {
      const submission = { input: c.req.valid("json"), address: c.env.clientAddress };
      return respond(
        c,
        submittedView(c.var.deps, await submitUploads(c.var.deps, c.var.envelope, submission)),
      );
    },
  );

/** What was submitted, for its response. */
function submittedView({ log }: Dependencies, { envelopeId, submittedAt, files }: Submitted) {
  log.info("submitted", { envelopeId, files: files.length });
  const submissions = files.map(({ document, fileName, fileSize, sha256 }) => ({
    documentName: document.name,
    fileName,
    fileSize,
    sha256,
  }));
  return { status: "completed" as const, submittedAt, submissions };
}
