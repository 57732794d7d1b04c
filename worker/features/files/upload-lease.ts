import { renewUploadLeases } from "../../../db/queries/upload-leases";
import type { Dependencies } from "../../dependencies";
import { appError, causes } from "../../errors";

export type Renewal = Pick<Dependencies, "db" | "log"> & { renewMs: number };

/** A lease that this process renews. */
export type UploadLease = {
  readonly id: string;
  /**
   * Counts received bytes.
   * @throws AppError `unavailable` if the lease was lost, `storage_full` if the bytes exceed its maximum
   */
  count(bytes: number): void;
  /** Stops renewing the lease. */
  stop(): void;
};

type LeaseState = { bytes: number; lost: boolean };
type Leases = { byId: Map<string, LeaseState>; renewedAt: number };

/** The leases of this process, by database. */
const leasesOf = new WeakMap<Dependencies["db"], Leases>();

/** Renews an existing lease until it is stopped. At most `maxBytes` may be counted under it. */
export function maintainUploadLease(renewal: Renewal, id: string, maxBytes: number): UploadLease {
  const leases = leasesOf.get(renewal.db) ?? { byId: new Map(), renewedAt: 0 };
  leasesOf.set(renewal.db, leases);
  const lease: LeaseState = { bytes: 0, lost: false };
  leases.byId.set(id, lease);
  const timer = setInterval(() => void renew(renewal, leases), renewal.renewMs);
  return {
    id,
    count(bytes) {
      lease.bytes += bytes;
      if (lease.lost) throw leaseLost();
      if (lease.bytes > maxBytes) throw appError("storage_full");
    },
    stop() {
      clearInterval(timer);
      leases.byId.delete(id);
    },
  };
}

/** Another process considered this one dead and may have removed the files. */
export const leaseLost = () => appError("unavailable", { retryAfterSeconds: 5 });

/** Every upload's timer renews all leases of the process, because a timer on Workers ends with its request. */
async function renew({ db, log, renewMs }: Renewal, leases: Leases): Promise<void> {
  if (performance.now() - leases.renewedAt < renewMs / 2) return;
  leases.renewedAt = performance.now();
  const current = [...leases.byId];
  try {
    const valid = new Set(
      await renewUploadLeases(db, new Map(current.map(([id, { bytes }]) => [id, bytes]))),
    );
    for (const [id, lease] of current) lease.lost ||= !valid.has(id);
  } catch (error) {
    log.error("upload leases not renewed", { count: current.length, error: causes(error) });
  }
}
