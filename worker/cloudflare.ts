import type { ExecutionContext } from "@cloudflare/workers-types";
import { requireMigrated, SchemaError } from "../db/version";
import type { Bindings } from "./adapters/cloudflare/bindings";
import { clientAddress } from "./adapters/cloudflare/client-address";
import { inInvocation, withSessions } from "./adapters/cloudflare/d1-sessions";
import { openDependencies } from "./adapters/cloudflare/dependencies";
import { unknownPath } from "./adapters/cloudflare/pages";
import { type App, createApp } from "./app";
import { ConfigError } from "./config";
import type { Dependencies } from "./dependencies";
import { requireOwnStore } from "./features/files/store-owner";
import { RULES_IN_MEMORY } from "./features/rate-limits/rate-rules";
import { withDeadline } from "./lib/retry";
import { apiHeaders } from "./lib/security-headers";
import { ForeignStoreError, StoreUnavailableError } from "./ports/file-store";

/** How long a request waits for the file store. */
const STORE_OWNER_MS = 2000;
const IN_THE_APP = /^\/(?:api|uploads)(?:\/|$)/;

let opened: { deps: Dependencies; app: App } | undefined;
let storesChecked = false;

/** Created by the first request of an isolate and reused by all later ones. */
function open(env: Bindings) {
  if (!opened) {
    const deps = openDependencies(env, { rulesInMemory: RULES_IN_MEMORY });
    opened = { deps, app: createApp(deps) };
  }
  return opened;
}

/**
 * Like `open`, for the first requests of an isolate, with a check of the database's version and of the bucket's owner.
 * Each request checks by itself, because a Worker must not await a promise of another request. If D1 or R2 does not
 * respond, the app reports it where it needs them.
 * @throws ConfigError, SchemaError, ForeignStoreError
 */
async function openChecked(env: Bindings) {
  const site = open(env);
  if (storesChecked) return site;
  try {
    await requireMigrated(site.deps.db);
    const late = () => new StoreUnavailableError(`No answer in ${STORE_OWNER_MS} ms`);
    await withDeadline(requireOwnStore(site.deps), STORE_OWNER_MS, late);
    storesChecked = true;
  } catch (error) {
    if (error instanceof SchemaError || error instanceof ForeignStoreError) throw error;
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
    const https = publicUrl.startsWith("https:");
    if (!IN_THE_APP.test(new URL(request.url).pathname)) return unknownPath(env.ASSETS, request, https);
    const response = withSessions(env.DB, request, https, () =>
      app.fetch(request, { clientAddress: clientAddress(request, publicUrl) }),
    );
    // A client that disconnects during an upload must not stop the app from cleaning up.
    context.waitUntil(response.catch(() => {}));
    return response;
  },

  /** Runs every minute, by the cron trigger. */
  async scheduled(_event: unknown, env: Bindings): Promise<void> {
    const { runScheduledJobs } = await import("./jobs");
    await inInvocation(env.DB, async () => runScheduledJobs((await openChecked(env)).deps));
  },
};

/**
 * The response of a Worker whose variables, database or bucket cannot be used. Only the log has the reason, because it may
 * contain the value of a variable.
 */
function misconfigured(error: unknown): Response {
  if (![ConfigError, SchemaError, ForeignStoreError].some((known) => error instanceof known)) throw error;
  globalThis.console.error((error as Error).message);
  const body = {
    message: "The server is not set up correctly; its log says what is wrong",
    code: "internal",
  };
  return Response.json(body, { status: 500, headers: apiHeaders({ https: true }) });
}
