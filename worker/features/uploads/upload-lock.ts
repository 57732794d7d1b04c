import {
  findUpload,
  lockUpload,
  type Upload,
  type UploadChanges,
  updateLockedUpload,
} from "../../../db/queries/uploads";
import type { Dependencies } from "../../dependencies";
import { appError, causes } from "../../errors";
import { aliveSince } from "../../lib/upload-expiry";

/**
 * The lock of a dead request expires this long after its last byte. A live request renews its lock with each byte that
 * arrives after a third of that time.
 */
const LEASE_MS = 15_000;
const RENEW_MS = LEASE_MS / 3;

/** The exclusive right to write an upload, on any server. */
export type UploadLock = {
  /** The upload as it was when it was locked. */
  readonly upload: Upload;
  /** Saves the changes and renews the lock. @throws AppError like `whyLost` */
  save(changes: UploadChanges): Promise<void>;
  /** Saves the changes and releases the lock. @throws AppError like `whyLost` */
  saveAndRelease(changes: UploadChanges): Promise<void>;
  /** Renews the lock if it is due. @throws AppError like `whyLost` */
  renew(): Promise<void>;
  /** Has no effect if the lock was already released. */
  release(): Promise<void>;
};

type Named = { submissionToken: string; id: string };

/** @throws AppError `upload_locked` while another request writes the upload, `not_found` */
export async function takeUploadLock({ db, clock }: Dependencies, named: Named): Promise<UploadLock> {
  const now = clock.now();
  const lockedBy = crypto.randomUUID();
  const until = () => new Date(clock.now().getTime() + LEASE_MS).toISOString();
  const upload = await lockUpload(db, named, {
    lockedBy,
    now: now.toISOString(),
    lockedUntil: until(),
    aliveSince: aliveSince(now),
  });
  if (!upload) throw await whyLost(db, named, now);

  let renewedAt = performance.now();
  let isLocked = true;
  const update = async (changes: UploadChanges) => {
    isLocked = isLocked && (await updateLockedUpload(db, upload, changes));
    if (!isLocked) throw await whyLost(db, named, clock.now());
    renewedAt = performance.now();
  };
  const FREE = { lockedBy: null, lockedUntil: null };
  return {
    upload,
    save: (changes) => update({ ...changes, lockedUntil: until() }),
    async saveAndRelease(changes) {
      await update({ ...changes, ...FREE });
      isLocked = false;
    },
    async renew() {
      if (performance.now() - renewedAt >= RENEW_MS) await update({ lockedUntil: until() });
    },
    async release() {
      if (isLocked) await updateLockedUpload(db, upload, FREE);
      isLocked = false;
    },
  };
}

/** Why the lock was lost: another request writes the upload, or the upload was removed. */
const whyLost = async (db: Dependencies["db"], named: Named, now: Date) =>
  appError((await findUpload(db, named, aliveSince(now))) ? "upload_locked" : "not_found");

/** Keeps the lock during slow work in which no bytes arrive. */
export async function whileLocked<T>(
  lock: UploadLock,
  { log }: Dependencies,
  work: () => Promise<T>,
): Promise<T> {
  const timer = setInterval(() => {
    lock.renew().catch((error: unknown) => log.error("upload lock not renewed", { error: causes(error) }));
  }, RENEW_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
