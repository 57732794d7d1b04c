import { zValidator } from "@hono/zod-validator";
import type { Context } from "hono";
import * as z from "zod/mini";
import type { AppEnv, UserEnv } from "../app-env";
import type { Issue } from "../contract/error-body";
import { appError, disconnected, validationError } from "../errors";
import { withDescription } from "./describe";

/** What else is wrong with a rejected body, which its schema cannot know. */
type MoreIssues = (body: unknown, now: Date, timeZone: string | null) => readonly Issue[];

/**
 * Validates the JSON body; unknown fields are dropped. Rejects a body without a JSON content type before it is read, and one
 * that is not UTF-8.
 */
export const jsonBody = <S extends z.ZodMiniType>(schema: S, moreIssues?: MoreIssues) =>
  bodyMiddleware(requireJson, schema, { moreIssues });

/** Like `jsonBody`, but accepts a missing body as an empty object, whatever its content type. */
export const optionalJsonBody = <S extends z.ZodMiniType>(schema: S) =>
  bodyMiddleware(acceptMissing, schema, { optionalBody: true });

/** An asynchronous validation makes a promise of each transformed field, and changes the order of issues. */
const SYNCHRONOUS = {
  // The validator's types know only the errors of zod's other variant, which have more methods.
  validationFunction: (schema: z.ZodMiniType, value: unknown) => z.safeParse(schema, value) as never,
};

/** Validates the query string. */
export const query = <S extends z.ZodMiniType>(schema: S) =>
  withDescription(
    zValidator(
      "query",
      schema,
      (result) => {
        if (!result.success) throw validationError(issuesOf(result.error));
      },
      SYNCHRONOUS,
    ),
    { query: schema, errors: ["validation"] },
  );

/** Reading a longer body and validating it are two turns of the event loop. */
const IN_SHARED_TURN = 100_000;

function bodyMiddleware<S extends z.ZodMiniType>(
  read: (c: Context<AppEnv>) => Promise<ArrayBuffer>,
  schema: S,
  { moreIssues, ...more }: { optionalBody?: true; moreIssues?: MoreIssues | undefined } = {},
) {
  const validate = zValidator(
    "json",
    schema,
    (result, c) => {
      if (result.success) return;
      const issues = issuesOf(result.error);
      const known = new Set(issues.map(({ path }) => path));
      const { deps, user } = (c as unknown as Context<UserEnv>).var;
      const others = moreIssues ? moreIssues(result.data, deps.clock.now(), user.timeZone) : [];
      throw validationError([...issues, ...others.filter(({ path }) => !known.has(path))]);
    },
    SYNCHRONOUS,
  );
  const readAndValidate: typeof validate = async (c, next) => {
    const { byteLength } = await read(c as unknown as Context<AppEnv>);
    if (byteLength > IN_SHARED_TURN) {
      const body = await c.req.json().catch(() => {
        throw appError("malformed_json");
      });
      // The validator asks for it again.
      c.req.json = async () => body;
      await (c as unknown as Context<AppEnv>).var.deps.takeTurn?.();
    }
    return validate(c, next);
  };
  return withDescription(readAndValidate, {
    ...more,
    json: schema,
    errors: ["validation", "malformed_json", "json_required", "body_too_large", "request_interrupted"],
  });
}

async function requireJson(c: Context<AppEnv>): Promise<ArrayBuffer> {
  if (!isJson(c.req.header("content-type"))) throw appError("json_required");
  return readJson(c);
}

async function acceptMissing(c: Context<AppEnv>): Promise<ArrayBuffer> {
  const body = await readJson(c);
  if (body.byteLength === 0) c.req.raw = new Request(c.req.url, { method: c.req.method });
  else if (!isJson(c.req.header("content-type"))) throw appError("json_required");
  return body;
}

/** The row id that the path has in this place; an invalid one is a 404. */
export function idOf(c: { req: { param(name: string): string | undefined } }, name = "id"): number {
  const value = c.req.param(name) ?? "";
  const id = Number(value);
  if (!/^\d{1,15}$/.test(value) || id < 1) throw appError("not_found");
  return id;
}

/** As many as a response names: a large body can have a hundred thousand. */
const MAX_ISSUES = 1000;

function issuesOf(error: z.core.$ZodError): Issue[] {
  return error.issues
    .slice(0, MAX_ISSUES)
    .map(({ path, message }) => ({ path: path.map(String).join("."), message }));
}

/** The body. @throws AppError `malformed_json`, `request_interrupted` */
async function readJson(c: Context<AppEnv>): Promise<ArrayBuffer> {
  const body = await c.req.arrayBuffer().catch(disconnected("request_interrupted"));
  await c.var.checkAgain?.();
  requireUtf8(body);
  requireShallow(new Uint8Array(body));
  return body;
}

/** Without this check, other encodings would be stored with replacement characters. */
function requireUtf8(body: ArrayBuffer): void {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    throw appError("malformed_json");
  }
}

/** More than any input has. The parser takes much longer for what is nested without an end. */
const MAX_DEPTH = 20;
const [QUOTE, BACKSLASH] = [0x22, 0x5c];
/** Of the bytes `[`, `{`, `]` and `}`. */
const DEEPER = new Map([
  ...[0x5b, 0x7b].map((byte) => [byte, 1] as const),
  ...[0x5d, 0x7d].map((byte) => [byte, -1] as const),
]);

function requireShallow(body: Uint8Array): void {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at] ?? 0;
    if (byte === QUOTE) inText = !inText;
    else if (inText) at += byte === BACKSLASH ? 1 : 0;
    else depth += DEEPER.get(byte) ?? 0;
    if (depth > MAX_DEPTH) throw appError("malformed_json");
  }
}

const isJson = (contentType: string | undefined) => /^application\/json\s*(;|$)/i.test(contentType ?? "");

const KINDS: Record<string, string> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};

/** Messages for checks without a message of their own. */
z.config({
  customError: (issue) => {
    const field = issue.path?.length ? issue.path.join(".") : "The input";
    switch (issue.code) {
      case "invalid_type":
        return issue.input === undefined
          ? `${field} is required`
          : `${field} must be ${KINDS[issue.expected] ?? issue.expected}`;
      case "too_big":
        return `${field} must ${atLimit("at most", Number(issue.maximum), issue.origin)}`;
      case "too_small":
        return `${field} must ${atLimit("at least", Number(issue.minimum) + (issue.inclusive === false ? 1 : 0), issue.origin)}`;
      case "invalid_value":
        return `${field} must be one of ${issue.values.filter((value) => value !== "").join(", ")}`;
      default:
        return `${field} is not valid`;
    }
  },
});

function atLimit(bound: string, limit: number, origin: string): string {
  if (origin === "string") return `have ${bound} ${limit} ${limit === 1 ? "character" : "characters"}`;
  if (origin === "array") return `have ${bound} ${limit} ${limit === 1 ? "entry" : "entries"}`;
  return `be ${bound} ${limit}`;
}
