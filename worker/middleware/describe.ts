import type { Context, MiddlewareHandler, TypedResponse } from "hono";
import { createMiddleware } from "hono/factory";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type * as z from "zod/mini";
import type { AppEnv, UserEnv } from "../app-env";
import type { ErrorCode } from "../contract/errors";
import type { JsonText } from "../lib/json-text";
import type { LogFields } from "../ports/logger";

/** What a response contains: an entity, a list of them, bytes of a media type, or nothing. */
export type Content = z.ZodMiniType | readonly [z.ZodMiniType] | `${string}/${string}` | null;
/** The successful responses by status. At most one of them is JSON. */
type Responses = { readonly [status: number]: Content };

/** The description of an operation in the OpenAPI document. Each handler in a route's chain adds its part. */
export type Description = {
  summary?: string;
  details?: string;
  responses?: Responses;
  errors?: readonly ErrorCode[];
  /** Errors whose status differs from that of their code. */
  errorsAt?: Record<number, readonly ErrorCode[]>;
  access?: "user" | "session";
  json?: z.ZodMiniType;
  /** Whether the JSON body is optional. */
  optionalBody?: boolean;
  query?: z.ZodMiniType;
  /** The media type of a body that is not JSON. */
  body?: string;
  /** Request headers with their meaning; names ending with `*` are required. */
  headers?: Record<string, string>;
  /** Path parameters that are strings; all others are ids. */
  texts?: readonly string[];
  /** The methods, if they differ from the registered one. */
  methods?: readonly string[];
};

const DESCRIPTION = Symbol("description");
type Described = { [DESCRIPTION]?: Description };

/** Adds to a middleware the description of every operation behind it. */
export const withDescription = <H extends object>(handler: H, description: Description): H =>
  Object.assign(handler, { [DESCRIPTION]: description });

/** The description that a handler adds. */
export const descriptionOf = (handler: object): Description => (handler as Described)[DESCRIPTION] ?? {};

/** Exists in types only, and carries the described JSON response from `describe` to `respond`. */
declare const JSON_RESPONSE: unique symbol;
/** Optional, because a context with another required variable could not be passed to a function that knows nothing of it. */
type DescribedEnv<Response> = AppEnv & { Variables: { [JSON_RESPONSE]?: Response } };
type JsonResponse = TypedResponse<unknown, ContentfulStatusCode, "json">;
type JsonResponseOf<R extends Responses> = {
  [Status in keyof R & ContentfulStatusCode]: R[Status] extends z.ZodMiniType<infer Body>
    ? TypedResponse<Body, Status, "json">
    : R[Status] extends readonly [z.ZodMiniType<infer Row>]
      ? TypedResponse<Row[], Status, "json">
      : never;
}[keyof R & ContentfulStatusCode];

/**
 * Describes an operation for the OpenAPI document: a summary, the responses, and the errors that the route's guards,
 * validators and limits do not describe themselves. Used in the route's chain: `describe("List the contacts", { 200:
 * [contactResponse] }, ["workspace_not_found"])`. The handler then returns its JSON with `respond`.
 */
export function describe<const R extends Responses>(
  summary: string,
  responses: R,
  errors: readonly ErrorCode[] = [],
  more: Description = {},
) {
  const setStatus = statusOf(responses);
  const described = createMiddleware<DescribedEnv<JsonResponseOf<R>>>((c, next) => {
    setStatus(c);
    return next();
  });
  return withDescription(described, { summary, responses, errors, ...more });
}

/** Sets the status of a response that is not the usual one. */
function statusOf(responses: Responses): (c: Pick<Context, "status">) => void {
  const created = ([201, 202] as const).find((status) => {
    const content = responses[status];
    return content !== undefined && isJson(content);
  });
  return (c) => {
    if (created) c.status(created);
  };
}

/** `describe` for calls behind this guard, which comes first and describes who may call. */
export const describeFor =
  <Env extends AppEnv>(guard: MiddlewareHandler<Env>) =>
  <const R extends Responses>(
    summary: string,
    responses: R,
    errors: readonly ErrorCode[] = [],
    more: Description = {},
  ) => {
    const setStatus = statusOf(responses);
    const guarded = createMiddleware<Env & DescribedEnv<JsonResponseOf<R>>>((c, next) =>
      guard(c, () => {
        setStatus(c);
        return next();
      }),
    );
    const { errors: own = [], ...access } = descriptionOf(guard);
    return withDescription(guarded, { ...access, summary, responses, ...more, errors: [...own, ...errors] });
  };

export const isJson = (content: Content): content is z.ZodMiniType | readonly [z.ZodMiniType] =>
  content !== null && typeof content !== "string";

type Keys<Body> = Body extends readonly (infer Row)[] ? Keys<Row> : Body extends unknown ? keyof Body : never;
/** A field that the response schema lacks cannot have a value. */
type WithoutOtherKeys<Body, DescribedBody> = { [Key in Exclude<Keys<Body>, Keys<DescribedBody>>]?: never };

/** Returns JSON of the schema, and with the status, that `describe` names. Another shape does not compile. */
export function respond<Response extends JsonResponse, Body extends Response["_data"] & {}>(
  c: JsonContext<Response>,
  body: Body & WithoutOtherKeys<Body, Response["_data"]>,
) {
  return respondText(c, JSON.stringify(body) as JsonText<Response["_data"]>) as unknown as TypedResponse<
    Body,
    Response["_status"] & ContentfulStatusCode,
    "json"
  >;
}

type JsonContext<Response> = Pick<Context, "body" | "env"> & {
  var: { readonly [JSON_RESPONSE]?: Response };
};

/** The same as `respond` for what is JSON already. */
export function respondText<Response extends JsonResponse>(
  c: JsonContext<Response>,
  body: JsonText<Response["_data"]>,
) {
  c.env.responseLength = body.length;
  return c.body(body, undefined, { "Content-Type": "application/json" }) as unknown as Response;
}

/** Responds without a body once the work is done. */
export async function whenDone(c: Pick<Context, "body">, work: Promise<unknown>) {
  await work;
  return c.body(null, 204);
}

/** The same, and logs what the user has done. */
export async function whenLogged(
  c: Pick<Context<UserEnv>, "body" | "var">,
  work: Promise<unknown>,
  event: string,
  fields: LogFields = {},
) {
  await work;
  c.var.deps.log.info(event, { userId: c.var.user.id, ...fields });
  return c.body(null, 204);
}
