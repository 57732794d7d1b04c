import { zValidator } from "@hono/zod-validator";
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type * as z from "zod";
import type { AppEnv } from "../app-env";
import type { Issue } from "../contract/errors";
import { appError, disconnected, validationError } from "../errors";
import { withDescription } from "./describe";

/** Validates the JSON body. Unknown fields are dropped. */
export const jsonBody = <S extends z.ZodType>(schema: S) =>
  withDescription(
    zValidator("json", schema, (result) => {
      if (!result.success) throw validationError(issuesOf(result.error));
    }),
    {
      json: schema,
      errors: ["validation", "malformed_json", "json_required", "body_too_large", "request_interrupted"],
    },
  );

/** Validates the query string. */
export const query = <S extends z.ZodType>(schema: S) =>
  withDescription(
    zValidator("query", schema, (result) => {
      if (!result.success) throw validationError(issuesOf(result.error));
    }),
    { query: schema, errors: ["validation"] },
  );

/** Rejects a body without a JSON content type before it is read, and one that is not UTF-8. */
export const requireJson = createMiddleware<AppEnv>(async (c, next) => {
  if (!isJson(c.req.header("content-type"))) throw appError("json_required");
  await readJson(c);
  await next();
});

/** Like `requireJson`, but accepts a missing body as an empty object, whatever its content type. */
export const optionalJson = withDescription(
  createMiddleware<AppEnv>(async (c, next) => {
    const body = await readJson(c);
    if (body.byteLength === 0) c.req.raw = new Request(c.req.url, { method: c.req.method });
    else if (!isJson(c.req.header("content-type"))) throw appError("json_required");
    await next();
  }),
  { optionalBody: true },
);

/** A row id from the path; an invalid one is answered with 404. */
export function rowIdParam(value: string): number {
  const id = Number(value);
  if (!/^\d{1,15}$/.test(value) || id < 1) throw appError("not_found");
  return id;
}

function issuesOf(error: z.core.$ZodError): Issue[] {
  return error.issues.map(({ path, message }) => ({ path: path.map(String).join("."), message }));
}

/** The body. @throws AppError `malformed_json`, `request_interrupted`; StorageFullError if there is too little space to store it */
async function readJson(c: Context<AppEnv>): Promise<ArrayBuffer> {
  const body = await c.req.arrayBuffer().catch(disconnected("request_interrupted"));
  requireUtf8(body);
  await c.var.deps.requireSpace?.(body.byteLength);
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

const isJson = (contentType: string | undefined) => /^application\/json\s*(;|$)/i.test(contentType ?? "");
