import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { sleep } from "bun";
import { findImport } from "../db/queries/job-runs";
import { createBackgroundTasks } from "./adapters/bun/background-tasks";
import { configurationAdvice } from "./adapters/bun/configuration-advice";
import { readEnvironment } from "./adapters/bun/environment";
import { READ_BYTES } from "./adapters/bun/files/s3-bucket";
import { listen } from "./adapters/bun/listen";
import { loadErrorTexts, loadMailTexts } from "./adapters/bun/messages/mail-texts";
import { openMetrics } from "./adapters/bun/metrics/metrics";
import { holdFile, needsDataFolder, openResources, s3Options } from "./adapters/bun/resources";
import { readRevision } from "./adapters/bun/revision";
import { createSha256 } from "./adapters/bun/sha256";
import { createStaticSite, loadStaticFiles, type StaticSite } from "./adapters/bun/site/static-site";
import { PermanentStartError, StartError } from "./adapters/bun/start-error";
import { inTime, stopGracefully, watchGrandparent } from "./adapters/bun/stop";
import { createJsonLogger, createTextLogger } from "./adapters/shared/loggers";
import { createApp } from "./app";
import {
  differenceFrom,
  findMissingBackups,
  findNewestArchive,
  OTHER_BACKUPS,
} from "./cli/archive/newest-archive";
import { type AppConfig, appConfig, ConfigError, type Variables } from "./config";
import type { Dependencies } from "./dependencies";
import { causes } from "./errors";
import { logSetupLink } from "./features/auth/sign-up";
import { deliverFilesSoon } from "./features/destinations/deliver-soon";
import { requireOwnStore } from "./features/files/store-owner";
import { describeApi } from "./features/openapi/describe-api";
import { RULES_IN_MEMORY, sendingRules } from "./features/rate-limits/rate-rules";
import { sendSoon } from "./features/webhooks/webhooks.service";
import { runScheduledJobs } from "./jobs";
import { cleanStore } from "./jobs/cleanup";
import { withoutCredentials } from "./lib/log-text";
import { createScryptHasher } from "./lib/password";
import { withDeadline } from "./lib/retry";
import { createLoopTurns } from "./lib/turns";
import { nameVersion } from "./lib/version";
import { createWorkQueue } from "./lib/work-queue";
import { type Clock, systemClock } from "./ports/clock";
import { ForeignStoreError, StoreUnavailableError } from "./ports/file-store";
import { type Logger, withLevel } from "./ports/logger";
import { createProcessMemory } from "./process-memory";

/** Defined by a build, because its code is in another folder. */
declare const BUILT_WEB_APP: string | undefined;
const WEB_APP = fileURLToPath(
  new URL(typeof BUILT_WEB_APP === "string" ? BUILT_WEB_APP : "../web/dist", import.meta.url),
);
/** Half of the cores, at least one. Sixty concurrent registrations fit in the queue. */
const HASHING = {
  running: Math.max(1, Math.floor(availableParallelism() / 2)),
  waiting: 64,
  retryAfterSeconds: 10,
};
const WAITING_PER_LANE = 4;
/** How long the start waits for the file store. */
const STORE_OWNER_MS = 10_000;
/** The first retry of a webhook. */
const SEND_INTERVAL_MS = 5000;
const FIRST_JOBS_MS = 200;
const JOBS_INTERVAL_MS = 60_000;
const JOURNAL_INTERVAL_MS = 60 * 60_000;
/** EX_CONFIG of sysexits.h. The systemd unit does not start a server again that ended with it. */
const EXIT_INVALID_CONFIGURATION = 78;

export type BunServer = {
  /** The origin at which this machine reaches the server. */
  url: string;
  /** The host and port that it listens on. */
  address: string;
  deps: Dependencies;
  /**
   * From now on the server is not ready; after the delay it accepts no requests. Resolves once running requests and
   * background work are finished and the database is closed.
   */
  stop(delaySeconds?: number): Promise<void>;
};

/** Replacements for what the variables configure. */
type Overrides = Partial<Dependencies> & { site?: StaticSite };

/**
 * Starts the whole app in this process: opens and migrates the database, listens and starts the schedule.
 * @throws StartError, ForeignStoreError with a one-line reason
 */
