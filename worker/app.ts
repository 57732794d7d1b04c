import { Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { except } from "hono/combine";
import type { AppEnv } from "./app-env";
import { LIMITS } from "./contract/limits";
import type { Dependencies } from "./dependencies";
import { AppError, appError } from "./errors";
import { administrationRoutes } from "./features/administration/administration.routes";
import { apiTokenRoutes } from "./features/api-tokens/api-tokens.routes";
import { authRoutes } from "./features/auth/auth.routes";
import { passkeyRoutes, passkeySignInRoutes } from "./features/auth/passkeys.routes";
import { providerRoutes } from "./features/auth/provider-sign-in.routes";
import { reauthenticationRoutes } from "./features/auth/reauthentication.routes";
import { contactRoutes } from "./features/contacts/contacts.routes";
import { bulkSendRoutes } from "./features/envelopes/bulk-sends.routes";
import { envelopeArchiveRoutes } from "./features/envelopes/envelope-archive.routes";
import { envelopeNotificationRoutes } from "./features/envelopes/envelope-notifications.routes";
import { envelopeRoutes } from "./features/envelopes/envelopes.routes";
import { fileRoutes } from "./features/files/files.routes";
import { healthRoutes, liveRoutes, readyRoutes } from "./features/health/health.routes";
import { isOneClick, unsubscribeRoutes } from "./features/notifications/unsubscribe.routes";
import { openApiRoutes } from "./features/openapi/openapi.routes";
import { submissionRoutes } from "./features/submissions/submissions.routes";
import { supportRoutes } from "./features/support/support.routes";
import { templateRoutes } from "./features/templates/templates.routes";
import { twoFactorRoutes } from "./features/two-factor/two-factor.routes";
import { uploadRoutes } from "./features/uploads/uploads.routes";
import { sessionRoutes } from "./features/users/sessions.routes";
import { userRoutes } from "./features/users/users.routes";
import { webhookRoutes, webhooksAfter } from "./features/webhooks/webhooks.routes";
import { workspaceRoutes } from "./features/workspaces/workspaces.routes";
import { errorsInLinkLanguage } from "./middleware/link-language";
import "./lib/validation-messages";
import { errorResponse } from "./middleware/error-response";
import { requestLog } from "./middleware/request-log";
import { securityHeaders, tusResumable } from "./middleware/response-headers";
import { SAFE_METHODS, sameOrigin } from "./middleware/same-origin";
import { limitUploadsByAddress } from "./middleware/upload-slots";
import type { RegisteredHandler } from "./ports/api-description";

/** Bodies with files: streamed, with their own limits. */
const UPLOADS = ["/api/submissions/*", "/api/user/avatar", "/api/workspaces/:id/logo"];

/**
 * Applies only to requests that may have a body or change something. Hono matches a condition's paths for each request,
 * which takes as long as all other middleware.
 */
const unlessSafe =
  (middleware: MiddlewareHandler<AppEnv>): MiddlewareHandler<AppEnv> =>
  (c, next) =>
    SAFE_METHODS.has(c.req.method) ? next() : middleware(c, next);

/** Concurrent uploads, avatars and submissions together. */
const UPLOADS_PER_ADDRESS = 100;

const limitSize = bodyLimit({
  maxSize: LIMITS.jsonBody,
  onError: () => {
    throw appError("body_too_large");
  },
});
/** Reads a body without Content-Length. Errors of the handlers behind it do not pass through it. */
const limitBody: typeof limitSize = (c, next) =>
  limitSize(c, next).catch((error: unknown) => {
    throw error instanceof AppError ? error : appError("request_interrupted", { disconnected: true });
  });

/** The whole HTTP API with the given dependencies. The runtime serves the pages. */
export function createApp(deps: Dependencies) {
  const limitUploads = limitUploadsByAddress(UPLOADS_PER_ADDRESS);
  const handlers = (): readonly RegisteredHandler[] => app.routes;
  const app = new Hono<AppEnv>()
    .use(async (c, next) => {
      c.set("deps", deps);
      await next();
    })
    .use(requestLog)
    .use(securityHeaders)
    .use("/api/submissions/:token/uploads/*", tusResumable)
    .use(unlessSafe(except(isOneClick, sameOrigin)))
    .use(unlessSafe(except(UPLOADS, limitBody)))
    .use("/api/submissions/:token/:call{submit|messages}", limitBody)
    .use("/api/submissions/:token/*", errorsInLinkLanguage)
    .use("/api/submissions/*", limitUploads)
    .use("/api/user/avatar", limitUploads)
    .use("/api/workspaces/:id/logo", unlessSafe(limitUploads))
    .use("/api/requests/*", webhooksAfter)
    .use("/api/submissions/:token", webhooksAfter)
    .use("/api/submissions/:token/:call{opened|submit}", webhooksAfter)
    .route("/api/health", healthRoutes)
    .route("/api/live", liveRoutes)
    .route("/api/ready", readyRoutes)
    .route("/api", authRoutes)
    .route("/api/login/passkey", passkeySignInRoutes)
    .route("/api/passkeys", passkeyRoutes)
    .route("/api/reauthenticate", reauthenticationRoutes)
    .route("/api/auth", providerRoutes)
    .route("/api/user", userRoutes)
    .route("/api/user/sessions", sessionRoutes)
    .route("/api/workspaces", workspaceRoutes)
    .route("/api/contacts", contactRoutes)
    .route("/api/templates", templateRoutes)
    .route("/api/requests", envelopeArchiveRoutes)
    .route("/api/requests/bulk", bulkSendRoutes)
    .route("/api/requests", envelopeRoutes)
    .route("/api/requests", envelopeNotificationRoutes)
    .route("/api/submissions", submissionRoutes)
    .route("/api/tokens", apiTokenRoutes)
    .route("/api/two-factor", twoFactorRoutes)
    .route("/api/webhooks", webhookRoutes)
    .route("/api/submissions", uploadRoutes)
    .route("/api/support", supportRoutes)
    .route("/api/unsubscribe", unsubscribeRoutes)
    .route("/api/administration", administrationRoutes)
    .route("/uploads", fileRoutes)
    .route("/api", openApiRoutes(handlers))
    .notFound((c) => errorResponse(appError("not_found"), c))
    .onError(errorResponse);
  return app;
}

export type App = ReturnType<typeof createApp>;
/** For Hono's typed client in the browser. */
export type AppType = App;
