import type { Database } from "../db/client";
import type { AppConfig } from "./config";
import type { Channel } from "./contract/notifications";
import type { Revision } from "./lib/version";
import type { LoadApiDescription } from "./ports/api-description";
import type { BackgroundTasks } from "./ports/background-tasks";
import type { Clock } from "./ports/clock";
import type { CreateSha256, PasswordHasher, SecretBox } from "./ports/crypto";
import type { Destinations } from "./ports/destination";
import type { FileScanner, FileStore, ResumableFileStore } from "./ports/file-store";
import type { Logger } from "./ports/logger";
import type { LoadErrorTexts, LoadMailTexts, Mailer } from "./ports/mailer";
import type { Metrics } from "./ports/metrics";
import type { RateLimiter } from "./ports/rate-limiter";
import type { SmsSender } from "./ports/sms-sender";
import type { WebhookSender } from "./ports/webhook-sender";
import type { ProcessMemory } from "./process-memory";

/** Everything the app may use outside itself. The entries create it; tests create their own. */
export type Dependencies = {
  config: AppConfig;
  db: Database;
  /** A copy that may lag, but has what the caller's browser has written; absent if there is none. */
  replica?: Database;
  files: FileStore;
  /** Stores files that arrive in chunks; `files` reads them once they are complete. */
  resumableFiles: ResumableFileStore;
  /**
   * Before a write of this many bytes to the database: throws a StorageFullError if the disk would have less space left
   * than sign-ins, submissions and deletions need. Absent where the database is not on this server's disk.
   */
  requireSpace?: (bytes: number) => Promise<void>;
  /** The disk with the data; null if it cannot be read. Absent where everything is stored elsewhere. */
  readDisk?: () => Promise<{ freeBytes: number; sizeBytes: number } | null>;
  createSha256: CreateSha256;
  /** Resolves once other requests had their turn; absent on Workers, where requests cannot wait for each other. */
  takeTurn?: () => Promise<void>;
  /** Encrypts secrets in the database. */
  secretBox: SecretBox;
  /** Scans each uploaded file; absent if no scanner is configured. */
  scanner?: FileScanner;
  mailer: Mailer;
  smsSender: SmsSender;
  webhookSender: WebhookSender;
  /** To where submitted files can be copied. */
  destinations: Destinations;
  loadMailTexts: LoadMailTexts;
  loadErrorTexts: LoadErrorTexts;
  loadApiDescription: LoadApiDescription;
  /** What the code was made of, as far as is known. */
  revision?: Revision;
  clock: Clock;
  rateLimiter: RateLimiter;
  passwordHasher: PasswordHasher;
  background: BackgroundTasks;
  memory: ProcessMemory;
  /** Mails, text messages, webhooks and files for destinations wait, as after `restore --hold-mail`. */
  holdsMessages?: boolean;
  /** What one run of a Worker may do, in a request's background or on schedule; absent where nothing limits it. */
  runLimits?: {
    /** How many mails, text messages or webhooks it sends, of each. */
    attempts: number;
    /** How many mails and text messages a process sends at once. */
    slots: Record<Channel, number>;
    /** How many batches of bulk sends it makes. */
    batches: number;
    /** For how many milliseconds after a response it begins to send messages. */
    afterResponseMs: number;
    /** How many calls of the database the running invocation may still make. */
    callsLeft(): number;
  };
  log: Logger;
  /** Absent if metrics are disabled. */
  metrics?: Metrics;
  /** Aborted once the server is about to stop; absent if the runtime has no such signal, as on Workers. */
  stopping?: AbortSignal;
};
