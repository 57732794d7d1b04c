import { type Context, Hono } from "hono";
import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../../app-env";
import { appError } from "../../errors";
import { CHUNK_TYPE, isChunk, parseBytes, parseChecksum, TUS_EXTENSIONS, TUS_VERSION } from "../../lib/tus";
import { describe } from "../../middleware/describe";
import { limitByAddress } from "../../middleware/rate-limit";
import { RATE_RULES } from "../rate-limits/rate-rules";
import { requireOpenEnvelope } from "../submissions/submissions.service";
import { appendToUpload, type OpenLink, type SentChunk } from "./append-upload";
import { expiryHeader } from "./upload-lock";
import { createUpload, createUploadWith, readUpload, removeUpload } from "./uploads.service";

type TusEnv = AppEnv & { Variables: AppEnv["Variables"] & { link: OpenLink } };
type TusContext = Context<TusEnv>;

/** Checks the link's state before anything else, then the protocol's version. */
const openLink = createMiddleware<TusEnv>(async (c, next) => {
  const token = c.req.param("token") ?? "";
  c.set("link", { token, envelope: await requireOpenEnvelope(c.var.deps, token) });
  if (c.req.method !== "OPTIONS" && c.req.header("Tus-Resumable") !== TUS_VERSION) {
    c.header("Tus-Version", TUS_VERSION);
    throw appError("tus_version");
  }
  await next();
});

const UPLOADS = "/:token/uploads";
const UPLOAD = "/:token/uploads/:id";
const TOKEN = { texts: ["token"] };
const UPLOAD_ID = { texts: ["token", "id"], headers: { "Tus-Resumable*": "1.0.0" } };
const LINK = ["submission_not_found", "link_replaced", "completed", "expired"] as const;
const CREATION = [
  "invalid_upload_length",
  "invalid_upload_metadata",
  "unknown_document",
  "not_an_answer",
  "document_has_file",
  "too_many_files",
  "too_many_uploads",
  "file_too_large",
  "file_type_not_allowed",
  "empty_file",
  "invalid_file_name",
  "envelope_changed",
] as const;
const FINISHING = [
  "not_found",
  "tus_version",
  "upload_locked",
  "file_content_mismatch",
  "infected_file",
] as const;
const CHUNK_ERRORS = [
  ...FINISHING,
  "invalid_upload_offset",
  "invalid_checksum",
  "offset_mismatch",
  "checksum_mismatch",
  "upload_too_long",
  "upload_too_slow",
  "upload_interrupted",
  "invalid_content_type",
  "envelope_changed",
] as const;
const limitChunks = limitByAddress(RATE_RULES.uploadChunks);

/** Resumable uploads by tus 1.0.0, for anyone with the link. */
export const uploadRoutes = new Hono<TusEnv>()
  .options(
    UPLOADS,
    describe("List the capabilities of the upload protocol", { 204: null }, LINK, TOKEN),
    limitChunks,
    openLink,
    (c) =>
      c.body(null, 204, {
        "Tus-Version": TUS_VERSION,
        "Tus-Extension": TUS_EXTENSIONS,
        "Tus-Checksum-Algorithm": "sha256",
        "Tus-Max-Size": String(c.var.deps.config.maxFileBytes),
      }),
  )
  .post(
    UPLOADS,
    describe("Begin an upload", { 201: null }, [...LINK, ...CREATION, ...CHUNK_ERRORS], {
      ...TOKEN,
      headers: {
        "Tus-Resumable*": "1.0.0",
        "Upload-Length*": "The size of the file in bytes",
        "Upload-Metadata*":
          "`document` and `filename`, each followed by a space and its value in base64, separated by a comma",
      },
    }),
    limitByAddress(RATE_RULES.uploads),
    openLink,
    create,
  )
  // Content delivery networks turn HEAD into GET. Recipients cannot download the bytes.
  .get(
    UPLOAD,
    describe("Read the progress of an upload", { 200: null }, [...LINK, ...FINISHING], {
      ...UPLOAD_ID,
      methods: ["head", "get"],
    }),
    limitChunks,
    openLink,
    head,
  )
  .patch(
    UPLOAD,
    describe("Append to an upload", { 204: null }, [...LINK, ...CHUNK_ERRORS], {
      ...UPLOAD_ID,
      body: CHUNK_TYPE,
      headers: {
        "Tus-Resumable*": "1.0.0",
        "Upload-Offset*": "Where these bytes begin",
        "Upload-Checksum": "`sha256`, a space and the hash of these bytes in base64",
      },
    }),
    limitChunks,
    openLink,
    append,
  )
  .delete(
    UPLOAD,
    describe(
      "Delete an upload",
      { 204: null },
      [...LINK, "not_found", "tus_version", "upload_locked"],
      UPLOAD_ID,
    ),
    limitChunks,
    openLink,
    remove,
  )
  .post(
    UPLOAD,
    describe("Call an upload with another method", { 200: null, 204: null }, [...LINK, ...CHUNK_ERRORS], {
      ...UPLOAD_ID,
      body: CHUNK_TYPE,
      headers: { "X-HTTP-Method-Override*": "PATCH, DELETE or HEAD, for clients that cannot send it" },
    }),
    limitChunks,
    openLink,
    override,
  );

