import { access, constants, mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Database } from "../../../db/client";
import { type LibsqlDatabase, openLibsql } from "../../../db/libsql";
import { SchemaError } from "../../../db/version";
import type { Variables } from "../../config";
import type { Dependencies } from "../../dependencies";
import { withoutCredentials } from "../../lib/log-text";
import type { Clock } from "../../ports/clock";
import type { FileStore } from "../../ports/file-store";
import type { Logger } from "../../ports/logger";
import type { Mailer } from "../../ports/mailer";
import type { RateLimiter } from "../../ports/rate-limiter";
import type { ResumableFileStore } from "../../ports/resumable-file-store";
import type { SmsSender } from "../../ports/sms-sender";
import { createMemoryRateLimiter } from "../memory/memory-rate-limiter";
import { createClamdScanner } from "../shared/clamd-scanner";
import { createDatabaseRateLimiter } from "../shared/database-rate-limiter";
import { noRateLimiter } from "../shared/no-rate-limiter";
import { createResendMailer } from "../shared/resend-mailer";
import { createSplitRateLimiter } from "../shared/split-rate-limiter";
import { createTwilioSmsSender } from "../shared/twilio-sms-sender";
import { errorCode } from "./files/disk-errors";
import { createDiskFileStore } from "./files/disk-file-store";
import { createDiskResumableStore } from "./files/disk-resumable-store";
import { createFilesPrivately } from "./files/private-files";
import { createS3FileStore, type S3Options } from "./files/s3-file-store";
import { createS3ResumableStore } from "./files/s3-resumable-store";
import { createEmlMailer } from "./messages/eml-mailer";
import { openMailFolder } from "./messages/mail-folder";
import { createSmtpMailer } from "./messages/smtp-mailer";
import { createTextFileSmsSender } from "./messages/text-file-sms-sender";
import { StartError } from "./start-error";
import { connectTcp } from "./tcp-connection";
import { createWebhookSender } from "./webhook-sender";

export type Resources = Pick<
  Dependencies,
  "db" | "files" | "resumableFiles" | "scanner" | "mailer" | "smsSender" | "webhookSender" | "rateLimiter"
> & {
  /** Truncates the database's write-ahead log, which may contain deleted data. */
  emptyJournal(): Promise<void>;
  close(): void;
};

export type Environment = {
  clock: Clock;
  log: Logger;
  /** Rate rules to count in memory, because a write per attempt would cost more than the guarded action. */
  rulesInMemory: readonly string[];
};

/**
 * Opens everything the variables configure, starting with the migrated database.
 * @throws StartError if something is unavailable
 */
export async function openResources(variables: Variables, environment: Environment): Promise<Resources> {
  createFilesPrivately();
  const folder = resolve(variables.DATA_DIR);
  const minFreeBytes = variables.MIN_FREE_MB * 1024 * 1024;
  if (needsDataFolder(variables)) await requireWritableFolder(folder);
  const database = await openDatabase(variables);
  return {
    db: database.db,
    files: await openFileStore(variables, folder, minFreeBytes),
    resumableFiles: await openResumableStore(variables, folder, minFreeBytes),
    scanner: variables.CLAMAV_URL ? createClamdScanner(variables.CLAMAV_URL, connectTcp) : undefined,
    ...(await openSenders(variables, folder, environment)),
    webhookSender: createWebhookSender({ allowPrivate: variables.WEBHOOK_ALLOW_PRIVATE === "on" }),
    rateLimiter: openRateLimiter(variables, database.db, environment),
    emptyJournal: database.emptyJournal,
    close: database.close,
  };
}

/** A server that stores and sends everything elsewhere needs no writable disk. */
export function needsDataFolder(variables: Variables): boolean {
  const { DATABASE_URL, S3_ENDPOINT, SMTP_URL, RESEND_API_KEY, TWILIO_ACCOUNT_SID } = variables;
  const elsewhere = [DATABASE_URL, S3_ENDPOINT, SMTP_URL ?? RESEND_API_KEY, TWILIO_ACCOUNT_SID];
  return !elsewhere.every(Boolean);
}

