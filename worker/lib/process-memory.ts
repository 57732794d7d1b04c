import type { Sha256 } from "../ports/sha256";
import type { DeliveryQueues } from "./delivery-queue";

/** What a process remembers between requests. Other processes do without it. */
export type ProcessMemory = {
  queues: DeliveryQueues;
  /** The leases of uploads that this process renews, by id. */
  uploadLeases: { byId: Map<string, { lost: boolean }>; renewedAt: number };
  /** The hashes of unfinished uploads up to an offset, by upload. */
  hashes: Map<string, { offset: number; hash: Sha256 }>;
  /** The last check that the database and the store accept writes. */
  readiness?: { at: number; done: Promise<void> };
  setupLinkLogged?: boolean;
};

export const createProcessMemory = (): ProcessMemory => ({
  queues: new Map(),
  uploadLeases: { byId: new Map(), renewedAt: 0 },
  hashes: new Map(),
});
