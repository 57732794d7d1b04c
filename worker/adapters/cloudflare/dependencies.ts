import { connect } from "cloudflare:sockets";
import { createHash, type Hash } from "node:crypto";
import { openD1 } from "../../../db/d1";
import { appConfig, readVariables } from "../../config";
import type { Dependencies } from "../../dependencies";
import { createScryptHasher } from "../../lib/password";
import { builtRevision } from "../../lib/version";
import { NO_QUEUE } from "../../lib/work-queue";
import { systemClock } from "../../ports/clock";
import type { CreateSha256, Sha256 } from "../../ports/crypto";
import type { FileScanner } from "../../ports/file-store";
import { withLevel } from "../../ports/logger";
import { createProcessMemory } from "../../process-memory";
import type { Connect } from "../shared/clamd-scanner";
import { createDestinations } from "../shared/destinations";
import { createJsonLogger } from "../shared/loggers";
import { createMultipartStore } from "../shared/multipart-uploads";
import { createObjectFileStore } from "../shared/object-file-store";
import { createSecretBox } from "../shared/secret-box";
import { createBackgroundTasks } from "./background-tasks";
import type { Bindings } from "./bindings";
import { createBuiltTexts } from "./built-texts";
import { callsLeft, openSessions } from "./d1-sessions";
import { createPublicFetch } from "./public-fetch";
import { r2Bucket } from "./r2-bucket";
import { openRateLimiter } from "./rate-limiter";
import { openSenders } from "./senders";
import { createWebhookSender } from "./webhook-sender";

/**
 * Cloudflare rejects a request of more than 100 MB. A program that submits all files in one request should get the app's
 * message instead.
 */
const MAX_FILE_MB = "90";
/** Anybody reaches a Worker, so who may sign up is for its operator to say; `bun run dev:worker` gives both. */
const PUBLIC = { HOST: "0.0.0.0", SIGN_UP: "off" };

/**
 * Of an invocation's calls to D1, a message takes up to seven and a batch one. It ends 30 seconds after its response, of which
 * a gateway may take 15. Six of its connections can wait for a response: one is left for D1.
 */
const RUN_LIMITS = {
  attempts: 100,
  slots: { email: 3, sms: 2 },
  batches: 20,
  afterResponseMs: 10_000,
  callsLeft,
};

export type OpenOptions = {
  /** Rate rules to count in memory, because a write per attempt would cost more than the guarded action. */
  rulesInMemory: readonly string[];
  /** Replace what the bindings would provide; for tests. */
  overrides?: Partial<Dependencies>;
};

/**
 * Creates the app's dependencies from a Worker's bindings, variables and secrets. They do not depend on a request, so
 * an isolate creates them once.
 * @throws ConfigError that names the invalid variable
 */
export function openDependencies(
  env: Bindings,
  { rulesInMemory, overrides = {} }: OpenOptions,
): Dependencies {
  const variables = readVariables({ MAX_FILE_MB, ...(!("HOST" in env) && PUBLIC), ...env });
  const clock = overrides.clock ?? systemClock;
  const written = createJsonLogger(clock, (line) => globalThis.console.log(line));
  const log = overrides.log ?? withLevel(written, variables.LOG_LEVEL);
  const { latest, replica } = openSessions(env.DB);
  const db = openD1(latest);
  const allowPrivate = variables.WEBHOOK_ALLOW_PRIVATE === "on";
  return {
    config: { ...appConfig(variables), signUpChosen: "SIGN_UP" in env },
    db,
    replica: openD1(replica),
    files: createObjectFileStore(r2Bucket(env.FILES)),
    resumableFiles: createMultipartStore(r2Bucket(env.FILES)),
    scanner: variables.CLAMAV_URL ? openScanner(variables.CLAMAV_URL) : undefined,
    ...openSenders(variables, env),
    ...createBuiltTexts(env.ASSETS),
    webhookSender: createWebhookSender({ allowPrivate }),
    destinations: createDestinations(variables, {
      ...{ fetchPublic: createPublicFetch({ allowPrivate }), createSha256, clock },
    }),
    clock,
    rateLimiter: openRateLimiter(variables, env, { db, clock, inMemory: rulesInMemory }),
    // Without a queue: workerd runs hashes one after another anyway, on the isolate's thread.
    passwordHasher: createScryptHasher(),
    createSha256,
    secretBox: createSecretBox(async () => variables.SECRET_KEY ?? []),
    background: createBackgroundTasks(log),
    // Requests of a Worker cannot wait for each other.
    memory: createProcessMemory(() => NO_QUEUE),
    runLimits: RUN_LIMITS,
    revision: builtRevision ?? undefined,
    log,
    ...overrides,
  };
}

/** As quick as `crypto.DigestStream`, which ends with the request that opened it and cannot be copied. */
const createSha256: CreateSha256 = () => wrap(createHash("sha256"));

const wrap = (hash: Hash): Sha256 => ({
  update: (bytes) => void hash.update(bytes),
  copy: () => wrap(hash.copy()),
  digest: () => hash.digest("hex"),
});

/** Few Workers have one, so its code is read when the first file is scanned. */
const openScanner = (url: string): FileScanner => ({
  async scan(file, signal) {
    const { createClamdScanner } = await import("../shared/clamd-scanner");
    return createClamdScanner(url, connectTcp).scan(file, signal);
  },
});

const connectTcp: Connect = async ({ host, port }, signal) => {
  const socket = connect({ hostname: host, port });
  const close = () => void socket.close().catch(() => {});
  signal.addEventListener("abort", close);
  try {
    await socket.opened;
  } catch (error) {
    close();
    throw error;
  } finally {
    signal.removeEventListener("abort", close);
  }
  const writer = socket.writable.getWriter();
  return { write: (bytes) => writer.write(bytes), incoming: socket.readable, close };
};
