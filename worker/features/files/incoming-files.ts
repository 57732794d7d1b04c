import { type Query, runBatch, runBatchAndRead, type Statement } from "../../../db/client";
import {
  deleteUploadLease,
  endUploadLease,
  findUploadLease,
  listOrphanKeys,
  revokeUploadLease,
} from "../../../db/queries/upload-leases";
import type { ErrorCode } from "../../contract/errors";
import type { Dependencies } from "../../dependencies";
import { type AppError, appError, causes } from "../../errors";
import { fileKey, randomUploadId } from "../../lib/file-names";
import type { FileWriter, Verdict } from "../../ports/file-store";
import { createTypeCheck, receiveBytes, type TypeOf } from "./receive-bytes";
import { scanUploads } from "./scanning";
import { leaseLost, maintainUploadLease, type Reservation, type UploadLease } from "./upload-lease";

/** A multipart body. */
export type UploadBody = {
  body: ReadableStream<Uint8Array> | null;
  contentType: string | undefined;
  /** To be called once all is received. */
  checkAgain?: (() => Promise<void>) | undefined;
};

/** A file that a feature accepts by its name; `about` is the feature's own data about it. */
export type AcceptedFile<About> = {
  about: About;
  extension: string;
  maxBytes: number;
  tooLarge: () => AppError;
  empty: () => AppError;
  typeOf: TypeOf;
};

type StoredFile<About> = { about: About; key: string; size: number; mimeType: string; sha256: string };

/** A file whose bytes are all stored. */
export type UploadedFile<About> = StoredFile<About> & {
  /** The scanner's verdict; null without a scanner. */
  verdict: Verdict | null;
};

/** Writes the lease with this id. */
type Reserve = (leaseId: string) => Promise<Reservation>;

/**
 * Receives and records the files of one request: all, or none if `work` throws. A lease covers the files from before
 * the first byte until they are recorded or removed, so files left by a crash are found and removed.
 */
export async function withIncomingFiles<About, Result>(
  deps: Dependencies,
  reserve: Reserve,
  work: (incoming: IncomingFiles<About>) => Promise<Result>,
): Promise<Result> {
  const incoming = new IncomingFiles<About>(deps, reserve);
  try {
    return await work(incoming);
  } catch (error) {
    await incoming.discard();
    throw error;
  } finally {
    incoming.stopLease();
  }
}

/**
 * Finishes the only file of a request.
 * @throws AppError with these codes; `scanner_unavailable`, because such a file can easily be uploaded again later
 */
export async function finishOne<About>(
  incoming: IncomingFiles<About>,
  codes: Record<"missing" | "infected", ErrorCode>,
): Promise<UploadedFile<About>> {
  const [file] = await incoming.finish();
  if (!file) throw appError(codes.missing);
  if (file.verdict?.kind === "infected") throw appError(codes.infected);
  if (file.verdict?.kind === "unknown") throw appError("scanner_unavailable", { retryAfterSeconds: 60 });
  return file;
}

/** Limits of what the store finishes at once: file descriptors on a disk, and memory on Workers. */
const ENDING_FILES = 8;
const ENDING_BYTES = 8 * 1024 * 1024;

/** The steps of such a request, in order: `receive` for each file, `finish`, `record`. */
export class IncomingFiles<About> {
  readonly #deps: Dependencies;
  readonly #reserve: Reserve;
  readonly #files: { stored: StoredFile<About>; writer: FileWriter }[] = [];
  /** What the received files are about so far, in order. */
  readonly received: About[] = [];
  #lease: UploadLease | undefined;
  /** The sizes of the files that the store finishes while the next ones arrive. */
  readonly #ending = new Map<Promise<void>, number>();

  constructor(deps: Dependencies, reserve: Reserve) {
    this.#deps = deps;
    this.#reserve = reserve;
  }

