import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { embeddedFiles, sleep } from "bun";
import { Cron } from "croner";
import { watchGrandparent } from "./adapters/bun/ancestors";
import { createBackgroundTasks } from "./adapters/bun/background-tasks";
import { readEnvironment } from "./adapters/bun/environment";
import { listen } from "./adapters/bun/listen";
import { openMetrics } from "./adapters/bun/metrics/metrics";
import { openLog } from "./adapters/bun/open-log";
import { needsDataFolder, openResources } from "./adapters/bun/resources";
import { createSha256 } from "./adapters/bun/sha256";
import { loadStaticFiles } from "./adapters/bun/site/static-files";
import { createStaticSite, type StaticSite } from "./adapters/bun/site/static-site";
import { StartError } from "./adapters/bun/start-error";
import { warnOfAddress } from "./adapters/bun/start-warnings";
import { inTime, stopGracefully } from "./adapters/bun/stop";
import { createApp } from "./app";
import { appConfig, ConfigError, type Variables } from "./config";
import type { Dependencies } from "./dependencies";
import { causes } from "./errors";
import { sendSoon } from "./features/webhooks/webhooks.service";
import { runScheduledJobs } from "./jobs";
import { removeOrphanFiles } from "./jobs/cleanup";
import { withoutCredentials } from "./lib/log-text";
import { createScryptHasher } from "./lib/password";
import { RULES_IN_MEMORY } from "./lib/rate-rules";
import { VERSION } from "./lib/version";
import { createWorkQueue } from "./lib/work-queue";
import { systemClock } from "./ports/clock";

/** Next to the code, or inside the executable built by `bun run compile`. */
const WEB_APP = fileURLToPath(new URL(embeddedFiles.length > 0 ? "./dist" : "../web/dist", import.meta.url));
/** Half of the cores, at least one. Sixty concurrent registrations fit in the queue. */
const HASHING = {
  running: Math.max(1, Math.floor(availableParallelism() / 2)),
  waiting: 64,
  retryAfterSeconds: 10,
};
/** The first retry of a webhook. */
const EVERY_FIVE_SECONDS = "*/5 * * * * *";
const EVERY_MINUTE = "* * * * *";
const EVERY_HOUR = "0 * * * *";

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
 * @throws StartError with a one-line reason
 */
export async function startBunServer(
  variables: Variables,
  { site: providedSite, ...overrides }: Overrides = {},
): Promise<BunServer> {
  const clock = overrides.clock ?? systemClock;
  const log = overrides.log ?? openLog(variables, clock);
  const background = createBackgroundTasks(log);
  const stopping = new AbortController();
  const site = providedSite ?? (await openSite(variables));
  const rulesInMemory = RULES_IN_MEMORY;
  const { close, emptyJournal, ...resources } = await openResources(variables, { clock, log, rulesInMemory });
  const metrics = variables.METRICS_TOKEN
    ? openMetrics(variables.METRICS_TOKEN, {
        db: resources.db,
        clock,
        folder: needsDataFolder(variables) ? resolve(variables.DATA_DIR) : null,
      })
    : undefined;
  const deps: Dependencies = {
    config: appConfig(variables),
    clock,
    log,
    background,
    stopping: stopping.signal,
    metrics: metrics?.counters,
    createSha256,
    passwordHasher: createScryptHasher(undefined, createWorkQueue(HASHING)),
    ...resources,
    ...overrides,
  };

  try {
    const server = listen(
      { host: variables.HOST, port: variables.PORT, proxies: variables.TRUSTED_PROXIES },
      log,
      (port) => {
        deps.config = overrides.config ?? appConfig(variables, port);
        const app = createApp(deps);
        return { app: (request, client) => app.fetch(request, client), site, metrics: metrics?.answer };
      },
    );
    background.run("orphan files", () => removeOrphanFiles(deps));
    const schedule = startSchedule(deps, emptyJournal);
    return {
      url: `http://${isLocal(variables.HOST) ? "localhost" : variables.HOST}:${server.port}`,
      address: `${variables.HOST.includes(":") ? `[${variables.HOST}]` : variables.HOST}:${server.port}`,
      deps,
      async stop(delaySeconds = 0) {
        log.info("stopping", { delaySeconds });
        stopping.abort();
        await sleep(delaySeconds * 1000);
        for (const cron of schedule) cron.stop();
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

async function openSite(variables: Variables): Promise<StaticSite> {
  const files = await loadStaticFiles(WEB_APP).catch(() => {
    throw new StartError("The web app is not built; `bun start` builds it, and so does `bun run build`");
  });
  return createStaticSite(files, appConfig(variables).transport);
}

/** Sends webhooks and empties the journal at intervals. Runs the jobs now and every minute, one run at a time. */
function startSchedule(deps: Dependencies, emptyJournal: () => Promise<void>): Cron[] {
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
  runJobs();
  return [
    new Cron(EVERY_FIVE_SECONDS, { unref: true }, () => sendSoon(deps)),
    new Cron(EVERY_MINUTE, { unref: true }, runJobs),
    new Cron(EVERY_HOUR, { unref: true }, () => background.run("empty journal", emptyJournal)),
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
      `Doculopes ${VERSION} runs at ${server.deps.config.publicUrl} (listens on ${server.address})\n`,
    );
    warnOfAddress(variables, server.deps);
  } catch (error) {
    const known = error instanceof StartError || error instanceof ConfigError;
    const reason = withoutCredentials(known ? error.message : `Doculopes could not start: ${error}`);
    process.stderr.write(`${reason.split("\n", 1)[0]}\n`);
    process.exit(1);
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
