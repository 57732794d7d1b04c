import { join } from "node:path";
import { createClient } from "@libsql/client";
import { runBatch } from "../../../db/client";
import { openLibsql } from "../../../db/libsql";
import { insertNotification, type NewNotification } from "../../../db/queries/notifications";
import { loadErrorTexts, loadMailTexts } from "../../../worker/adapters/bun/messages/mail-texts";
import { createSha256 } from "../../../worker/adapters/bun/sha256";
import { createWebhookSender } from "../../../worker/adapters/bun/webhook-sender";
import { noRateLimiter } from "../../../worker/adapters/shared/rate-limiters";
import { createSecretBox } from "../../../worker/adapters/shared/secret-box";
import { appConfig, readVariables } from "../../../worker/config";
import type { Dependencies } from "../../../worker/dependencies";
import { describeApi } from "../../../worker/features/openapi/describe-api";
import { createScryptHasher } from "../../../worker/lib/password";
import { createProcessMemory } from "../../../worker/process-memory";
import { createMemoryBackgroundTasks } from "../memory/memory-background-tasks";
import { createMemoryClock } from "../memory/memory-clock";
import { createMemoryFileStore } from "../memory/memory-file-store";
import { createMemoryLogger } from "../memory/memory-logger";
import { createMemoryMailer } from "../memory/memory-mailer";
import { createMemoryResumableStore } from "../memory/memory-resumable-store";
import { createMemorySmsSender } from "../memory/memory-sms-sender";
import { writeMigrated } from "../runtime/migrated";
import { TEST_SECRET_KEY } from "../runtime/runtime";
import { makeFolder } from "../temporary-folder";

const COLUMNS = "(email, password, created_at, verified_by_owner)";

/**
 * A database with one account and any number of processes on it, without the app: for tests between queueing and
 * delivery.
 */
export async function startOutbox() {
  const folder = makeFolder();
  const path = join(folder, "test.db");
  await writeMigrated(path);
  const url = `file:${path}`;
  const opened: { close(): void }[] = [];
  const clock = createMemoryClock();
  const mailer = createMemoryMailer();
  const smsSender = createMemorySmsSender();
  const first = await openLibsql({ url });
  const reader = createClient({ url, timeout: 5000 });
  opened.push(first, reader);
  const now = () => clock.now().toISOString();

  const outbox = {
    clock,
    mailer,
    smsSender,
    /** The dependencies of another process on the same database. */
    async process(overrides: Partial<Dependencies> = {}): Promise<Dependencies> {
      const database = await openLibsql({ url });
      opened.push(database);
      return { ...dependencies(database.db), mailer, smsSender, clock, ...overrides };
    },
    /** Queues one account mail per address. */
    async queue(recipients: string[], more: Partial<NewNotification> = {}) {
      await runBatch(
        first.db,
        recipients.map((recipient) =>
          insertNotification(first.db, {
            userId: 1,
            kind: "password_changed",
            channel: "email",
            recipient,
            payload: {},
            dedupeKey: crypto.randomUUID(),
            createdAt: now(),
            ...more,
          }),
        ),
      );
    },
    /** Adds accounts. @returns their ids */
    async addAccounts(count: number): Promise<number[]> {
      const values = Array.from(
        { length: count },
        () => `('${crypto.randomUUID()}@example.com', '', '${now()}', 1)`,
      );
      const rows = await outbox.run(`insert into users ${COLUMNS} values ${values.join(", ")} returning id`);
      return rows.map(({ id }) => Number(id));
    },
    async run(statement: string): Promise<Record<string, unknown>[]> {
      return (await reader.execute(statement)).rows.map((row) => ({ ...row }));
    },
    async rows() {
      return outbox.run("select * from notifications order by id");
    },
    async stop() {
      for (const connection of opened) connection.close();
    },
  };
  await outbox.run(`insert into users ${COLUMNS} values ('owner@example.com', '', '${now()}', 1)`);
  return outbox;
}

function dependencies(db: Dependencies["db"]): Omit<Dependencies, "mailer" | "smsSender" | "clock"> {
  const files = createMemoryFileStore();
  return {
    config: appConfig(readVariables({ PUBLIC_URL: "https://docs.example.com" })),
    db,
    files,
    resumableFiles: createMemoryResumableStore(files),
    webhookSender: createWebhookSender({ allowPrivate: true }),
    destinations: {},
    rateLimiter: noRateLimiter,
    createSha256,
    secretBox: createSecretBox(async () => [TEST_SECRET_KEY]),
    loadMailTexts,
    loadErrorTexts,
    loadApiDescription: describeApi,
    passwordHasher: createScryptHasher({ ln: 4, r: 1, p: 1 }),
    background: createMemoryBackgroundTasks(),
    memory: createProcessMemory(),
    log: createMemoryLogger(),
  };
}

export type Outbox = Awaited<ReturnType<typeof startOutbox>>;
