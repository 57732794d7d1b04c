import { statfsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Database } from "../../../db/client";
import { isDatabaseBusy } from "../../../db/errors";
import { type LibsqlDatabase, openLibsql, pathOfFile } from "../../../db/libsql";
import { tryWriteLock } from "../../../db/maintenance";
import { listLatestSealed } from "../../../db/queries/second-factors";
import { SchemaError } from "../../../db/version";
import type { Variables } from "../../config";
import type { Dependencies } from "../../dependencies";
import { withoutCredentials } from "../../lib/log-text";
import type { Clock } from "../../ports/clock";
import { type SecretBox, SecretKeyMissingError } from "../../ports/crypto";
import type { Destinations } from "../../ports/destination";
import type { FileStore, ResumableFileStore } from "../../ports/file-store";
import type { Logger } from "../../ports/logger";
import type { Mailer } from "../../ports/mailer";
import type { RateLimiter } from "../../ports/rate-limiter";
import { createClamdScanner } from "../shared/clamd-scanner";
import { createDestinations } from "../shared/destinations";
import { createMultipartStore } from "../shared/multipart-uploads";
import { createObjectFileStore } from "../shared/object-file-store";
import {
  createDatabaseRateLimiter,
  createMemoryRateLimiter,
  createSplitRateLimiter,
  noRateLimiter,
} from "../shared/rate-limiters";
import { createResendMailer } from "../shared/resend-mailer";
import { createSecretBox } from "../shared/secret-box";
import { configuredSmsSender } from "../shared/twilio-sms-sender";
import { errorCode } from "./files/disk-errors";
import { createDiskFileStore, STORE_FOLDERS } from "./files/disk-file-store";
import { createDiskResumableStore } from "./files/disk-resumable-store";
import { createFilesPrivately, whyNotWritable } from "./files/file-access";
import { createFreeSpaceCheck, createLargeWriteCheck, readDisk } from "./files/free-space";
import { ensureKeyFile, keyFile, readKeyFile } from "./files/key-file";
import { type S3Options, s3Bucket } from "./files/s3-bucket";
import { createEmlMailer, createTextFileSmsSender, openMailFolder } from "./messages/message-files";
import { createSmtpMailer } from "./messages/smtp-mailer";
import { createPublicFetch } from "./public-fetch";
import { createSha256 } from "./sha256";
import { PermanentStartError, StartError } from "./start-error";
import { connectTcp } from "./tcp-connection";
import { createWebhookSender } from "./webhook-sender";

export type Resources = Pick<
  Dependencies,
  | "db"
  | "files"
  | "secretBox"
  | "resumableFiles"
  | "requireSpace"
  | "readDisk"
  | "scanner"
  | "mailer"
  | "smsSender"
  | "webhookSender"
  | "destinations"
  | "rateLimiter"
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

const KEY_REPLACED =
  "There was no secret.key in DATA_DIR, so a new one was made, which decrypts no secret of the authenticator apps, confidential answer or access of a destination: add the former key to it as another line, or run `doctor`";
const KEY_DIFFERS =
  "The latest secrets are encrypted with a key that this server does not have: add it to secret.key in DATA_DIR or to SECRET_KEY, or run `doctor`";

/** Of what stays free of other writes, submitted files leave this much for the database. */
const SHARE_OF_FILES = 0.5;

/**
 * Opens everything the variables configure, starting with the migrated database.
 * @throws StartError if something is unavailable
 */
