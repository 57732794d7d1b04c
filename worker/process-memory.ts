import type { FullEnvelope } from "../db/queries/envelopes";
import type { DeliveryQueues } from "./features/delivery/delivery-queue";
import { type BoundedCache, createBoundedCache } from "./lib/bounded-cache";
import { createWorkQueue, type WorkQueue } from "./lib/work-queue";
import type { Sha256 } from "./ports/crypto";

/** How many lists a process knows that it has read before. */
const LISTS = 5000;
/** Some 8,000 envelopes of usual size. */
const LISTED_CHARACTERS = 16 * 1024 * 1024;

/** What the response depends on beside the caller, the time and `text`. */
export type EnvelopeSource = Pick<
  FullEnvelope,
  | "userId"
  | "createdBy"
  | "workspaceId"
  | "customerEmail"
  | "submissionToken"
  | "status"
  | "isNew"
  | "expiresAt"
  | "endOfDueDay"
  | "completedAt"
  | "filesDeletedAt"
  | "deletionAnnouncedAt"
  | "deletionNoticedAt"
> & { uploaded: number; toUpload: number };

/** An envelope as lists return it. */
export type ListedEnvelope = {
  /** Another one after each change, see `versionOf`. */
  version: string;
  /** The number of bytes read for it. */
  bytes: number;
  /** The JSON of all that depends on nothing but the envelope, without the closing brace. */
  text: string;
  source: EnvelopeSource;
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
  /** The envelopes that lists have returned, by id. */
  listed: BoundedCache<number, ListedEnvelope>;
  /** The lists that accounts have called: only of these, envelopes are likely to be remembered. */
  lists: BoundedCache<string, true>;
  /** Checks of bulk sends, each of which is work of seconds at worst: one at a time, in turns of accounts. */
  bulkChecks: WorkQueue;
  setupLinkLogged?: boolean;
};

const BULK_CHECKS = { running: 1, waiting: 100, waitingPerLane: 100, retryAfterSeconds: 10 };

export const createProcessMemory = (): ProcessMemory => ({
  queues: new Map(),
  uploadLeases: { byId: new Map(), renewedAt: 0 },
  hashes: new Map(),
  listed: createBoundedCache(LISTED_CHARACTERS, ({ text }) => text.length),
  lists: createBoundedCache(LISTS, () => 1),
  bulkChecks: createWorkQueue(BULK_CHECKS),
});
