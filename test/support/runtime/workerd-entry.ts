import type { D1Database, ExecutionContext, Fetcher, R2Bucket } from "@cloudflare/workers-types";
import { drizzle } from "drizzle-orm/d1";
import { inInvocation, withSessions } from "../../../worker/adapters/cloudflare/d1-sessions";
import { openDependencies } from "../../../worker/adapters/cloudflare/dependencies";
import { createApp } from "../../../worker/app";
import { RATE_RULES } from "../../../worker/features/rate-limits/rate-rules";
import { runScheduledJobs } from "../../../worker/jobs";
import { createScryptHasher } from "../../../worker/lib/password";
import { createMemoryClock } from "../memory/memory-clock";
import { createMemoryLogger } from "../memory/memory-logger";
import { createMemoryMailer } from "../memory/memory-mailer";
import { createMemorySmsSender } from "../memory/memory-sms-sender";
import { createLaggingDatabase } from "./lagging-database";
import { type MailState, setMailState } from "./mail-state";
import { runRawBatch } from "./raw-batch";
import { rejectionOf } from "./rejection";
import { clientAddressOf, type RuntimeOptions, TEST_SECRET_KEY, withOptions } from "./runtime";
import { callScanner } from "./scan-call";
import { watchBucket } from "./workerd-bucket";
import { watchDatabase, withQuickSessions } from "./workerd-database";
import { callStore } from "./workerd-store-commands";
import { createCountedTasks } from "./workerd-tasks";

/** Runs in workerd: many instances of the app, each on a database and a bucket of its own. */

type Env = Record<string, unknown>;
export type StartBody = RuntimeOptions & { now: string; schema: string[] };

const instances = new Map<string, Awaited<ReturnType<typeof startInstance>>>();

async function startInstance(id: string, env: Env, options: StartBody) {
  const r2 = watchBucket(env[`FILES${id}`] as R2Bucket);
  const primary = env[`DB${id}`] as D1Database;
  const lagging = options.replica ? createLaggingDatabase(primary, env.COPY as D1Database) : undefined;
  const d1 = watchDatabase(lagging?.database ?? withQuickSessions(primary));
  const bindings = { DB: d1.database, FILES: r2.bucket, ASSETS: env.ASSETS as Fetcher };
  await bindings.DB.batch(options.schema.map((statement) => bindings.DB.prepare(statement)));
  const { maxFileMb = 5, publicUrl, rateLimits = "off", clamavUrl } = options;
  const clock = createMemoryClock(options.now);
  const log = createMemoryLogger();
  const doubles = {
    clock,
    log,
    mailer: createMemoryMailer(),
    smsSender: createMemorySmsSender(),
    background: createCountedTasks(log),
  };
  const variables = {
    HOST: "127.0.0.1",
    SECRET_KEY: TEST_SECRET_KEY,
    ...options.variables,
    MAX_FILE_MB: String(maxFileMb),
    PUBLIC_URL: publicUrl,
    RATE_LIMITS: rateLimits,
    CLAMAV_URL: clamavUrl,
  };
  const deps = openDependencies(Object.assign(bindings, variables), {
    rulesInMemory: [RATE_RULES.linkReads.name],
    overrides: {
      ...doubles,
      passwordHasher: createScryptHasher(options.realPasswordCost ? undefined : { ln: 4, r: 1, p: 1 }),
    },
  });
  deps.config = withOptions(deps.config, options);
  return { ...doubles, deps, bindings, r2, d1, lagging, app: createApp(deps) };
}

type Instance = Awaited<ReturnType<typeof startInstance>>;

/** What a test can request of an instance besides the app's own API. */
const COMMANDS: Record<string, (instance: Instance, argument: string) => unknown> = {
  setClock: ({ clock }, time) => clock.set(time),
  finishBackgroundWork: ({ background }) => background.drain(),
  runJobs: ({ deps, bindings }) => inInvocation(bindings.DB, () => runScheduledJobs(deps)),
  mails: ({ mailer }) => mailer.sent,
  async setMail({ mailer, background }, state) {
    await background.drain();
    setMailState(mailer, state as MailState);
  },
  texts: ({ smsSender }) => smsSender.sent,
  logs: ({ log }) => log.entries,
  storedFiles: async ({ deps }) => (await Array.fromAsync(deps.files.list())).flat(),
  hit: ({ deps, clock }, json) => {
    const { rule, subject, now } = JSON.parse(json);
    clock.set(now);
    return deps.rateLimiter.hit(rule, subject);
  },
  refund: ({ deps, clock }, json) => {
    const { rule, subject, now } = JSON.parse(json);
    clock.set(now);
    return deps.rateLimiter.refund(rule, subject);
  },
  hitAll: ({ deps, clock }, json) => {
    const { attempts, now } = JSON.parse(json);
    clock.set(now);
    return deps.rateLimiter.hitAll(attempts);
  },
  refundAll: ({ deps, clock }, json) => {
    const { attempts, now } = JSON.parse(json);
    clock.set(now);
    return deps.rateLimiter.refundAll(attempts);
  },
  scan: ({ deps }, json) => deps.scanner && callScanner(deps.scanner, JSON.parse(json)),
  failR2: ({ r2 }, fail) => {
    r2.fail = fail === "true";
  },
  silenceR2: ({ r2 }, silent) => {
    r2.silent = silent === "true";
  },
  roundTrips: ({ d1 }) => d1.roundTrips,
  replicate: ({ lagging }) => lagging?.replicate(),
  replicaReads: ({ lagging }) => lagging?.replicaReads,
  openUploads: ({ r2 }) => r2.openUploads.size,
  conflict: ({ deps }, json) => rejectionOf(deps.db, JSON.parse(json)),
  rawBatch: ({ deps, bindings }, through) => runRawBatch(through === "app" ? deps.db : drizzle(bindings.DB)),
  execute: async ({ bindings }, statement) => {
    await bindings.DB.prepare(statement).run();
  },
  select: async ({ bindings }, statement) => (await bindings.DB.prepare(statement).all()).results,
};

export default {
  async fetch(request: Request, env: Env, context: ExecutionContext): Promise<Response> {
    const id = request.headers.get("x-test-instance") ?? "";
    const command = request.headers.get("x-test-command");
    if (command === "start") {
      instances.set(id, await startInstance(id, env, await request.json()));
      return Response.json(null);
    }
    const instance = instances.get(id);
    if (!instance) return new Response("No such instance", { status: 500 });
    if (!command) {
      const { app, bindings, deps } = instance;
      const https = deps.config.publicUrl.startsWith("https:");
      // As in the real entry.
      const response = withSessions(bindings.DB, request, https, () =>
        app.fetch(request, { clientAddress: clientAddressOf(request) }),
      );
      context.waitUntil(response.catch(() => {}));
      return response;
    }
    if (command === "store") {
      const { files, resumableFiles: resumable } = instance.deps;
      return callStore({ files, resumable }, request);
    }
    try {
      return Response.json((await COMMANDS[command]?.(instance, await request.text())) ?? null);
    } catch (error) {
      return new Response(error instanceof Error ? error.stack : String(error), { status: 500 });
    }
  },
};
