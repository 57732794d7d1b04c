import { createMiddleware } from "hono/factory";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import {
  claimIdempotencyKey,
  deleteIdempotencyKey,
  findIdempotencyKey,
  isKeyWithoutAccount,
  recordKeyedAnswer,
} from "../../db/queries/idempotency-keys";
import type { AppEnv, UserEnv } from "../app-env";
import { LIMITS } from "../contract/limits";
import { appError } from "../errors";
import { DAY_MS } from "../lib/durations";
import { hashToken } from "../lib/tokens";
import { withDescription } from "./describe";

const HEADER = "Idempotency-Key";
/** Printable ASCII. */
const KEY = /^[\x20-\x7e]{1,255}$/;
/** How long a key is stored. */
const KEY_MS = DAY_MS;
/** Longer than any call takes that has a key. */
const RUNNING_MS = 2 * 60 * 1000;

/**
 * Makes a call that creates something safe to repeat: a second call with the same `Idempotency-Key` gets the response
 * to the first. Server errors and rate limits are not stored, because a retry may succeed.
 * @throws AppError `invalid_idempotency_key`, `idempotency_mismatch`, `idempotency_running`, `account_full`
 */
export const idempotent = withDescription(
  createMiddleware<UserEnv>(async (c, next) => {
    const key = c.req.header(HEADER);
    if (key === undefined) return next();
    if (!KEY.test(key)) throw appError("invalid_idempotency_key");
    const { db, clock } = c.var.deps;
    const userId = c.var.user.id;
    const requestHash = await hashToken(`${c.req.method} ${c.req.path}\n${await c.req.text()}`);
    const now = clock.now();
    const claimed = await claimIdempotencyKey(db, userId, {
      key,
      requestHash,
      now: now.toISOString(),
      expiredBefore: new Date(now.getTime() - KEY_MS).toISOString(),
      interruptedBefore: new Date(now.getTime() - RUNNING_MS).toISOString(),
      max: LIMITS.idempotencyKeysPerAccount,
    }).catch((error: unknown) => {
      throw isKeyWithoutAccount(error) ? appError("unauthenticated") : error;
    });
    if (!claimed) {
      const first = await findIdempotencyKey(db, userId, key);
      if (!first) throw appError("account_full", { params: { max: LIMITS.idempotencyKeysPerAccount } });
      if (first.requestHash !== requestHash) throw appError("idempotency_mismatch");
      if (first.status === null) throw appError("idempotency_running", { retryAfterSeconds: 1 });
      c.header("Idempotency-Replayed", "true");
      const status = first.status as ContentfulStatusCode;
      return c.body(first.body ?? "", status, { "Content-Type": "application/json" });
    }
    await next();
    const { status } = c.res;
    if (status >= 500 || status === 429) await deleteIdempotencyKey(db, userId, key);
    else await recordKeyedAnswer(db, userId, key, { status, body: await c.res.clone().text() });
  }),
  {
    headers: {
      [HEADER]: "1 to 255 characters, stored for 24 hours: repeating the call returns the first response",
    },
    errors: ["invalid_idempotency_key", "idempotency_mismatch", "idempotency_running", "account_full"],
  },
);

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
