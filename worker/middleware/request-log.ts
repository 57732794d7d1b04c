import { createMiddleware } from "hono/factory";
import { routePath } from "hono/route";
import type { User } from "../../db/queries/users";
import type { AppEnv } from "../app-env";
import { ERRORS } from "../contract/errors";
import type { Dependencies } from "../dependencies";
import { AppError, causes } from "../errors";
import { framesOf } from "../lib/log-text";
import { type Logger, withFields } from "../ports/logger";
import { toAppError } from "./error-response";

/** The usual status, in logs and metrics, of a request whose client has disconnected. */
const CLIENT_CLOSED_REQUEST = 499;

/** The user is only known behind a middleware that requires one. */
type LoggedEnv = AppEnv & { Variables: { user?: Pick<User, "id"> } };

/** One log line per request, with the route's pattern instead of the path, which may contain a token. */
export const requestLog = (ofApp: Dependencies) =>
  createMiddleware<LoggedEnv>(async (c, next) => {
    const started = performance.now();
    const requestId = crypto.randomUUID();
    const deps = forRequest(ofApp, requestId);
    c.set("requestId", requestId);
    c.set("deps", deps);
    await next();
    c.res.headers.set("X-Request-Id", requestId);
    const user = c.get("user");
    const { method } = c.req;
    const disconnected = c.error instanceof AppError && c.error.details.disconnected;
    const status = disconnected ? CLIENT_CLOSED_REQUEST : c.res.status;
    const route = routePath(c, -1);
    const ms = performance.now() - started;
    deps.metrics?.countRequest(method, route, status, ms / 1000);
    deps.log.info("request", {
      method,
      route,
      status,
      ms: Math.round(ms),
      client: c.env.clientAddress,
      userId: user?.id,
    });
    if (c.error) logFailure(deps.log, c.error);
  });

/** The same dependencies with a logger that adds the request id, also in background tasks. */
function forRequest(deps: Dependencies, requestId: string): Dependencies {
  const log = withFields(deps.log, { requestId });
  return { ...deps, log, background: { run: (name, task) => deps.background.run(name, task, log) } };
}

/** Expected failures are warnings with a reason; unexpected ones are errors. */
function logFailure(log: Logger, error: Error): void {
  const { code } = toAppError(error);
  const { status } = ERRORS[code];
  if (status === 503 || status === 507)
    log.warn("request rejected", { code, status, reason: causes(error).trim() });
  if (code === "internal")
    log.error("request failed", { error: causes(error).trim(), stack: framesOf(error) });
}
