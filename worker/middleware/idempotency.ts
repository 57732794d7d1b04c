import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { isReferenceGone } from "../../db/errors";
import {
  claimIdempotencyKey,
  findIdempotencyKey,
  isKeyLost,
  type KeyClaim,
  type KeyedCall,
  type KeyedRejection,
  recordKeyedRejection,
  releaseIdempotencyKey,
} from "../../db/queries/idempotency-keys";
import type { AppEnv, UserEnv } from "../app-env";
import { SERVER_LIMITS } from "../contract/limits";
import { appError, causes, disconnected, rejectedAs } from "../errors";
import { DAY_MS, MINUTE_MS } from "../lib/durations";
import { hashToken } from "../lib/tokens";
import { withDescription } from "./describe";

const HEADER = "Idempotency-Key";
/** Printable ASCII. */
const KEY = /^[\x20-\x7e]{1,255}$/;
/** How long a key is stored. */
const KEY_MS = DAY_MS;
/** After this time a call that has created nothing counts as interrupted. One that still runs cannot create any more. */
const RUNNING_MS = 2 * MINUTE_MS;
/** A longer rejection is not stored. */
const MAX_REJECTION = 16 * 1024;

/** Behind `idempotent`: the claim of a call that has a key, to be passed to what creates. */
type KeyedEnv = UserEnv & { Variables: { claim?: KeyClaim } };
/** What a call has created as its response returns it, with the same errors as reading it. */
type FindCreated = (c: Context<UserEnv>, resource: string) => Promise<object>;

/**
 * Makes a call that creates something safe to repeat: a second call with the same `Idempotency-Key` gets what the first
 * has created, which `findCreated` reads, or its rejection. Server errors and rate limits are not stored, because a
 * retry may succeed.
 * @throws AppError `invalid_idempotency_key`, `idempotency_mismatch`, `idempotency_running`, `account_full`
 */
export const idempotent = (findCreated: FindCreated, createdStatus: 200 | 201 | 202 = 201) =>
  withDescription(
    createMiddleware<KeyedEnv>(async (c, next) => {
      const key = c.req.header(HEADER);
      if (key === undefined) return next();
      if (!KEY.test(key)) throw appError("invalid_idempotency_key");
      const { db, clock } = c.var.deps;
      const claim = { userId: c.var.user.id, key, claimedBy: c.var.requestId };
      // As bytes: Hono would pass a text on, in which what is not UTF-8 has been replaced.
      const body = await c.req.arrayBuffer().catch(disconnected("request_interrupted"));
      // What the first call has created is not for a session that has ended.
      await c.var.checkAgain?.();
      const text = new TextDecoder().decode(body);
      const requestHash = await hashToken(`${c.req.method} ${c.req.path}\n${text}`);
      const now = clock.now();
      const claimed = await claimIdempotencyKey(db, claim, {
        requestHash,
        now: now.toISOString(),
        expiredBefore: new Date(now.getTime() - KEY_MS).toISOString(),
        interruptedBefore: new Date(now.getTime() - RUNNING_MS).toISOString(),
        max: SERVER_LIMITS.idempotencyKeysPerAccount,
      }).catch(rejectedAs(isReferenceGone, "unauthenticated"));
      if (!claimed) {
        const first = await findIdempotencyKey(db, claim.userId, key);
        if (!first)
          throw appError("account_full", { params: { max: SERVER_LIMITS.idempotencyKeysPerAccount } });
        if (first.requestHash !== requestHash) throw appError("idempotency_mismatch");
        const { status, body } = await responseOf(c, first, findCreated, createdStatus);
        c.header("Idempotency-Replayed", "true");
        return c.body(body, status as ContentfulStatusCode, { "Content-Type": "application/json" });
      }
      c.set("claim", claim);
      await next();
      const { status } = c.res;
      // What was created is recorded by the batch that created it.
      if (status === createdStatus) return;
      const rejection = await c.res.clone().text();
      const mayRetry =
        status >= 500 || status === 429 || rejection.length > MAX_REJECTION || isKeyLost(c.error);
      if (mayRetry) await releaseIdempotencyKey(db, claim);
      else await recordRejection(c, claim, { status, body: rejection });
    }),
    {
      headers: {
        [HEADER]:
          "1 to 255 characters, stored for 24 hours: repeating the call returns what the first one created",
      },
      errors: ["invalid_idempotency_key", "idempotency_mismatch", "idempotency_running", "account_full"],
    },
  );

/** What the first call has created, or its recorded rejection. */
async function responseOf(
  c: Context<KeyedEnv>,
  { status, body, resource }: KeyedCall,
  findCreated: FindCreated,
  createdStatus: 200 | 201 | 202,
) {
  if (resource !== null)
    return { status: createdStatus, body: JSON.stringify(await findCreated(c, resource)) };
  if (status === null) throw appError("idempotency_running", { retryAfterSeconds: 1 });
  return { status, body: body ?? "" };
}

/** The response is sent even if it cannot be recorded. */
async function recordRejection(c: Context<KeyedEnv>, claim: KeyClaim, rejection: KeyedRejection) {
  const { db, log } = c.var.deps;
  await recordKeyedRejection(db, claim, rejection).catch((error: unknown) => {
    log.warn("response not recorded", { reason: causes(error).trim() });
  });
}

/**
 * For calls whose response contains a secret, which is returned once and not stored.
 * @throws AppError `idempotency_unsupported`
 */
export const noIdempotencyKey = withDescription(
  createMiddleware<AppEnv>(async (c, next) => {
    if (c.req.header(HEADER) !== undefined) throw appError("idempotency_unsupported");
    await next();
  }),
  { errors: ["idempotency_unsupported"] },
);
