import type { AppConfig, LeaseTimes } from "../../../worker/config";
import type { Quotas } from "../../../worker/contract/quotas";
import type { ProviderSettings } from "../../../worker/lib/sign-in-providers";
import type { Mail } from "../../../worker/ports/mailer";
import type { Sms } from "../../../worker/ports/sms-sender";
import type { LogEntry } from "../memory/memory-logger";
import type { MailState } from "./mail-state";

/** Options of the app for a test file. */
export type RuntimeOptions = {
  rateLimits?: "on" | "off";
  /** Further variables, by their names. */
  variables?: Record<string, string>;
  maxFileMb?: number;
  quotas?: Partial<Quotas>;
  uploadLeases?: LeaseTimes;
  publicUrl?: string;
  /** Replaces the real Google, Microsoft and GitHub. */
  signInProviders?: ProviderSettings[];
  /** The address of a scanner; without it, files are not scanned. */
  clamavUrl?: string;
  /** Uses the production cost; by default hashes are cheap. */
  realPasswordCost?: boolean;
  /** On workerd, in one test file: the database has a replica that lags. */
  replica?: boolean;
};

/** The app on one of its runtimes, with access to its parts for tests. */
export interface TestRuntime {
  readonly name: "bun" | "workerd";
  readonly origin: string;
  fetch(request: Request): Promise<Response>;
  setClock(time: string): Promise<void>;
  /** Resolves once background work is done. */
  finishBackgroundWork(): Promise<void>;
  runJobs(): Promise<void>;
  /** Messages sent so far, oldest first. */
  mails(): Promise<Mail[]>;
  texts(): Promise<Sms[]>;
  /** Whether mail works from now on. What was sent before is finished. */
  setMail(state: MailState): Promise<void>;
  /** The keys of all files in the store. */
  storedFiles(): Promise<string[]>;
  /** What was logged so far, oldest first. */
  logs(): Promise<LogEntry[]>;
  /** Reads rows with a statement; must not change anything. */
  select(statement: string): Promise<Record<string, unknown>[]>;
  /** Changes the database directly, to create a fault. */
  execute(statement: string): Promise<void>;
  stop(): Promise<void>;
}

/** Where the API tests of this process run: Bun in the quick tests, workerd in `bun run workerd`. */
export const RUNTIME = process.env.TEST_RUNTIME === "workerd" ? "workerd" : "bun";

/** How many rounds a race has: in workerd, where each takes several times as long, a quarter of those on Bun. */
export const rounds = (onBun: number): number => (RUNTIME === "bun" ? onBun : onBun / 4);

/** The client's address; a test chooses another with a header. */
export const clientAddressOf = ({ headers }: Request): string =>
  headers.get("x-test-address") ?? "203.0.113.7";

export const TEST_START = "2026-03-14T09:26:53.000Z";

/** The key with which the app under test encrypts; `SECRET_KEY: ""` among the variables takes it away. */
export const TEST_SECRET_KEY = "a-secret-key-that-only-tests-use";

/** The configuration with the overrides of a test file. */
export function withOptions(config: AppConfig, options: RuntimeOptions): AppConfig {
  return {
    ...config,
    signInProviders: options.signInProviders ?? [],
    uploadLeases: options.uploadLeases ?? config.uploadLeases,
    quotas: { ...config.quotas, ...options.quotas },
  };
}
