import { runBatch, type Statement } from "../../../db/client";
import {
  deleteUploadLease,
  endUploadLease,
  findUploadLease,
  listOrphanKeys,
  revokeUploadLease,
} from "../../../db/queries/upload-leases";
import type { Dependencies } from "../../dependencies";
import { type AppError, causes } from "../../errors";
import { fileKey, randomUploadId } from "../../lib/file-names";
import { type MultipartHandler, readMultipart } from "../../lib/multipart";
import type { Verdict } from "../../ports/file-scanner";
import { type FileRules, type IncomingFile, receiveFile } from "./incoming-file";
import { scanUploads } from "./scanning";
import { leaseLost, maintainUploadLease, type UploadLease } from "./upload-lease";

export type UploadBody = {
  body: ReadableStream<Uint8Array> | null;
  contentType: string | undefined;
  /** The body's length, if it was announced. */
  contentLength?: number | undefined;
};

/** A file as a feature sees it; `about` is the feature's own data about it. */
export type UploadedFile<About> = {
  about: About;
  key: string;
  size: number;
  mimeType: string;
  sha256: string;
  /** The scanner's verdict; null without a scanner. */
  verdict: Verdict | null;
};

/** A feature's decisions about an upload. Every function may throw an AppError, and then nothing is stored. */
export type UploadPlan<About, Result> = {
  maxParts: number;
  /** Writes the lease with this id. @returns the number of bytes that may be stored under it */
  reserve(leaseId: string): Promise<number>;
  acceptFile(
    part: { name: string; fileName: string },
    before: readonly About[],
  ): { about: About; extension: string; rules: FileRules };
  /** Called for a part that is not a file. */
  rejectField(name: string): AppError;
  /** Called when everything was received and nothing is committed yet. */
  requireComplete(files: readonly About[]): void;
  /** Writes the rows by one call of `save`, which puts them and the end of the lease into one batch. */
  record(
    files: readonly UploadedFile<About>[],
    save: (statements: Statement[]) => Promise<void>,
  ): Promise<Result>;
  /** Throws why the batch was rejected; returns if the reason is unknown. */
  explainRejection?(): Promise<void>;
};

type Arrived<About> = { about: About; file: IncomingFile };

/**
 * Receives the files of a multipart body, all or none: streams each into the store while checking it, commits and scans
 * them, and records them. A lease covers the files from before the first byte until they are recorded or removed, so
 * files left by a crash are found and removed.
 */
export async function takeUpload<About, Result>(
  deps: Dependencies,
  upload: UploadBody,
  plan: UploadPlan<About, Result>,
): Promise<Result> {
  const arrived: Arrived<About>[] = [];
  let lease: UploadLease | undefined;
  const handler: MultipartHandler = {
    async field(name) {
      throw plan.rejectField(name);
    },
    async file(part) {
      const accepted = plan.acceptFile(
        part,
        arrived.map(({ about }) => about),
      );
      lease ??= await openLease(deps, plan);
      const file = await receiveFile(deps, fileKey(lease.id, accepted.extension), {
        ...accepted.rules,
        count: lease.count,
      });
      arrived.push({ about: accepted.about, file });
      return file;
    },
  };
  try {
    await readMultipart(upload, handler, { maxParts: plan.maxParts });
    plan.requireComplete(arrived.map(({ about }) => about));
    await commitAll(arrived.map(({ file }) => file));
    const files = await scanned(deps, arrived);
    return await plan.record(files, (statements) => save(deps, { lease, files, plan }, statements));
  } catch (error) {
    await discard(deps, lease, arrived);
    throw error;
  } finally {
    lease?.stop();
  }
}

async function openLease(
  { db, log, config }: Dependencies,
  { reserve }: Pick<UploadPlan<unknown, unknown>, "reserve">,
): Promise<UploadLease> {
  const id = randomUploadId();
  return maintainUploadLease({ db, log, renewMs: config.uploadLeases.renewMs }, id, await reserve(id));
}

/** Waits for every commit, even after one has failed: a file that is committed later would not be removed. */
async function commitAll(files: readonly IncomingFile[]): Promise<void> {
  const commits = await Promise.allSettled(files.map((file) => file.commit()));
  for (const commit of commits) if (commit.status === "rejected") throw commit.reason;
}

async function scanned<About>(
  deps: Dependencies,
  arrived: readonly Arrived<About>[],
): Promise<UploadedFile<About>[]> {
  const verdicts = await scanUploads(
    deps,
    arrived.map(({ file }) => file.key),
  );
  return arrived.map(({ about, file: { key, size, mimeType, sha256 } }, index) => ({
    about,
    key,
    size,
    mimeType,
    sha256,
    verdict: verdicts?.[index] ?? null,
  }));
}

async function save(
  { db }: Dependencies,
  { lease, files, plan }: Saved,
  statements: Statement[],
): Promise<void> {
  try {
    await runBatch(db, [...(lease ? endUploadLease(db, lease.id) : []), ...statements]);
  } catch (error) {
    const outcome = lease ? await outcomeOf(db, lease, files) : "valid";
    if (outcome === "lost") throw leaseLost();
    if (outcome === "valid") await plan.explainRejection?.();
    throw error;
  }
}

type Saved = {
  lease: UploadLease | undefined;
  files: readonly { key: string }[];
  plan: Pick<UploadPlan<unknown, unknown>, "explainRejection">;
};

/** The outcome of a lease whose batch failed; "recorded" if it was committed and only its response was lost. */
async function outcomeOf(
  db: Dependencies["db"],
  { id }: UploadLease,
  files: Saved["files"],
): Promise<"valid" | "lost" | "recorded"> {
  const lease = await findUploadLease(db, id);
  if (lease) return lease.revoked ? "lost" : "valid";
  const orphans = await listOrphanKeys(
    db,
    files.map(({ key }) => key),
  );
  return orphans.length > 0 ? "lost" : "recorded";
}

/**
 * Removes the received bytes of rejected files. The lease is revoked first: a batch whose response was lost is then
 * either already committed, and its files are known, or can no longer be committed. A failure must not hide why the
 * files were rejected: the lease remains, and a job removes them.
 */
async function discard(
  { db, files, log }: Dependencies,
  lease: UploadLease | undefined,
  arrived: readonly { file: IncomingFile }[],
): Promise<void> {
  if (!lease) return;
  try {
    await Promise.all(arrived.map(({ file }) => file.abort()));
    await revokeUploadLease(db, lease.id);
    const orphans = await listOrphanKeys(
      db,
      arrived.map(({ file }) => file.key),
    );
    await files.remove(orphans);
    await deleteUploadLease(db, lease.id);
  } catch (error) {
    log.error("files not discarded", { count: arrived.length, error: causes(error) });
  }
}
