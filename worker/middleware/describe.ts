import { createMiddleware } from "hono/factory";
import type * as z from "zod";
import type { AppEnv } from "../app-env";
import type { AnswerName } from "../contract/answers";
import type { ErrorCode } from "../contract/errors";

/** What an answer holds: an entity, a list of them, nothing, or bytes of a media type. */
export type Content = AnswerName | `${AnswerName}[]` | `${string}/${string}` | null;

/** What the OpenAPI document says of a call. Each handler in the chain of a route adds its part. */
export type Facts = {
  summary?: string;
  details?: string;
  answers?: Partial<Record<number, Content>>;
  errors?: readonly ErrorCode[];
  /** Errors with a status that is not the code's own. */
  errorsAt?: Record<number, readonly ErrorCode[]>;
  access?: "user" | "session";
  json?: z.ZodType;
  /** Whether the call works without its JSON body. */
  optionalBody?: boolean;
  query?: z.ZodType;
  /** The media type of a body that is not JSON. */
  body?: string;
  /** Request headers, each with what it means; those that end with `*` are required. */
  headers?: Record<string, string>;
  /** Path parameters that are texts; the others are ids. */
  texts?: readonly string[];
  /** Where it differs from the one that the route is registered with. */
  method?: string;
};

const FACTS = Symbol("facts");
type Described = { [FACTS]?: Facts };

/** Adds to a middleware what it means for every call behind it. */
export const withFacts = <H extends object>(handler: H, facts: Facts): H =>
  Object.assign(handler, { [FACTS]: facts });

/** What the handler says of its call. */
export const factsOf = (handler: object): Facts => (handler as Described)[FACTS] ?? {};

/**
 * Describes a call for the OpenAPI document: what it does, what it answers, and the errors that neither the guard, the
 * validators nor the limits before it tell of. Stands beside them: `describe("Delete a contact", { 204: null },
 * ["contact_not_found"])`.
 */
export function describe(
  summary: string,
  answers: NonNullable<Facts["answers"]>,
  errors: readonly ErrorCode[] = [],
  more: Facts = {},
) {
  const nothing = createMiddleware<AppEnv>((_c, next) => next());
  return withFacts(nothing, { summary, answers, errors, ...more });
}
