import type { RecipientEnvelope } from "../../../db/queries/submissions";
import { listOrphanKeys } from "../../../db/queries/upload-leases";
import type { Upload } from "../../../db/queries/uploads";
import { extensionOf } from "../../contract/files";
import type { Dependencies } from "../../dependencies";
import { AppError, appError, causes } from "../../errors";
import { freeMemory, uploadPieces } from "../../lib/upload-body";
import type { Progress, ResumableFileWriter } from "../../ports/resumable-file-store";
import type { Sha256 } from "../../ports/sha256";
import { requireMatchingContent } from "../submissions/document-rules";
import { dropUpload, finishUpload } from "./finish-upload";
import { cacheHash, takeHash } from "./hashes";
import { createTypeCheck, type TypeCheck } from "./type-check";
import { takeUploadLock, type UploadLock, whileLocked } from "./upload-lock";

/** The open envelope behind a link, and the link's token. */
export type OpenLink = { token: string; envelope: RecipientEnvelope };

/** One chunk of a file, as sent by one request. */
export type Piece = {
  body: ReadableStream<Uint8Array> | null;
  /** Its offset in the file. */
  offset: number;
  /** Its length, if it was announced. */
  length: number | null;
  /** Its expected SHA-256; undefined without a checksum. */
  checksum: string | undefined;
};

/**
 * Appends a chunk to an upload, and finishes the upload with its last byte. Of an interrupted chunk, the received bytes
 * are stored; a chunk with a checksum is stored as a whole or not at all.
 * @returns the upload's new offset, and when its last byte arrived
 * @throws AppError `not_found`, `upload_locked`, `offset_mismatch`, `upload_too_long`, `checksum_mismatch`,
 *   `file_content_mismatch` and `infected_file` (these two delete the upload), `upload_interrupted`
 */
export async function appendToUpload(
  deps: Dependencies,
  link: OpenLink,
  id: string,
  piece: Piece,
): Promise<Pick<Upload, "offset" | "lastByteAt">> {
  const lock = await takeUploadLock(deps, { submissionToken: link.token, id });
  try {
    const { upload } = lock;
    if (piece.offset !== upload.offset)
      throw appError("offset_mismatch", { params: { offset: upload.offset } });
    if (piece.offset + (piece.length ?? 0) > upload.fileSize) throw tooLong(upload);
    const { file, hash, lastByteAt } = await writePiece(deps, lock, link, piece);
    const isWhole = file.offset === upload.fileSize;
    if (isWhole && upload.completedAt === null)
      await finishUpload(deps, lock, { envelope: link.envelope, file, hash });
    return { offset: file.offset, lastByteAt };
  } catch (error) {
    if (codeOf(error) === "file_content_mismatch") await dropUpload(deps, link.envelope, id);
    if (codeOf(error) === "not_found") await removeRemains(deps, lock.upload);
    throw error;
  } finally {
    await lock.release();
  }
}

/** The upload was removed while bytes arrived, which may have been stored after its file was removed. */
async function removeRemains(
  { db, resumableFiles, log }: Dependencies,
  { filePath, storeState }: Upload,
): Promise<void> {
  try {
    const orphans = await listOrphanKeys(db, [filePath]);
    for (const key of orphans) await resumableFiles.abandon(key, storeState);
  } catch (error) {
    log.error("remains of an upload not removed", { error: causes(error) });
  }
}

const tooLong = ({ fileSize }: Upload) => appError("upload_too_long", { params: { length: fileSize } });

type Written = { file: Upload; hash: Sha256 | undefined; lastByteAt: string };

async function writePiece(
  deps: Dependencies,
  lock: UploadLock,
  { envelope }: OpenLink,
  piece: Piece,
): Promise<Written> {
  const { upload } = lock;
  const hash = takeHash(deps, upload.id, upload.offset);
  if (!piece.body || upload.offset === upload.fileSize)
    return { file: upload, hash, lastByteAt: upload.lastByteAt };
  const document = envelope.documents.find(({ id }) => id === upload.requestDocumentId);
  if (!document) throw appError("not_found");
  const extension = extensionOf(upload.fileName);
  const type = createTypeCheck(upload, (sample) => requireMatchingContent(document, extension, sample));
  const saving = createSaving(deps, lock, type, piece.checksum !== undefined);
  const { filePath: key, fileSize: size, offset, storeState: state } = upload;
  const writer = await deps.resumableFiles.append({ key, size, offset, state }, saving.save);
  const hashes = { file: hash, piece: piece.checksum === undefined ? undefined : deps.createSha256() };
  let failure: unknown;
  try {
    await receive(deps, piece.body, { lock, type, writer, hashes });
    if (hashes.piece && hashes.piece.digest() !== piece.checksum) throw appError("checksum_mismatch");
  } catch (error) {
    failure = error;
  }
  if (failure && (hashes.piece || !BYTES_STAY.has(codeOf(failure)))) {
    await writer.discard();
    throw failure;
  }
  await saving.saveDeferred();
  const progress = await whileLocked(lock, deps, () => writer.end());
  const lastByteAt = deps.clock.now().toISOString();
  const changes = saving.changes(progress, lastByteAt);
  if (progress.offset === size) await lock.save(changes);
  else await lock.saveAndRelease(changes);
  if (failure) throw failure;
  if (hash && progress.offset < size) cacheHash(deps, upload.id, { offset: progress.offset, hash });
  return { file: { ...upload, ...changes }, hash, lastByteAt };
}

/** After these failures, the bytes received so far remain stored. */
const BYTES_STAY = new Set(["upload_interrupted", "upload_too_slow", "upload_too_long"]);

const codeOf = (error: unknown) => (error instanceof AppError ? error.code : "");

type Receiving = {
  lock: UploadLock;
  type: TypeCheck;
  writer: ResumableFileWriter;
  hashes: { file: Sha256 | undefined; piece: Sha256 | undefined };
};

/** Reads the body to its end. */
async function receive(
  deps: Dependencies,
  body: ReadableStream<Uint8Array>,
  { lock, type, writer, hashes }: Receiving,
): Promise<void> {
  let { offset } = lock.upload;
  for await (const chunk of uploadPieces(body)) {
    offset += chunk.length;
    if (offset > lock.upload.fileSize) throw tooLong(lock.upload);
    await type.take(chunk);
    await lock.renew();
    // A slow store must not let the lock expire.
    const stored = whileLocked(lock, deps, () => writer.write(chunk));
    // While the store receives the chunk.
    hashes.file?.update(chunk);
    hashes.piece?.update(chunk);
    await stored;
    freeMemory(chunk);
  }
  if (offset === lock.upload.fileSize) await type.end();
}

/** Saves the progress of a chunk; with a checksum, only once `saveDeferred` is set. */
function createSaving({ clock }: Dependencies, lock: UploadLock, type: TypeCheck, hasChecksum: boolean) {
  const { upload } = lock;
  let deferred: Progress | undefined;
  const changes = ({ offset, state }: Progress, lastByteAt: string) => ({
    offset,
    storeState: state,
    lastByteAt,
    ...(upload.mimeType === null && type.stateAt(offset)),
  });
  return {
    changes,
    async save(progress: Progress) {
      if (hasChecksum && progress.offset > upload.offset) deferred = progress;
      else await lock.save(changes(progress, clock.now().toISOString()));
    },
    async saveDeferred() {
      if (deferred) await lock.save(changes(deferred, clock.now().toISOString()));
    },
  };
}