  /** Checks, hashes and stores the bytes of a file, which cannot be read before `finish`. */
  async receive(bytes: AsyncIterable<Uint8Array>, accepted: AcceptedFile<About>): Promise<void> {
    const { files, createSha256, takeTurn } = this.#deps;
    const { about, extension, maxBytes } = accepted;
    this.#lease ??= await this.#openLease();
    const lease = this.#lease;
    const stored = { about, key: fileKey(lease.id, extension), size: 0, mimeType: "", sha256: "" };
    const writer = await files.create(stored.key);
    this.#files.push({ stored, writer });
    this.received.push(about);
    const hash = createSha256();
    const type = createTypeCheck(accepted.typeOf);
    const count = async (length: number) => {
      await lease.count(length);
      stored.size += length;
      if (stored.size > maxBytes) throw accepted.tooLarge();
    };
    const write = (chunk: Uint8Array) => writer.write(chunk);
    await receiveBytes(bytes, { count, type, write, hashes: [hash], takeTurn });
    if (stored.size === 0) throw accepted.empty();
    stored.mimeType = await type.end();
    stored.sha256 = hash.digest();
    await this.#end(writer, stored.size);
  }

  /** Waits for earlier files first, if the store has not finished too many of them. */
  async #end(writer: FileWriter, size: number): Promise<void> {
    const ending = this.#ending;
    const hasRoom = () =>
      ending.size < ENDING_FILES && ending.values().reduce((sum, bytes) => sum + bytes, size) <= ENDING_BYTES;
    while (ending.size > 0 && !hasRoom()) await Promise.race(ending.keys());
    const ended = writer.end();
    ending.set(ended, size);
    // A failure stays, so that it is reported by whoever waits for all.
    ended.then(
      () => ending.delete(ended),
      () => {},
    );
  }

  /** Makes the files readable in the store and scans them. */
  async finish(): Promise<UploadedFile<About>[]> {
    await Promise.all(this.#ending.keys());
    // Waits for every commit, even after one has failed: a file that is committed later would not be removed.
    const commits = await Promise.allSettled(this.#files.map(({ writer }) => writer.commit()));
    for (const commit of commits) if (commit.status === "rejected") throw commit.reason;
    const verdicts = await scanUploads(this.#deps, this.#keys());
    return this.#files.map(({ stored }, index) => ({ ...stored, verdict: verdicts?.[index] ?? null }));
  }

  /**
   * Writes the rows of the files and ends the lease, in one batch.
   * @param explainRejection throws why the batch was rejected; returns if the reason is unknown
   * @param query of what they have written, as the last statement of the batch
   */
  async record<Row = never>(
    statements: Statement[],
    explainRejection?: () => Promise<void>,
    query?: Query<Row>,
  ): Promise<Row[]> {
    const { db } = this.#deps;
    const lease = this.#lease;
    try {
      const all = [...(lease ? endUploadLease(db, lease.id) : []), ...statements];
      if (query) return await runBatchAndRead(db, all, query);
      await runBatch(db, all);
      return [];
    } catch (error) {
      const outcome = lease ? await this.#outcomeOf(lease) : "valid";
      if (outcome === "lost") throw leaseLost();
      if (outcome === "valid") await explainRejection?.();
      throw error;
    }
  }

  /**
   * Removes the received bytes of rejected files. The lease is revoked first: a batch whose response was lost is then
   * either already committed, and its files are known, or can no longer be committed. A failure must not hide why the
   * files were rejected: the lease remains, and a job removes them.
   */
  async discard(): Promise<void> {
    const { db, files, log } = this.#deps;
    if (!this.#lease) return;
    try {
      await Promise.allSettled(this.#ending.keys());
      await Promise.all(this.#files.map(({ writer }) => writer.abort()));
      await revokeUploadLease(db, this.#lease.id);
      await files.remove(await listOrphanKeys(db, this.#keys()));
      await deleteUploadLease(db, this.#lease.id);
    } catch (error) {
      log.error("files not discarded", { count: this.#files.length, error: causes(error) });
    }
  }

  stopLease(): void {
    this.#lease?.stop();
  }

  async #openLease(): Promise<UploadLease> {
    const { db, log, memory, config } = this.#deps;
    const id = randomUploadId();
    return maintainUploadLease(
      { db, log, memory, renewMs: config.uploadLeases.renewMs },
      id,
      await this.#reserve(id),
    );
  }

  #keys(): string[] {
    return this.#files.map(({ stored }) => stored.key);
  }

  /** The outcome of a lease whose batch failed; "recorded" if it was committed and only its response was lost. */
  async #outcomeOf({ id }: UploadLease): Promise<"valid" | "lost" | "recorded"> {
    const { db } = this.#deps;
    const lease = await findUploadLease(db, id);
    if (lease) return lease.revoked ? "lost" : "valid";
    const orphans = await listOrphanKeys(db, this.#keys());
    return orphans.length > 0 ? "lost" : "recorded";
  }
}
