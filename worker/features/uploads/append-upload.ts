import type { RecipientEnvelope } from "../../../db/queries/submissions";
import { listOrphanKeys } from "../../../db/queries/upload-leases";
import type { Upload } from "../../../db/queries/uploads";
import type { ErrorCode } from "../../contract/errors";
import type { Dependencies } from "../../dependencies";
import { AppError, appError, causes } from "../../errors";
import { uploadChunks } from "../../lib/upload-body";
import type { Sha256 } from "../../ports/crypto";
import { type Progress, type ResumableFileWriter, UploadLostError } from "../../ports/file-store";
import { receiveBytes, type TypeCheck } from "../files/receive-bytes";
import { cacheHash, dropLost, dropUpload, finishUpload, openTypeCheck, takeHash } from "./finish-upload";
import { takeUploadLock, type UploadLock, whileLocked } from "./upload-lock";

/** The open envelope behind a link, and the link's token. */
export type OpenLink = { token: string; envelope: RecipientEnvelope };

/** One chunk of a file, as sent by one request. */
export type SentChunk = {
  body: ReadableStream<Uint8Array> | null;
  /** Its offset in the file. */
  offset: number;
  /** Its length, if the request declares it. */
  length: number | null;
  /** Its expected SHA-256; undefined without a checksum. */
  checksum: string | undefined;
};

/**
 * Appends a chunk to an upload, and finishes the upload with its last byte. Of an interrupted chunk, the received bytes
 * are stored; a chunk with a checksum is stored as a whole or not at all.
 * @returns the upload's new offset, and when its last byte arrived
 * @throws AppError `not_found`, `upload_locked`, `offset_mismatch`, `upload_too_long`, `checksum_mismatch`,
 *   `file_content_mismatch` and `infected_file` (these two delete the upload, and so does a loss of its bytes),
 *   `upload_interrupted`
 */
export async function appendToUpload(
  deps: Dependencies,
  link: OpenLink,
  id: string,
  sent: SentChunk,
): Promise<Pick<Upload, "offset" | "lastByteAt">> {
  const lock = await takeUploadLock(deps, { submissionToken: link.token, id });
  try {
    const { upload } = lock;
    if (sent.offset !== upload.offset)
      throw appError("offset_mismatch", { params: { offset: upload.offset } });
    if (sent.offset + (sent.length ?? 0) > upload.fileSize) throw tooLong(upload);
    const { file, hash } = await writeChunk(deps, lock, link, sent);
    const isWhole = file.offset === upload.fileSize;
    if (isWhole && upload.completedAt === null)
      await finishUpload(deps, lock, { envelope: link.envelope, file, hash });
    return file;
  } catch (error) {
    if (codeOf(error) === "file_content_mismatch") await dropUpload(deps, link.envelope, id);
    if (codeOf(error) === "not_found") await removeRemains(deps, lock.upload);
    if (error instanceof UploadLostError) await dropLost(deps, link.envelope, id);
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

type Written = { file: Upload; hash: Sha256 | undefined };

async function writeChunk(
  deps: Dependencies,
  lock: UploadLock,
  { envelope }: OpenLink,
  sent: SentChunk,
): Promise<Written> {
  const { upload } = lock;
  const hash = takeHash(deps, upload.id, upload.offset);
  const hashes = { file: hash, chunk: sent.checksum === undefined ? undefined : deps.createSha256() };
  if (!sent.body || upload.offset === upload.fileSize) {
    await requireNoBytes(upload, sent, hashes.chunk);
    return { file: upload, hash };
  }
  const type = openTypeCheck(envelope, upload);
  const saving = createSaving(deps, lock, type, sent.checksum !== undefined);
  const { filePath: key, fileSize: size, offset, storeState: state } = upload;
  const writer = await deps.resumableFiles.append({ key, size, offset, state }, saving.save);
  let failure: unknown;
  try {
    await receive(deps, sent.body, { lock, type, writer, hashes });
    if (hashes.chunk && hashes.chunk.digest() !== sent.checksum) throw appError("checksum_mismatch");
  } catch (error) {
    failure = error;
  }
  if (failure && (hashes.chunk || !BYTES_STAY.has(codeOf(failure)))) {
    await writer.discard();
    throw failure;
  }
  await saving.saveDeferred();
  const changes = saving.changes(await whileLocked(lock, deps, () => writer.end()));
  if (changes.offset === size) await lock.save(changes);
  else await lock.saveAndRelease(changes);
  if (failure) throw failure;
  if (hash && changes.offset < size) cacheHash(deps, upload.id, { offset: changes.offset, hash });
  return { file: { ...upload, ...changes }, hash };
}

/** A request that can add nothing is checked like one that adds bytes. */
async function requireNoBytes(upload: Upload, { body, checksum }: SentChunk, hash?: Sha256): Promise<void> {
  if (body) for await (const chunk of uploadChunks(body)) if (chunk.length > 0) throw tooLong(upload);
  if (hash && hash.digest() !== checksum) throw appError("checksum_mismatch");
}

/** After these failures, the bytes received so far remain stored. */
const BYTES_STAY = new Set<string>([
  "upload_interrupted",
  "upload_too_slow",
  "upload_too_long",
] satisfies ErrorCode[]);

const codeOf = (error: unknown) => (error instanceof AppError ? error.code : "");

type Receiving = {
  lock: UploadLock;
  type: TypeCheck;
  writer: ResumableFileWriter;
  hashes: { file: Sha256 | undefined; chunk: Sha256 | undefined };
};

/** Reads the body to its end. */
async function receive(
  deps: Dependencies,
  body: ReadableStream<Uint8Array>,
  { lock, type, writer, hashes }: Receiving,
): Promise<void> {
  const { upload } = lock;
  let { offset } = upload;
  await receiveBytes(uploadChunks(body), {
    async count(bytes) {
      offset += bytes;
      if (offset > upload.fileSize) throw tooLong(upload);
      await lock.renew();
    },
    type,
    // A slow store must not let the lock expire.
    write: (chunk) => whileLocked(lock, deps, () => writer.write(chunk)),
    hashes: [hashes.file, hashes.chunk].filter((hash) => hash !== undefined),
    takeTurn: deps.takeTurn,
  });
  if (offset === upload.fileSize) await type.end();
}

/** Saves the progress of a chunk; with a checksum, only once `saveDeferred` is set. */
function createSaving({ clock }: Dependencies, lock: UploadLock, type: TypeCheck, hasChecksum: boolean) {
  const { upload } = lock;
  let deferred: Progress | undefined;
  const changes = ({ offset, state }: Progress) => ({
    offset,
    storeState: state,
    // A request without bytes must not prolong the upload.
    lastByteAt: offset > upload.offset ? clock.now().toISOString() : upload.lastByteAt,
    ...(upload.mimeType === null && type.stateAt(offset)),
  });
  return {
    changes,
    async save(progress: Progress) {
      if (hasChecksum && progress.offset > upload.offset) deferred = progress;
      else await lock.save(changes(progress));
    },
    async saveDeferred() {
      if (deferred) await lock.save(changes(deferred));
    },
  };
}
