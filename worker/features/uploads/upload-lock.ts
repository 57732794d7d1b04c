import {
  findUpload,
  lockUpload,
  type Upload,
  type UploadChanges,
  updateLockedUpload,
} from "../../../db/queries/uploads";
import type { Dependencies } from "../../dependencies";
import { appError, causes } from "../../errors";
import { DAY_MS } from "../../lib/durations";

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
  /**
   * Saves the changes and renews the lock.
   * @throws AppError `upload_locked` or `not_found` if the lock was lost; `storage_full` if the quotas do not allow the
   *   bytes that were received since the last change
   */
  save(changes: UploadChanges): Promise<void>;
  /** Saves the changes and releases the lock. @throws the same */
  saveAndRelease(changes: UploadChanges): Promise<void>;
  /** Renews the lock if it is due. @throws the same */
  renew(): Promise<void>;
  /** Has no effect if the lock was already released. */
  release(): Promise<void>;
};

type Named = { submissionToken: string; id: string };

/** @throws AppError `upload_locked` while another request writes the upload, `not_found` */
export async function takeUploadLock(
  { db, clock, config: { quotas } }: Dependencies,
  named: Named,
): Promise<UploadLock> {
  const now = clock.now();
  const lockedBy = crypto.randomUUID();
  const until = () => new Date(clock.now().getTime() + LEASE_MS).toISOString();
  const upload = await lockUpload(db, named, {
    lockedBy,
    now: now.toISOString(),
    lockedUntil: until(),
    aliveSince: aliveSince(now),
  });
  const find = () => findUpload(db, named, aliveSince(clock.now()));
  if (!upload) throw appError((await find()) ? "upload_locked" : "not_found");

  let renewedAt = performance.now();
  let saved = upload.offset;
  let isLocked = true;
  const { submissionToken: token } = named;
  const update = async (changes: UploadChanges) => {
    const received = (changes.offset ?? saved) - saved;
    if (!isLocked || !(await updateLockedUpload(db, upload, changes, { received, quotas, token })))
      throw await whyRejected();
    saved += received;
    renewedAt = performance.now();
  };
  /** The upload was removed, its link replaced, another request writes it, or the quotas do not allow its bytes. */
  const whyRejected = async () => {
    const found = await find();
    isLocked = isLocked && found?.lockedBy === lockedBy;
    return appError(isLocked ? "storage_full" : found ? "upload_locked" : "not_found");
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

/** How long an upload without a byte exists after its creation, and one with bytes after its last one. */
const EMPTY_MS = DAY_MS;
const CONTINUED_MS = 7 * DAY_MS;

/** Uploads without a byte, and those with bytes, whose `lastByteAt` is earlier have expired. */
export const aliveSince = (now: Date) => ({
  empty: new Date(now.getTime() - EMPTY_MS).toISOString(),
  continued: new Date(now.getTime() - CONTINUED_MS).toISOString(),
});

/** When an upload expires, in the format of a header. */
export const expiryHeader = ({ offset, lastByteAt }: { offset: number; lastByteAt: string }): string =>
  new Date(Date.parse(lastByteAt) + (offset === 0 ? EMPTY_MS : CONTINUED_MS)).toUTCString();
