import { findUsage } from "../../../db/queries/quotas";
import type { RecipientEnvelope } from "../../../db/queries/submissions";
import { deleteUpload, findUpload, insertUpload, type Upload } from "../../../db/queries/uploads";
import { LIMITS } from "../../contract/limits";
import { type Quotas, quotaError } from "../../contract/quotas";
import type { Dependencies } from "../../dependencies";
import { type AppError, appError } from "../../errors";
import { cleanFileName, fileKey, randomUploadId } from "../../lib/file-names";
import { randomToken } from "../../lib/tokens";
import { parseMetadata } from "../../lib/tus";
import { UploadLostError } from "../../ports/file-store";
import { tryDeletePendingFiles } from "../files/file-deletions";
import { type RequestedDocument, requireAllowedType } from "../submissions/document-rules";
import { requireOpenDocument } from "../submissions/record-submission";
import { requireOpenEnvelope } from "../submissions/submissions.service";
import { appendToUpload, type OpenLink, type SentChunk } from "./append-upload";
import { dropLost, dropUpload, finishUpload } from "./finish-upload";
import { aliveSince, takeUploadLock } from "./upload-lock";

type NewUpload = {
  size: number;
  /** The Upload-Metadata header, which names the document and the file. */
  metadata: string;
};

/** Creates an upload. @throws AppError why it cannot be created */
export async function createUpload(
  deps: Dependencies,
  link: OpenLink,
  { size, metadata }: NewUpload,
): Promise<Pick<Upload, "id" | "offset" | "lastByteAt">> {
  const { config, db, clock } = deps;
  const pairs = parseMetadata(metadata);
  const [documentId, name] = [pairs?.get("document"), pairs?.get("filename")];
  if (documentId === undefined || name === undefined) throw appError("invalid_upload_metadata");
  const document = requireDocument(link.envelope, documentId);
  requireOpenDocument(link.envelope, document);
  const params = { document: document.name };
  const fileName = cleanFileName(name);
  if (!fileName) throw appError("invalid_file_name", { params });
  if (size === 0) throw appError("empty_file", { params });
  if (size > config.maxFileBytes)
    throw appError("file_too_large", { params: { ...params, maxMb: config.maxFileBytes / 1024 / 1024 } });
  const extension = requireAllowedType(document, fileName);
  requireCapacity(link.envelope, document, config.quotas);

  await deps.resumableFiles.requireSpace(size);

  const createdAt = clock.now().toISOString();
  const id = randomToken();
  const upload = {
    id,
    envelopeDocumentId: document.id,
    fileName,
    fileSize: size,
    metadata,
    filePath: fileKey(randomUploadId(), extension),
    createdAt,
  };
  if (!(await insertUpload(db, link.token, upload, config.quotas)))
    throw await whyNotInserted(deps, link.token, { document, size });
  return { id, offset: 0, lastByteAt: createdAt };
}

/**
 * Creates an upload together with its first chunk. If the chunk is rejected, the upload is deleted, since the client
 * does not know its id.
 * @throws AppError like `createUpload` and `appendToUpload`
 */
export async function createUploadWith(
  deps: Dependencies,
  link: OpenLink,
  given: NewUpload,
  sent: SentChunk,
): Promise<Pick<Upload, "id" | "offset" | "lastByteAt">> {
  const { id } = await createUpload(deps, link, given);
  try {
    return { id, ...(await appendToUpload(deps, link, id, sent)) };
  } catch (error) {
    await dropUpload(deps, link.envelope, id);
    throw error;
  }
}

/** @throws AppError `unknown_document`, `not_an_answer` */
function requireDocument({ documents }: RecipientEnvelope, given: string): RequestedDocument {
  const document = documents.find(({ id }) => String(id) === given);
  if (!document) throw appError("unknown_document", { params: { document: given.slice(0, LIMITS.name) } });
  if (document.kind !== "file") throw appError("not_an_answer", { params: { document: document.name } });
  return document;
}

/** @throws AppError `document_has_file`, `too_many_files`, `too_many_uploads` */
function requireCapacity(
  { uploads }: RecipientEnvelope,
  document: RequestedDocument,
  { uploadsPerEnvelope }: Quotas,
): void {
  const params = { document: document.name, max: LIMITS.filesPerDocument };
  const files = uploads.filter(({ envelopeDocumentId }) => envelopeDocumentId === document.id).length;
  if (!document.multiple && files > 0) throw appError("document_has_file", { params });
  if (files >= LIMITS.filesPerDocument) throw appError("too_many_files", { params });
  const underWay = uploads.filter(({ completedAt }) => completedAt === null).length;
  if (underWay >= uploadsPerEnvelope) throw appError("too_many_uploads");
}

/** What the insert rejected although the earlier read of the envelope allowed it. */
async function whyNotInserted(
  deps: Dependencies,
  token: string,
  { document, size }: { document: RequestedDocument; size: number },
): Promise<AppError> {
  const { db, config } = deps;
  const envelope = await requireOpenEnvelope(deps, token);
  requireCapacity(envelope, requireDocument(envelope, String(document.id)), config.quotas);
  const usage = await findUsage(db, token, config.quotas);
  return appError((usage && quotaError(config.quotas, usage, size)) ?? "envelope_changed");
}

/**
 * The progress of an upload. If every byte is stored but a crash interrupted the checks, it is finished first.
 * @throws AppError `not_found`, `upload_locked`, and what is wrong with the file
 */
export async function readUpload(
  deps: Dependencies,
  { token, envelope }: OpenLink,
  id: string,
): Promise<Upload> {
  const named = { submissionToken: token, id };
  const upload = await findUpload(deps.db, named, aliveSince(deps.clock.now()));
  if (!upload) throw appError("not_found");
  if (upload.completedAt !== null || upload.offset < upload.fileSize) return upload;
  const lock = await takeUploadLock(deps, named);
  try {
    await finishUpload(deps, lock, { envelope, file: lock.upload, hash: undefined });
  } catch (error) {
    if (error instanceof UploadLostError) await dropLost(deps, envelope, id);
    throw error;
  } finally {
    await lock.release();
  }
  return upload;
}

/** Deletes an upload, finished or not. @throws AppError `not_found` */
export async function removeUpload(deps: Dependencies, token: string, id: string): Promise<void> {
  const now = deps.clock.now().toISOString();
  if (!(await deleteUpload(deps.db, { submissionToken: token, id }, now))) throw appError("not_found");
  await tryDeletePendingFiles(deps);
}
