import { openD1 } from "../../../db/d1";
import { appConfig, readVariables } from "../../config";
import type { Dependencies } from "../../dependencies";
import { createScryptHasher } from "../../lib/password";
import { systemClock } from "../../ports/clock";
import { withLevel } from "../../ports/logger";
import { createClamdScanner } from "../shared/clamd-scanner";
import { createJsonLogger } from "../shared/json-logger";
import { createBackgroundTasks } from "./background-tasks";
import type { Bindings } from "./bindings";
import { createR2FileStore } from "./r2-file-store";
import { createR2ResumableStore } from "./r2-resumable-store";
import { openRateLimiter } from "./rate-limiter";
import { openSenders } from "./senders";
import { createSha256 } from "./sha256";
import { connectTcp } from "./tcp-connection";
import { createWebhookSender } from "./webhook-sender";

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
  env: Omit<Bindings, "ASSETS">,
  { rulesInMemory, overrides = {} }: OpenOptions,
): Dependencies {
  const variables = readVariables(env);
  const clock = overrides.clock ?? systemClock;
  const written = createJsonLogger(clock, (line) => globalThis.console.log(line));
  const log = overrides.log ?? withLevel(written, variables.LOG_LEVEL);
  const db = openD1(env.DB);
  return {
    config: appConfig(variables),
    db,
    files: createR2FileStore(env.FILES),
    resumableFiles: createR2ResumableStore(env.FILES),
    scanner: variables.CLAMAV_URL ? createClamdScanner(variables.CLAMAV_URL, connectTcp) : undefined,
    ...openSenders(variables, env),
    webhookSender: createWebhookSender({ allowPrivate: variables.WEBHOOK_ALLOW_PRIVATE === "on" }),
    clock,
    rateLimiter: openRateLimiter(variables, env, { db, clock, inMemory: rulesInMemory }),
    // Without a queue: workerd runs hashes one after another anyway, on the isolate's thread.
    passwordHasher: createScryptHasher(),
    createSha256,
    background: createBackgroundTasks(log),
    log,
    ...overrides,
  };
}
