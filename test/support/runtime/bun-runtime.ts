import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { openLibsql } from "../../../db/libsql";
import { createDiskFileStore } from "../../../worker/adapters/bun/files/disk-file-store";
import { createDiskResumableStore } from "../../../worker/adapters/bun/files/disk-resumable-store";
import { loadErrorTexts, loadMailTexts } from "../../../worker/adapters/bun/messages/mail-texts";
import { openDestinations } from "../../../worker/adapters/bun/resources";
import { createSha256 } from "../../../worker/adapters/bun/sha256";
import { connectTcp } from "../../../worker/adapters/bun/tcp-connection";
import { createWebhookSender } from "../../../worker/adapters/bun/webhook-sender";
import { createClamdScanner } from "../../../worker/adapters/shared/clamd-scanner";
import { createDatabaseRateLimiter, noRateLimiter } from "../../../worker/adapters/shared/rate-limiters";
import { createSecretBox } from "../../../worker/adapters/shared/secret-box";
import { createApp } from "../../../worker/app";
import { appConfig, readVariables } from "../../../worker/config";
import type { Dependencies } from "../../../worker/dependencies";
import { requireOwnStore } from "../../../worker/features/files/store-owner";
import { describeApi } from "../../../worker/features/openapi/describe-api";
import { runScheduledJobs } from "../../../worker/jobs";
import { createScryptHasher } from "../../../worker/lib/password";
import { createLoopTurns } from "../../../worker/lib/turns";
import { createWorkQueue } from "../../../worker/lib/work-queue";
import { createProcessMemory } from "../../../worker/process-memory";
import { createMemoryBackgroundTasks } from "../memory/memory-background-tasks";
import { createMemoryClock } from "../memory/memory-clock";
import { createMemoryLogger } from "../memory/memory-logger";
import { createMemoryMailer } from "../memory/memory-mailer";
import { createMemorySmsSender } from "../memory/memory-sms-sender";
import { setMailState } from "./mail-state";
import { writeMigrated } from "./migrated";
import {
  clientAddressOf,
  type RuntimeOptions,
  TEST_SECRET_KEY,
  TEST_START,
  type TestRuntime,
  withOptions,
} from "./runtime";

/** The app in this process: libSQL in a file and uploads on disk, in a temporary folder. */
export async function startBunRuntime(
  options: RuntimeOptions = {},
): Promise<TestRuntime & { deps: Dependencies }> {
  const folder = await mkdtemp(join(tmpdir(), "doculopes-test-"));
  const path = join(folder, "test.db");
  await writeMigrated(path);
  const url = `file:${path}`;
  const database = await openLibsql({ url });
  const reader = createClient({ url });
  const clock = createMemoryClock(TEST_START);
  const mailer = createMemoryMailer();
  const smsSender = createMemorySmsSender();
  const background = createMemoryBackgroundTasks();
  const log = createMemoryLogger();
  const { maxFileMb = 5, publicUrl } = options;
  const variables = readVariables({
    SECRET_KEY: TEST_SECRET_KEY,
    ...options.variables,
    MAX_FILE_MB: String(maxFileMb),
    PUBLIC_URL: publicUrl,
    RATE_LIMITS: options.rateLimits ?? "off",
  });
  const deps: Dependencies = {
    config: withOptions(appConfig(variables), options),
    db: database.db,
    files: await createDiskFileStore(folder),
    resumableFiles: await createDiskResumableStore(folder),
    scanner: options.clamavUrl ? createClamdScanner(options.clamavUrl, connectTcp) : undefined,
    mailer,
    smsSender,
    webhookSender: createWebhookSender({ allowPrivate: variables.WEBHOOK_ALLOW_PRIVATE === "on" }),
    destinations: openDestinations(variables, clock),
    clock,
    rateLimiter: options.rateLimits === "on" ? createDatabaseRateLimiter(database.db, clock) : noRateLimiter,
    createSha256,
    takeTurn: createLoopTurns(),
    secretBox: createSecretBox(async () => variables.SECRET_KEY ?? []),
    loadMailTexts,
    loadErrorTexts,
    loadApiDescription: describeApi,
    passwordHasher: createScryptHasher(
      options.realPasswordCost ? undefined : { ln: 4, r: 1, p: 1 },
      createWorkQueue({
        running: 1,
        waiting: 64,
        waitingPerLane: options.rateLimits === "on" ? 4 : 64,
        retryAfterSeconds: 10,
      }),
    ),
    background,
    memory: createProcessMemory(),
    log,
  };
  await requireOwnStore(deps);
  const app = createApp(deps);
  return {
    name: "bun",
    deps,
    origin: deps.config.publicUrl,
    fetch: async (request) => app.fetch(request, { clientAddress: clientAddressOf(request) }),
    setClock: async (time) => clock.set(time),
    finishBackgroundWork: () => background.drain(),
    runJobs: () => runScheduledJobs(deps),
    mails: async () => mailer.sent,
    async setMail(state) {
      await background.drain();
      setMailState(mailer, state);
    },
    texts: async () => smsSender.sent,
    logs: async () => log.entries,
    storedFiles: async () => (await Array.fromAsync(deps.files.list())).flat(),
    select: async (statement) => (await reader.execute(statement)).rows.map((row) => ({ ...row })),
    async execute(statement) {
      await reader.execute(statement);
    },
    async stop() {
      await background.drain();
      reader.close();
      database.close();
      await rm(folder, { recursive: true });
    },
  };
}
