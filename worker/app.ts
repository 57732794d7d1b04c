import { type Context, Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { AppEnv } from "./app-env";
import { SERVER_LIMITS } from "./contract/limits";
import type { Dependencies } from "./dependencies";
import { AppError, appError } from "./errors";
import { administrationRoutes } from "./features/administration/administration.routes";
import { apiTokenRoutes } from "./features/api-tokens/api-tokens.routes";
import { attachmentRoutes } from "./features/attachments/attachments.routes";
import { authRoutes } from "./features/auth/auth.routes";
import { passkeyRoutes, passkeySignInRoutes } from "./features/auth/passkeys.routes";
import { providerConfirmationRoutes, providerRoutes } from "./features/auth/provider-sign-in.routes";
import { reauthenticationRoutes } from "./features/auth/reauthentication.routes";
import { contactRoutes } from "./features/contacts/contacts.routes";
import { connectRoutes } from "./features/destinations/connect.routes";
import { deliverFilesSoon } from "./features/destinations/deliver-soon";
import { destinationRoutes } from "./features/destinations/destinations.routes";
import { answerRoutes } from "./features/envelopes/answers.routes";
import { bulkSendRoutes } from "./features/envelopes/bulk-sends.routes";
import { envelopeArchiveRoutes } from "./features/envelopes/envelope-archive.routes";
import { envelopeNotificationRoutes } from "./features/envelopes/envelope-notifications.routes";
import { envelopeRoutes } from "./features/envelopes/envelopes.routes";
import { documentRoutes, validityRoutes } from "./features/envelopes/validity.routes";
import { fileRoutes } from "./features/files/files.routes";
import { healthRoutes } from "./features/health/health.routes";
import { isOneClick, unsubscribeRoutes } from "./features/notifications/unsubscribe.routes";
import { openApiRoutes } from "./features/openapi/openapi.routes";
import { seriesRoutes } from "./features/series/series.routes";
import { submissionRoutes } from "./features/submissions/submissions.routes";
import { supportRoutes } from "./features/support/support.routes";
import { templateRoutes } from "./features/templates/templates.routes";
import { twoFactorRoutes } from "./features/two-factor/two-factor.routes";
import { uploadRoutes } from "./features/uploads/uploads.routes";
import { userRoutes } from "./features/users/users.routes";
import { webhookRoutes, webhooksAfter } from "./features/webhooks/webhooks.routes";
import { workspaceRoutes } from "./features/workspaces/workspaces.routes";
import { SAFE_METHODS } from "./middleware/api-token";
import { errorInLinkLanguage, errorResponse } from "./middleware/error-response";
import { limitUploadsByAddress } from "./middleware/rate-limit";
import { requestLog } from "./middleware/request-log";
import { securityHeaders, tusResumable } from "./middleware/response-headers";
import { sameOrigin } from "./middleware/same-origin";
import type { RegisteredHandler } from "./ports/api-description";

/** Concurrent uploads, avatars, submissions and other large bodies together. */
const UPLOADS_PER_ADDRESS = 100;
/** A larger body, which stays in memory until it has arrived, may arrive slowly. */
const LARGE_BODY = 64 * 1024;

const limitSize = bodyLimit({
  maxSize: SERVER_LIMITS.jsonBody,
  onError: () => {
    throw appError("body_too_large");
  },
});
/** Reads a body without Content-Length. Errors of the handlers behind it do not pass through it. */
const limitBody: typeof limitSize = (c, next) =>
  limitSize(c, next).catch((error: unknown) => {
    throw error instanceof AppError ? error : appError("request_interrupted", { disconnected: true });
  });

/** Bodies with files: streamed, with their own limits. */
const UPLOADS =
  /^\/api\/(?:submissions\/(?![^/]+\/(?:submit|messages|answers)$)|user\/avatar$|attachments$|workspaces\/[^/]+\/logo$)/;
/** Besides deletions, what goes on while too little space is free: signing in, submitting and administering. */
const USES_RESERVE =
  /^\/api\/(?:login|logout|password|auth|passkeys|reauthenticate|two-factor|submissions|unsubscribe|administration|user\/(?:verify|revert-email|release-email|resend-verification|change-password))(?:\/|$)/;
/** Calls that record events. */
const WITH_EVENTS = /^\/api\/(?:requests(?:\/|$)|submissions\/[^/]+(?:\/(?:opened|submit))?$)/;

type Handler = MiddlewareHandler<AppEnv>;
type Condition = (c: Context<AppEnv>) => boolean;

const hasSmallBody: Condition = (c) =>
  Number(c.req.header("content-length") ?? 0) <= LARGE_BODY &&
  c.req.header("transfer-encoding") === undefined;

/** Other changes leave the space that `USES_RESERVE` needs. */
const keepReserve: Handler = async (c, next) => {
  const length = c.req.header("content-length");
  // Of a body without a length, a part at least has arrived.
  await c.get("deps").requireSpace?.(length === undefined ? LARGE_BODY : Number(length));
  await next();
};
const usesReserve: Condition = (c) => c.req.method === "DELETE" || USES_RESERVE.test(c.req.path);

const unless =
  (condition: Condition, middleware: Handler): Handler =>
  (c, next) =>
    condition(c) ? next() : middleware(c, next);

/** Delivers files that a call has queued. */
const filesAfter: Handler = async (c, next) => {
  await next();
  const deps = c.get("deps");
  if (!deps.memory.filesQueued) return;
  deps.memory.filesQueued = false;
  deliverFilesSoon(deps);
};

/** Both as one middleware. */
const both =
  (outer: Handler, inner: Handler): Handler =>
  (c, next) =>
    outer(c, async () => void (await inner(c, next)));

/**
 * What applies to requests that may have a body or change something, as one middleware: each that Hono runs takes a read
 * as long as a column of its query.
 */
function onChanges(limitUploads: Handler): Handler {
  const limitInMemory = both(unless(hasSmallBody, limitUploads), limitBody);
  const limits: Handler = (c, next) =>
    UPLOADS.test(c.req.path) ? limitUploads(c, next) : limitInMemory(c, next);
  const events = unless((c) => !WITH_EVENTS.test(c.req.path), both(webhooksAfter, filesAfter));
  const taken = both(unless(usesReserve, keepReserve), both(limits, events));
  const changes = both(unless(isOneClick, sameOrigin), taken);
  return unless((c) => SAFE_METHODS.has(c.req.method), changes);
}

/** The whole HTTP API with the given dependencies. The runtime serves the pages. */
export function createApp(deps: Dependencies) {
  const handlers = (): readonly RegisteredHandler[] => app.routes;
  const app = new Hono<AppEnv>()
    .use(requestLog(deps))
    .use(securityHeaders())
    .use("/api/submissions/:token/uploads/*", tusResumable)
    .use(onChanges(limitUploadsByAddress(UPLOADS_PER_ADDRESS)))
    .route("/api", healthRoutes)
    .route("/api", authRoutes)
    .route("/api/login/passkey", passkeySignInRoutes)
    .route("/api/passkeys", passkeyRoutes)
    .route("/api/reauthenticate", reauthenticationRoutes)
    .route("/api/auth", providerRoutes)
    .route("/api/auth/confirmation", providerConfirmationRoutes)
    .route("/api/user", userRoutes)
    .route("/api/workspaces", workspaceRoutes)
    .route("/api/contacts", contactRoutes)
    .route("/api/templates", templateRoutes)
    .route("/api/attachments", attachmentRoutes)
    .route("/api/requests", envelopeArchiveRoutes)
    .route("/api/requests", answerRoutes)
    .route("/api/requests/bulk", bulkSendRoutes)
    .route("/api/series", seriesRoutes)
    .route("/api/requests", envelopeRoutes)
    .route("/api/requests", envelopeNotificationRoutes)
    .route("/api/requests", validityRoutes)
    .route("/api/documents", documentRoutes)
    .route("/api/submissions", submissionRoutes)
    .route("/api/tokens", apiTokenRoutes)
    .route("/api/two-factor", twoFactorRoutes)
    .route("/api/webhooks", webhookRoutes)
    .route("/api/destinations", destinationRoutes)
    .route("/api/destinations", connectRoutes)
    .route("/api/submissions", uploadRoutes)
    .route("/api/support", supportRoutes)
    .route("/api/unsubscribe", unsubscribeRoutes)
    .route("/api/administration", administrationRoutes)
    .route("/uploads", fileRoutes)
    .route("/api", openApiRoutes(handlers))
    .notFound((c) => errorResponse(appError("not_found"), c))
    .onError(errorInLinkLanguage);
  return app;
}

export type App = ReturnType<typeof createApp>;
/** For Hono's typed client in the browser. */
export type AppType = App;