/** For clients that cannot send every method. */
async function override(c: TusContext): Promise<Response> {
  switch (c.req.header("X-HTTP-Method-Override")?.toUpperCase()) {
    case "PATCH":
      return append(c);
    case "DELETE":
      return remove(c);
    case "HEAD":
      return head(c);
    default:
      return notFound();
  }
}

async function create(c: TusContext): Promise<Response> {
  const { deps, link } = c.var;
  const size = parseBytes(c.req.header("Upload-Length"));
  if (size === null) throw appError("invalid_upload_length");
  const given = { size, metadata: c.req.header("Upload-Metadata") ?? "" };
  const hasChunk = isChunk(c.req.header("Content-Type"));
  const upload = hasChunk
    ? await createUploadWith(deps, link, given, chunkOf(c, 0))
    : await createUpload(deps, link, given);
  c.header("Location", `/api/submissions/${link.token}/uploads/${upload.id}`);
  if (hasChunk) c.header("Upload-Offset", String(upload.offset));
  c.header("Upload-Expires", expiryHeader(upload));
  return c.body(null, 201);
}

async function head(c: TusContext): Promise<Response> {
  const upload = await readUpload(c.var.deps, c.var.link, idOf(c));
  return c.body(null, 200, {
    "Upload-Offset": String(upload.offset),
    "Upload-Length": String(upload.fileSize),
    "Upload-Metadata": upload.metadata,
    "Upload-Expires": expiryHeader(upload),
    "Cache-Control": "no-store",
  });
}

async function append(c: TusContext): Promise<Response> {
  if (!isChunk(c.req.header("Content-Type"))) throw appError("invalid_content_type");
  const start = parseBytes(c.req.header("Upload-Offset"));
  if (start === null) throw appError("invalid_upload_offset");
  const upload = await appendToUpload(c.var.deps, c.var.link, idOf(c), chunkOf(c, start));
  return c.body(null, 204, {
    "Upload-Offset": String(upload.offset),
    "Upload-Expires": expiryHeader(upload),
  });
}

async function remove(c: TusContext): Promise<Response> {
  await removeUpload(c.var.deps, c.var.link.token, idOf(c));
  return c.body(null, 204);
}

function chunkOf(c: TusContext, offset: number): SentChunk {
  const given = c.req.header("Upload-Checksum");
  const checksum = given === undefined ? undefined : parseChecksum(given);
  if (checksum === null) throw appError("invalid_checksum");
  c.env.allowSlowBody?.();
  return { body: c.req.raw.body, offset, length: parseBytes(c.req.header("Content-Length")), checksum };
}

function notFound(): never {
  throw appError("not_found");
}

const idOf = (c: TusContext) => c.req.param("id") ?? "";
