import type { DeliveryQueues } from "./features/delivery/delivery-queue";
import { createWorkQueue, type WorkQueue } from "./lib/work-queue";
import type { Sha256 } from "./ports/crypto";

/** An archive or a list that a caller receives. */
export type Download = {
  /** When the caller last took a part of it, as milliseconds. */
  takenAt: number;
  /** How many ordinary ones it counts as. */
  weight: number;
  isStopped?: boolean;
  stop(): Promise<void>;
};

/** What a process remembers between requests. Other processes do without it. */
export type ProcessMemory = {
  queues: DeliveryQueues;
  /** The leases of uploads that this process renews, by id. */
  uploadLeases: { byId: Map<string, { lost: boolean }>; renewedAt: number };
  /** The hashes of unfinished uploads up to an offset, by upload. */
  hashes: Map<string, { offset: number; hash: Sha256 }>;
  /** The last check that the database and the store accept writes. */
  readiness?: { at: number; done: Promise<void> };
  /** Checks of bulk sends, each of which is work of seconds at worst: one at a time, in turns of accounts. */
  bulkChecks: WorkQueue;
  /** Bulk sends, in the same way: each pauses for as long as it works, which leaves others no time where there are many. */
  bulkRuns: WorkQueue;
  /**
   * Tests of destinations, whose servers may take as long as they like: Bun has 256 connections for all calls to others,
   * those of the file store, mails and webhooks included.
   */
  destinationChecks: WorkQueue;
  /** Those under way, by account. */
  downloads: Map<number, Set<Download>>;
  setupLinkLogged?: boolean;
  /** A call has queued files for destinations. */
  filesQueued?: boolean;
  /** The backups in BACKUPS were of another instance when this one started. */
  otherBackups?: boolean;
};

const BULK_CHECKS = { running: 1, waiting: 100, waitingPerLane: 100, retryAfterSeconds: 10 };
const NO_LIMIT = Number.POSITIVE_INFINITY;
const BULK_RUNS = { running: 1, waiting: NO_LIMIT, waitingPerLane: NO_LIMIT, retryAfterSeconds: 10 };
const DESTINATION_CHECKS = {
  running: 50,
  waiting: 100,
  waitingPerLane: 5,
  perLane: 5,
  retryAfterSeconds: 10,
};

/** @param createQueue how the queues are made: without waiting where requests cannot wait for each other */
export const createProcessMemory = (createQueue = createWorkQueue): ProcessMemory => ({
  queues: new Map(),
  uploadLeases: { byId: new Map(), renewedAt: 0 },
  hashes: new Map(),
  bulkChecks: createQueue(BULK_CHECKS),
  bulkRuns: createQueue(BULK_RUNS),
  destinationChecks: createQueue(DESTINATION_CHECKS),
  downloads: new Map(),
});