/** @throws StartError */
export async function requireWritableFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartError(
      `DATA_DIR is ${JSON.stringify(folder)}, but cannot be written to (${errorCode(error)})`,
    );
  }
}

/** The database URL: a `file:` URL or a server's. */
export function databaseUrl({ DATABASE_URL, DATA_DIR }: Variables): string {
  return DATABASE_URL ?? pathToFileURL(join(resolve(DATA_DIR), "doculopes.db")).href;
}

async function openDatabase(variables: Variables): Promise<LibsqlDatabase> {
  const url = databaseUrl(variables);
  let database: LibsqlDatabase | undefined;
  try {
    database = await openLibsql({ url, authToken: variables.DATABASE_AUTH_TOKEN });
    await database.migrate();
    return database;
  } catch (error) {
    database?.close();
    const reason = error instanceof Error ? (error.cause ?? error) : error;
    const where = withoutCredentials(url.split("?", 1)[0] ?? "");
    if (error instanceof SchemaError) throw new StartError(`${error.message} (${where})`);
    throw new StartError(`The database ${where} cannot be used (${withoutCredentials(oneLine(reason))})`);
  }
}

/** Opens the store of uploaded files: S3, or the disk below `folder`, on which this many bytes stay free. */
export async function openFileStore(
  variables: Variables,
  folder: string,
  minFreeBytes = 0,
): Promise<FileStore> {
  const s3 = s3Options(variables);
  return s3 ? createS3FileStore(s3) : createDiskFileStore(folder, { minFreeBytes });
}

/** Opens the store of resumable uploads, on the same disk or bucket as the uploaded files. */
async function openResumableStore(
  variables: Variables,
  folder: string,
  minFreeBytes: number,
): Promise<ResumableFileStore> {
  const s3 = s3Options(variables);
  return s3 ? createS3ResumableStore(s3) : createDiskResumableStore(folder, { minFreeBytes });
}

/** Undefined if files are stored on disk. */
function s3Options(variables: Variables): S3Options | undefined {
  const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_REGION } = variables;
  if (!S3_ENDPOINT || !S3_BUCKET || !S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY) return undefined;
  return {
    endpoint: S3_ENDPOINT,
    bucket: S3_BUCKET,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
    region: S3_REGION,
  };
}

async function openSenders(variables: Variables, folder: string, { clock, log }: Environment) {
  const mailer = remoteMailer(variables);
  const smsSender = remoteSmsSender(variables);
  if (mailer && smsSender) return { mailer, smsSender };
  const written = await openMailFolder(folder, clock);
  return {
    mailer: mailer ?? createEmlMailer(written, log),
    smsSender: smsSender ?? createTextFileSmsSender(written, log),
  };
}

function remoteMailer({ SMTP_URL, RESEND_API_KEY, RESEND_API_URL }: Variables): Mailer | undefined {
  if (SMTP_URL) return createSmtpMailer({ url: SMTP_URL });
  return RESEND_API_KEY ? createResendMailer({ apiKey: RESEND_API_KEY, url: RESEND_API_URL }) : undefined;
}

function remoteSmsSender(variables: Variables): SmsSender | undefined {
  const { TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN, TWILIO_FROM, TWILIO_API_URL } = variables;
  if (!TWILIO_ACCOUNT_SID || !TWILIO_AUTH_TOKEN || !TWILIO_FROM) return undefined;
  return createTwilioSmsSender({
    accountSid: TWILIO_ACCOUNT_SID,
    authToken: TWILIO_AUTH_TOKEN,
    from: TWILIO_FROM,
    url: TWILIO_API_URL,
  });
}

function openRateLimiter(
  variables: Variables,
  db: Database,
  { clock, rulesInMemory }: Environment,
): RateLimiter {
  if (variables.RATE_LIMITS === "off") return noRateLimiter;
  return createSplitRateLimiter(rulesInMemory, {
    named: createMemoryRateLimiter(clock),
    otherRules: createDatabaseRateLimiter(db, clock),
  });
}

const oneLine = (reason: unknown) =>
  String(reason instanceof Error ? reason.message : reason).split("\n", 1)[0] ?? "";
