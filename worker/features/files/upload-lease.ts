import { renewUploadLeases } from "../../../db/queries/upload-leases";
import type { Dependencies } from "../../dependencies";
import { appError, causes } from "../../errors";

export type Renewal = Pick<Dependencies, "db" | "log"> & { renewMs: number };

/** A lease that this process keeps alive. */
export type UploadLease = {
  readonly id: string;
  /**
   * Counts bytes that have arrived.
   * @throws AppError `unavailable` where the lease was lost, `storage_full` past its bytes
   */
  count(bytes: number): void;
  /** Ends the heartbeat. */
  stop(): void;
};

type Held = { bytes: number; lost: boolean };
type Holder = { leases: Map<string, Held>; renewedAt: number };

/** What each process holds, by the database that it holds it in. */
const holders = new WeakMap<Dependencies["db"], Holder>();

/** Renews a lease that stands in the database until it is stopped. `maxBytes` may be counted under it. */
export function holdUploadLease(renewal: Renewal, id: string, maxBytes: number): UploadLease {
  const holder = holders.get(renewal.db) ?? { leases: new Map(), renewedAt: 0 };
  holders.set(renewal.db, holder);
  const held: Held = { bytes: 0, lost: false };
  holder.leases.set(id, held);
  const timer = setInterval(() => void renew(renewal, holder), renewal.renewMs);
  return {
    id,
    count(bytes) {
      held.bytes += bytes;
      if (held.lost) throw leaseLost();
      if (held.bytes > maxBytes) throw appError("storage_full");
    },
    stop() {
      clearInterval(timer);
      holder.leases.delete(id);
    },
  };
}

/** Another process took this one for dead, and may have removed the files. */
export const leaseLost = () => appError("unavailable", { retryAfterSeconds: 5 });

/** Each upload's timer renews all leases of the process, since on Workers a timer ends with its request. */
async function renew({ db, log, renewMs }: Renewal, holder: Holder): Promise<void> {
  if (performance.now() - holder.renewedAt < renewMs / 2) return;
  holder.renewedAt = performance.now();
  const leases = [...holder.leases];
  try {
    const standing = new Set(
      await renewUploadLeases(db, new Map(leases.map(([id, { bytes }]) => [id, bytes]))),
    );
    for (const [id, held] of leases) held.lost ||= !standing.has(id);
  } catch (error) {
    log.error("upload leases not renewed", { count: leases.length, error: causes(error) });
  }
}