export async function startBunServer(
  variables: Variables,
  { site: providedSite, ...overrides }: Overrides = {},
): Promise<BunServer> {
  const clock = overrides.clock ?? systemClock;
  const log = overrides.log ?? openLog(variables, clock);
  const background = createBackgroundTasks(log);
  const stopping = new AbortController();
  const createSite = providedSite ? () => providedSite : openSite();
  const rulesInMemory = RULES_IN_MEMORY;
  const { close, emptyJournal, ...resources } = await openResources(variables, { clock, log, rulesInMemory });
  const metrics = variables.METRICS_TOKEN
    ? openMetrics(variables.METRICS_TOKEN, {
        db: resources.db,
        clock,
        folder: needsDataFolder(variables) ? resolve(variables.DATA_DIR) : null,
        messagesOfAll: sendingRules(appConfig(variables)).messagesOfAll,
      })
    : undefined;
  const deps: Dependencies = {
    config: appConfig(variables),
    clock,
    log,
    background,
    memory: createProcessMemory(),
    stopping: stopping.signal,
    metrics: metrics?.counters,
    createSha256,
    takeTurn: createLoopTurns(),
    loadMailTexts,
    loadErrorTexts,
    loadApiDescription: describeApi,
    revision: readRevision(),
    holdsMessages: existsSync(holdFile(variables)),
    passwordHasher: createScryptHasher(undefined, openHashQueue(variables)),
    ...resources,
    ...overrides,
  };

  try {
    await requireWhole(deps);
    await checkStoreOwner(deps);
    await compareWithBackups(deps, variables);
    const server = listen(
      {
        ...{ host: variables.HOST, port: variables.PORT, proxies: variables.TRUSTED_PROXIES },
        // A disk is read only as fast as the client reads.
        fileBytes: s3Options(variables) ? READ_BYTES : 0,
      },
      log,
      (port) => {
        deps.config = overrides.config ?? appConfig(variables, port);
        const app = createApp(deps);
        const site = createSite(deps.config);
        return { app: (request, client) => app.fetch(request, client), site, metrics: metrics?.respond };
      },
    );
    const schedule = startSchedule(deps, emptyJournal);
    return {
      url: `http://${isLocal(variables.HOST) ? "localhost" : variables.HOST}:${server.port}`,
      address: `${variables.HOST.includes(":") ? `[${variables.HOST}]` : variables.HOST}:${server.port}`,
      deps,
      async stop(delaySeconds = 0) {
        log.info("stopping", { delaySeconds });
        stopping.abort();
        await sleep(delaySeconds * 1000);
        for (const timer of schedule) clearInterval(timer);
        await stopGracefully(server, background, log);
        metrics?.stop();
        await inTime("database", emptyJournal(), log);
        close();
      },
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** A store that does not answer must not prevent the start. The job that removes files checks again. */
async function checkStoreOwner(deps: Dependencies): Promise<void> {
  const late = () => new StoreUnavailableError(`No answer in ${STORE_OWNER_MS} ms`);
  try {
    await withDeadline(requireOwnStore(deps), STORE_OWNER_MS, late);
  } catch (error) {
    if (error instanceof ForeignStoreError) throw error;
    deps.log.warn("store not checked", { error: causes(error).trim() });
  }
}

/** @throws StartError if an import has not written all rows */
async function requireWhole({ db }: Dependencies): Promise<void> {
  if (await findImport(db))
    throw new StartError(
      "An import into the database is under way, or was interrupted: if none is, run it again with --replace",
    );
}

/** A server without its data would otherwise pass for a new one. */
async function compareWithBackups({ db, log, memory }: Dependencies, { BACKUPS }: Variables): Promise<void> {
  if (BACKUPS === undefined) return;
  const missing = await findMissingBackups(db, BACKUPS);
  if (missing) log.warn("backups not found", { reason: missing.problem, advice: missing.advice });
  const newest = await findNewestArchive(BACKUPS);
  const difference = newest && (await differenceFrom(db, newest));
  if (!difference) return;
  memory.otherBackups = true;
  log.error("another instance than that of the backups", { difference, advice: OTHER_BACKUPS });
}

const openHashQueue = ({ RATE_LIMITS }: Variables) =>
  createWorkQueue({ ...HASHING, waitingPerLane: RATE_LIMITS === "on" ? WAITING_PER_LANE : HASHING.waiting });

/** Finds the files of the pages, whose policy needs the port. */
function openSite(): (config: AppConfig) => StaticSite {
  try {
    const files = loadStaticFiles(WEB_APP);
    return ({ transport, allowedOrigins: origins }) => createStaticSite(files, { ...transport, origins });
  } catch {
    throw new StartError("The web app is not built; `bun start` builds it, and so does `bun run build`");
  }
}

/**
 * Sends webhooks and empties the journal at intervals. Removes orphan files, and runs the jobs every minute, one run at a
 * time; both at first when the requests that waited for the start are through.
 */
function startSchedule(deps: Dependencies, emptyJournal: () => Promise<void>): Timer[] {
  const { background } = deps;
  let running = false;
  const done = () => {
    running = false;
  };
  const runJobs = () => {
    if (running) return;
    running = true;
    background.run("scheduled jobs", () => runScheduledJobs(deps).finally(done));
  };
  const begin = () => {
    background.run("orphan files", () => cleanStore(deps));
    runJobs();
  };
  return [
    setTimeout(begin, FIRST_JOBS_MS),
    setInterval(() => {
      sendSoon(deps);
      deliverFilesSoon(deps);
    }, SEND_INTERVAL_MS),
    setInterval(runJobs, JOBS_INTERVAL_MS),
    setInterval(() => background.run("empty journal", emptyJournal), JOURNAL_INTERVAL_MS),
  ];
}

const isLocal = (host: string) => ["127.0.0.1", "0.0.0.0", "::", "::1"].includes(host);

/** Starts the server from the environment. On failure ends the process with a one-line reason. */
export async function main(): Promise<void> {
  try {
    const variables = readEnvironment(process.env);
    const server = await startBunServer(variables);
    const stop = stopOnSignals(server, variables.STOP_DELAY);
    if (process.env.npm_execpath?.includes("npm")) watchGrandparent(stop);
    logUnhandledErrors(server);
    process.stdout.write(
      `Doculopes ${nameVersion(server.deps.revision)} runs at ${server.deps.config.publicUrl} (listens on ${server.address})\n`,
    );
    await logSetupLink(server.deps);
    for (const { event, problem, advice } of configurationAdvice(variables, process.env))
      server.deps.log.warn(event, { reason: `${problem}. ${advice[0]?.toUpperCase()}${advice.slice(1)}` });
  } catch (error) {
    const known = [StartError, ConfigError, ForeignStoreError].some((kind) => error instanceof kind);
    const text = known ? (error as Error).message : `Doculopes could not start: ${error}`;
    // A message about a variable hides its value itself, and shows how a URL with a password is written.
    const reason = error instanceof ConfigError ? text : withoutCredentials(text);
    process.stderr.write(`${reason.split("\n", 1)[0]}\n`);
    const isPermanent = error instanceof ConfigError || error instanceof PermanentStartError;
    process.exit(isPermanent ? EXIT_INVALID_CONFIGURATION : 1);
  }
}

/** Stops only once: a terminal sends Ctrl-C both to this process and to `bun run`, which forwards it. */
function stopOnSignals(server: BunServer, delaySeconds: number): () => void {
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    void server.stop(delaySeconds).then(
      () => process.exit(0),
      (error) => {
        server.deps.log.error("stop failed", { error: causes(error).trim() });
        process.exit(1);
      },
    );
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, stop);
  return stop;
}

/** A closed log pipe, a full disk under the log or an unhandled error must not abort everybody's uploads. */
function logUnhandledErrors({ deps }: BunServer): void {
  process.stdout.on("error", () => {});
  process.on("unhandledRejection", (reason) => {
    deps.log.error("unhandled rejection", { error: causes(reason).trim() || String(reason) });
  });
}

if (import.meta.main) await main();

/** The log on standard output in the configured format: by default text in a terminal, and JSON otherwise. */
function openLog({ LOG_FORMAT, LOG_LEVEL }: Variables, clock: Clock): Logger {
  const format = LOG_FORMAT ?? (process.stdout.isTTY ? "text" : "json");
  const createLogger = format === "text" ? createTextLogger : createJsonLogger;
  return withLevel(createLogger(clock, writeTogether()), LOG_LEVEL);
}

/** Writes lines at the end of a turn of the event loop: one write for each would be a fifth of reading a link. */
function writeTogether(): (line: string) => void {
  let waiting = "";
  const flush = () => {
    const lines = waiting;
    waiting = "";
    if (lines) process.stdout.write(lines);
  };
  process.on("exit", flush);
  return (line) => {
    if (!waiting) setImmediate(flush);
    waiting += `${line}\n`;
  };
}
