import {
  deleteUploadLease,
  findUploadLease,
  insertUploadLease,
  renewUploadLeases,
} from "../../../db/queries/upload-leases";
import { UPLOAD_LEASES } from "../../config";
import type { Dependencies } from "../../dependencies";
import { appError, causes } from "../../errors";
import { randomUploadId } from "../../lib/file-names";
import { createProcessMemory } from "../../process-memory";

export type Renewal = Pick<Dependencies, "db" | "log" | "memory"> & { renewMs: number };

/** The bytes that a lease counts towards the quotas. */
export type Reservation = {
  bytes: number;
  /** Reserves more, because so many were received. @returns the bytes reserved now @throws AppError `storage_full` */
  grow(received: number): Promise<number>;
};

/** A lease that this process renews. */
export type UploadLease = {
  readonly id: string;
  /**
   * Counts received bytes.
   * @throws AppError `unavailable` if the lease was lost, `storage_full` if the quotas do not allow the bytes
   */
  count(bytes: number): Promise<void>;
  /** Stops renewing the lease. */
  stop(): void;
};

/** For files without a quota. */
export const UNLIMITED: Reservation = {
  bytes: Number.POSITIVE_INFINITY,
  grow: async () => Number.POSITIVE_INFINITY,
};

/** Takes a lease for a file without a quota. */
export const reserveUnlimited =
  ({ db }: Pick<Dependencies, "db">, userId: number, bytes: number) =>
  async (id: string): Promise<Reservation> => {
    await insertUploadLease(db, { id, keyPrefix: id, userId, bytes });
    return UNLIMITED;
  };

/** Renews an existing lease until it is stopped. */
export function maintainUploadLease(renewal: Renewal, id: string, reservation: Reservation): UploadLease {
  const { byId } = renewal.memory.uploadLeases;
  const lease = { lost: false };
  let received = 0;
  let reserved = reservation.bytes;
  byId.set(id, lease);
  const timer = setInterval(() => void renew(renewal), renewal.renewMs);
  return {
    id,
    async count(bytes) {
      received += bytes;
      if (lease.lost) throw leaseLost();
      if (received > reserved) reserved = await reservation.grow(received);
    },
    stop() {
      clearInterval(timer);
      byId.delete(id);
    },
  };
}

/** Another process considered this one dead and may have removed the files. */
export const leaseLost = () => appError("unavailable", { retryAfterSeconds: 5 });

/** Every upload's timer renews all leases of the process, because a timer on Workers ends with its request. */
async function renew({ db, log, renewMs, memory }: Renewal): Promise<void> {
  const leases = memory.uploadLeases;
  if (performance.now() - leases.renewedAt < renewMs / 2) return;
  leases.renewedAt = performance.now();
  const current = [...leases.byId];
  try {
    const ids = current.map(([id]) => id);
    const valid = new Set(await renewUploadLeases(db, ids));
    for (const [id, lease] of current) lease.lost ||= !valid.has(id);
  } catch (error) {
    log.error("upload leases not renewed", { count: current.length, error: causes(error) });
  }
}

/** Keeps running servers from removing files that have no row yet. */
export type FileLease = {
  /** Whether it was renewed all the time, so that no server has removed a file. */
  isValid(): Promise<boolean>;
  release(): Promise<void>;
};

/** Takes a lease of a command on every file, and renews it. */
export async function leaseAllFiles({ db, log }: Pick<Dependencies, "db" | "log">): Promise<FileLease> {
  const id = randomUploadId();
  await insertUploadLease(db, { id, keyPrefix: "", bytes: 0 });
  const renewal = { db, log, memory: createProcessMemory(), renewMs: UPLOAD_LEASES.renewMs };
  const lease = maintainUploadLease(renewal, id, UNLIMITED);
  return {
    isValid: async () => (await findUploadLease(db, id))?.revoked === false,
    async release() {
      lease.stop();
      await deleteUploadLease(db, id);
    },
  };
}
