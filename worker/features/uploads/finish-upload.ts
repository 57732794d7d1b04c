import type { RecipientEnvelope } from "../../../db/queries/submissions";
import { deleteUpload, type Upload, type UploadChanges } from "../../../db/queries/uploads";
import { extensionOf } from "../../contract/files";
import type { Dependencies } from "../../dependencies";
import { appError } from "../../errors";
import type { Sha256 } from "../../ports/crypto";
import { StoreUnavailableError } from "../../ports/file-store";
import { tryDeletePendingFiles } from "../files/file-deletions";
import { createTypeCheck, type TypeCheck } from "../files/receive-bytes";
import { scanUploads } from "../files/scanning";
import { requireMatchingContent } from "../submissions/document-rules";
import { type UploadLock, whileLocked } from "./upload-lock";

type Finishing = {
  envelope: RecipientEnvelope;
  /** The upload, with every byte stored. */
  file: Upload;
  /** The hash of all its bytes, if this process has received them. */
  hash: Sha256 | undefined;
};

/**
 * Prepares a completely stored file for submission: checks its type, hashes and scans it. May be repeated after a crash,
 * with the same result.
 * @throws AppError `file_content_mismatch` and `infected_file`, which delete the upload; `not_found` if it was deleted
 *   meanwhile
 */
export async function finishUpload(
  deps: Dependencies,
  lock: UploadLock,
  { envelope, file, hash }: Finishing,
): Promise<void> {
  const { filePath: key, fileSize: size, offset, storeState: state } = file;
  const type = await finishTypeCheck(deps, envelope, file);
  const changes = await whileLocked(lock, deps, async (): Promise<UploadChanges | "infected"> => {
    await deps.resumableFiles.finish({ key, size, offset, state });
    const sha256 = hash ? hash.digest() : await hashStored(deps, key);
    const [verdict] = (await scanUploads(deps, [key])) ?? [];
    if (verdict?.kind === "infected") return "infected";
    const completedAt = deps.clock.now().toISOString();
    return { ...type, sha256, completedAt, scanDueAt: verdict?.kind === "unknown" ? completedAt : null };
  });
  const { id, envelopeDocumentId } = lock.upload;
  if (changes !== "infected") {
    await lock.saveAndRelease(changes);
    deps.log.info("uploaded", { envelopeId: envelope.id, documentId: envelopeDocumentId, bytes: size });
    return;
  }
  await dropUpload(deps, envelope, id);
  const document = envelope.documents.find((one) => one.id === envelopeDocumentId)?.name ?? "";
  throw appError("infected_file", { params: { document } });
}

/** Continues the check of an upload's type. @throws AppError `not_found` if its document was removed */
export function openTypeCheck({ documents }: RecipientEnvelope, upload: Upload): TypeCheck {
  const document = documents.find(({ id }) => id === upload.envelopeDocumentId);
  if (!document) throw appError("not_found");
  const extension = extensionOf(upload.fileName);
  return createTypeCheck((...sample) => requireMatchingContent(document, extension, ...sample), upload);
}

/** A request that broke after the last byte, or a crash, has stored the bytes without this check. */
async function finishTypeCheck(
  deps: Dependencies,
  envelope: RecipientEnvelope,
  file: Upload,
): Promise<UploadChanges> {
  const type = openTypeCheck(envelope, file);
  try {
    await type.end();
  } catch (error) {
    await dropUpload(deps, envelope, file.id);
    throw error;
  }
  return type.stateAt(file.fileSize);
}

/** Deletes an upload that must not be continued. */
export async function dropUpload(deps: Dependencies, envelope: RecipientEnvelope, id: string): Promise<void> {
  const { submissionToken } = envelope;
  await deleteUpload(deps.db, { submissionToken, id }, deps.clock.now().toISOString());
  await tryDeletePendingFiles(deps);
}

/** Deletes an upload whose bytes the store no longer has: the recipient chooses the file again. @throws AppError `not_found` */
export async function dropLost(deps: Dependencies, envelope: RecipientEnvelope, id: string): Promise<never> {
  deps.log.warn("upload lost by the file store", { envelopeId: envelope.id });
  await dropUpload(deps, envelope, id);
  throw appError("not_found");
}

const MOST = 1000;

/**
 * Takes the hash of an upload's bytes up to the offset, as this process left it after the previous chunk; undefined if
 * another process received that chunk. The state of the runtimes' native hashes cannot be stored, and a hash in
 * JavaScript takes five times as long; in that case the finished file is read again instead.
 */
export function takeHash(
  { memory: { hashes }, createSha256 }: Dependencies,
  id: string,
  offset: number,
): Sha256 | undefined {
  const known = hashes.get(id);
  hashes.delete(id);
  if (offset === 0) return createSha256();
  return known?.offset === offset ? known.hash : undefined;
}

/** Stores the hash for the next chunk. Above the limit, the oldest is dropped. */
export function cacheHash(
  { memory: { hashes } }: Dependencies,
  id: string,
  known: { offset: number; hash: Sha256 },
): void {
  const [oldest] = hashes.size >= MOST ? hashes.keys() : [];
  if (oldest !== undefined) hashes.delete(oldest);
  hashes.set(id, known);
}

/** The hash of a stored file, computed by reading it. */
async function hashStored({ files, createSha256 }: Dependencies, key: string): Promise<string> {
  const bytes = await files.read(key);
  if (!bytes) throw new StoreUnavailableError("The finished file is missing");
  const hash = createSha256();
  for await (const chunk of bytes) hash.update(chunk);
  return hash.digest();
}
