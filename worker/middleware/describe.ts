import { createMiddleware } from "hono/factory";
import type * as z from "zod";
import type { AppEnv } from "../app-env";
import type { AnswerName } from "../contract/answers";
import type { ErrorCode } from "../contract/errors";

/** What a response contains: an entity, a list of them, nothing, or bytes of a media type. */
export type Content = AnswerName | `${AnswerName}[]` | `${string}/${string}` | null;

/** The description of an operation in the OpenAPI document. Each handler in a route's chain adds its part. */
export type Description = {
  summary?: string;
  details?: string;
  answers?: Partial<Record<number, Content>>;
  errors?: readonly ErrorCode[];
  /** Errors whose status differs from that of their code. */
  errorsAt?: Record<number, readonly ErrorCode[]>;
  access?: "user" | "session";
  json?: z.ZodType;
  /** Whether the JSON body is optional. */
  optionalBody?: boolean;
  query?: z.ZodType;
  /** The media type of a body that is not JSON. */
  body?: string;
  /** Request headers with their meaning; names ending with `*` are required. */
  headers?: Record<string, string>;
  /** Path parameters that are strings; all others are ids. */
  texts?: readonly string[];
  /** The method, if it differs from the registered one. */
  method?: string;
};

const DESCRIPTION = Symbol("description");
type Described = { [DESCRIPTION]?: Description };

/** Adds to a middleware the description of every operation behind it. */
export const withDescription = <H extends object>(handler: H, description: Description): H =>
  Object.assign(handler, { [DESCRIPTION]: description });

/** The description that a handler adds. */
export const descriptionOf = (handler: object): Description => (handler as Described)[DESCRIPTION] ?? {};

/**
 * Describes an operation for the OpenAPI document: a summary, the responses, and the errors that the route's guards,
 * validators and limits do not describe themselves. Used in the route's chain: `describe("Delete a contact", { 204:
 * null }, ["contact_not_found"])`.
 */
export function describe(
  summary: string,
  answers: NonNullable<Description["answers"]>,
  errors: readonly ErrorCode[] = [],
  more: Description = {},
) {
  const nothing = createMiddleware<AppEnv>((_c, next) => next());
  return withDescription(nothing, { summary, answers, errors, ...more });
}