export async function openResources(variables: Variables, environment: Environment): Promise<Resources> {
  createFilesPrivately();
  const folder = resolve(variables.DATA_DIR);
  const minFreeBytes = variables.MIN_FREE_MB * 1024 * 1024;
  if (needsDataFolder(variables)) await requireWritableFolder(folder);
  await requireWritablePaths(variables);
  const { secretBox, isNew } = await openSecretBox(variables);
  const database = await openDatabase(variables, environment);
  if (!(await hasKeys(secretBox, database.db)))
    environment.log.error("secret key missing", { reason: isNew ? KEY_REPLACED : KEY_DIFFERS });
  const path = pathOfFile(databaseUrl(variables));
  return {
    db: database.db,
    secretBox,
    files: await openFileStore(variables, { minFreeBytes: minFreeBytes * SHARE_OF_FILES }),
    resumableFiles: await openResumableStore(variables, folder, minFreeBytes * SHARE_OF_FILES),
    // SQLite works in this folder without another thread, too.
    requireSpace:
      path === null ? undefined : createFreeSpaceCheck(dirname(resolve(path)), minFreeBytes, statfsSync),
    readDisk: needsDataFolder(variables) ? () => readDisk(folder) : undefined,
    scanner: variables.CLAMAV_URL ? createClamdScanner(variables.CLAMAV_URL, connectTcp) : undefined,
    ...(await openSenders(variables, folder, { ...environment, minFreeBytes })),
    webhookSender: createWebhookSender({ allowPrivate: variables.WEBHOOK_ALLOW_PRIVATE === "on" }),
    destinations: openDestinations(variables, environment.clock),
    rateLimiter: openRateLimiter(variables, database.db, environment),
    emptyJournal: database.emptyJournal,
    close: database.close,
  };
}

/** To where submitted files can be copied, as far as the variables allow. */
export function openDestinations(variables: Variables, clock: Clock): Destinations {
  const { WEBHOOK_ALLOW_PRIVATE, DELIVERY_DIR } = variables;
  const fetchPublic = createPublicFetch({ allowPrivate: WEBHOOK_ALLOW_PRIVATE === "on" });
  const folder = async () =>
    (await import("./destinations/folder")).createFolderDestination(DELIVERY_DIR ?? "");
  const shared = createDestinations(variables, { fetchPublic, createSha256, clock });
  return { ...shared, ...(DELIVERY_DIR !== undefined && { folder }) };
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
  } catch (error) {
    throw new StartError(
      `DATA_DIR is ${JSON.stringify(folder)}, but cannot be written to (${errorCode(error)}); set it to a folder that this user can write to`,
    );
  }
  const problem = await whyNotWritable(folder);
  if (problem) throw new StartError(`DATA_DIR is ${JSON.stringify(folder)}, but ${problem}`);
}

/**
 * Opens the secret keys: SECRET_KEY, or the file in DATA_DIR, which is made if the folder has the database or the uploads.
 * Otherwise every machine would make a key of its own for the same database.
 * @throws StartError if the file cannot be used
 */
async function openSecretBox(variables: Variables): Promise<{ secretBox: SecretBox; isNew: boolean }> {
  const { SECRET_KEY } = variables;
  if (SECRET_KEY) return { secretBox: createSecretBox(async () => SECRET_KEY), isNew: false };
  const folder = resolve(variables.DATA_DIR);
  const isNew = makesKeyFile(variables) && (await readKeyFile(folder)).length === 0;
  if (isNew) await ensureKeyFile(folder);
  return { secretBox: createSecretBox(() => readKeyFile(folder)), isNew };
}

/** Whether known keys have encrypted the latest secrets. Opened without their contexts, they tell nothing else. */
async function hasKeys(secretBox: SecretBox, db: Database): Promise<boolean> {
  for (const { sealed } of await listLatestSealed(db)) {
    const failure = await secretBox.open(sealed, "").catch((error: unknown) => error);
    if (failure instanceof SecretKeyMissingError) return false;
  }
  return true;
}

/** Whether the folder has the database or the uploads, so that all servers of the database share it. */
export const makesKeyFile = (variables: Variables): boolean =>
  needsDataFolder(variables) &&
  (pathOfFile(databaseUrl(variables)) !== null || s3Options(variables) === undefined);

/** While it exists, no message is sent to anybody. `restore --hold-mail` makes it. */
export const holdFile = ({ DATA_DIR }: Variables): string => join(resolve(DATA_DIR), "hold-mail");

/** The files and folders that the server itself creates, as far as the variables name them. */
export function ownPaths(variables: Variables): string[] {
  const folder = resolve(variables.DATA_DIR);
  const file = pathOfFile(databaseUrl(variables));
  const database = file === null ? null : resolve(file);
  const folders = needsDataFolder(variables)
    ? [...STORE_FOLDERS, "mail"].map((name) => join(folder, name))
    : [];
  return [
    ...(database === null ? [] : ["", "-wal", "-shm"].map((suffix) => database + suffix)),
    ...folders,
    keyFile(folder),
    holdFile(variables),
  ];
}

