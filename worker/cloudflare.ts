import type { ExecutionContext } from "@cloudflare/workers-types";
import { requireMigrated, SchemaError } from "../db/version";
import type { Bindings } from "./adapters/cloudflare/bindings";
import { clientAddress } from "./adapters/cloudflare/client-address";
import { openDependencies } from "./adapters/cloudflare/dependencies";
import { misconfigured } from "./adapters/cloudflare/misconfigured";
import { unknownPath } from "./adapters/cloudflare/pages";
import { type App, createApp } from "./app";
import type { Dependencies } from "./dependencies";
import { runScheduledJobs } from "./jobs";
import { RULES_IN_MEMORY } from "./lib/rate-rules";

const IN_THE_APP = /^\/(?:api|uploads)(?:\/|$)/;

let opened: { deps: Dependencies; app: App } | undefined;
let schemaChecked = false;

/** Created by the first request of an isolate and reused by all later ones. */
function open(env: Bindings) {
  if (!opened) {
    const deps = openDependencies(env, { rulesInMemory: RULES_IN_MEMORY });
    opened = { deps, app: createApp(deps) };
  }
  return opened;
}

/**
 * Like `open`, for the first requests of an isolate, with a check of the database's version. Each request checks by
 * itself, because a Worker must not await a promise of another request. If D1 does not answer, the app reports it.
 * @throws ConfigError, SchemaError
 */
async function openChecked(env: Bindings) {
  const site = open(env);
  if (schemaChecked) return site;
  try {
    await requireMigrated(site.deps.db);
    schemaChecked = true;
  } catch (error) {
    if (error instanceof SchemaError) throw error;
  }
  return site;
}

export default {
  /** Answers `/api`, `/uploads` and unknown paths. Cloudflare serves pages and files itself. */
  async fetch(request: Request, env: Bindings, context: ExecutionContext): Promise<Response> {
    let site: ReturnType<typeof open>;
    try {
      site = await openChecked(env);
    } catch (error) {
      return misconfigured(error);
    }
    const { app, deps } = site;
    const { publicUrl } = deps.config;
    if (!IN_THE_APP.test(new URL(request.url).pathname))
      return unknownPath(env.ASSETS, request, publicUrl.startsWith("https:"));
    const answer = app.fetch(request, { clientAddress: clientAddress(request, publicUrl) });
    // A client that disconnects during an upload must not stop the app from cleaning up.
    context.waitUntil(Promise.resolve(answer).catch(() => {}));
    return answer;
  },

  /** Runs every minute, by the cron trigger. */
  async scheduled(_event: unknown, env: Bindings): Promise<void> {
    await runScheduledJobs((await openChecked(env)).deps);
  },
};