/** For example after a command that root has run. @throws StartError */
async function requireWritablePaths(variables: Variables): Promise<void> {
  for (const path of ownPaths(variables)) {
    const problem = await whyNotWritable(path);
    if (problem) throw new StartError(`${path} ${problem}`);
  }
}

/** The database URL: a `file:` URL or a server's. */
export function databaseUrl({ DATABASE_URL, DATA_DIR }: Variables): string {
  return DATABASE_URL ?? pathToFileURL(join(resolve(DATA_DIR), "doculopes.db")).href;
}

async function openDatabase(variables: Variables, { log }: Environment): Promise<LibsqlDatabase> {
  const url = databaseUrl(variables);
  let database: LibsqlDatabase | undefined;
  try {
    database = await openLibsql({ url, authToken: variables.DATABASE_AUTH_TOKEN });
    await database.migrate(() => log.info("migrating", { reason: "Do not stop the server meanwhile" }));
    await tryWriteLock(database.db).catch((error: unknown) => {
      // Another process is writing, so it can be written to.
      if (!isDatabaseBusy(error)) throw error;
    });
    return database;
  } catch (error) {
    database?.close();
    throw databaseFailure(url, error);
  }
}

/** The sentence for a database that cannot be opened or used. */
export function databaseFailure(url: string, error: unknown): StartError {
  const reason = error instanceof Error ? (error.cause ?? error) : error;
  const where = withoutCredentials(url.split("?", 1)[0] ?? "");
  if (error instanceof SchemaError) return new PermanentStartError(`${error.message} (${where})`);
  const text = withoutCredentials(oneLine(reason));
  const advice = ADVICE.find(([pattern]) => pattern.test(text))?.[1];
  return new StartError(`The database ${where} cannot be used (${text})${advice ? `; ${advice}` : ""}`);
}

/** What to do about a message of SQLite. */
const ADVICE: [RegExp, string][] = [
  [/disk is full/, "free some space on its disk"],
  [/not a database|malformed/, "restore a backup"],
];

/** Opens the store of uploaded files: S3, or the disk below DATA_DIR. */
export async function openFileStore(
  variables: Variables,
  options: { minFreeBytes?: number; readOnly?: boolean } = {},
): Promise<FileStore> {
  const s3 = s3Options(variables);
  return s3 ? createObjectFileStore(s3Bucket(s3)) : createDiskFileStore(resolve(variables.DATA_DIR), options);
}

/** Opens the store of resumable uploads, on the same disk or bucket as the uploaded files. */
async function openResumableStore(
  variables: Variables,
  folder: string,
  minFreeBytes: number,
): Promise<ResumableFileStore> {
  const s3 = s3Options(variables);
  return s3 ? createMultipartStore(s3Bucket(s3)) : createDiskResumableStore(folder, { minFreeBytes });
}

/** The settings of the S3 store; undefined if files are stored on disk. */
export function s3Options(variables: Variables): S3Options | undefined {
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

async function openSenders(
  variables: Variables,
  folder: string,
  { clock, log, minFreeBytes }: Environment & { minFreeBytes: number },
) {
  const mailer = remoteMailer(variables);
  const smsSender = configuredSmsSender(variables);
  if (mailer && smsSender) return { mailer, smsSender };
  const written = await openMailFolder(folder, clock, createLargeWriteCheck(folder, minFreeBytes));
  return {
    mailer: mailer ?? createEmlMailer(written, log),
    smsSender: smsSender ?? createTextFileSmsSender(written, log),
  };
}

function remoteMailer({ SMTP_URL, RESEND_API_KEY, RESEND_API_URL }: Variables): Mailer | undefined {
  if (SMTP_URL) return createSmtpMailer({ url: SMTP_URL });
  return RESEND_API_KEY ? createResendMailer({ apiKey: RESEND_API_KEY, url: RESEND_API_URL }) : undefined;
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
