import { zValidator } from "@hono/zod-validator";
import { createMiddleware } from "hono/factory";
import type * as z from "zod";
import type { AppEnv } from "../app-env";
import type { Issue } from "../contract/errors";
import { appError, validationError } from "../errors";

/** Checks the JSON body. What is not in the schema is dropped. */
export const jsonBody = <S extends z.ZodType>(schema: S) =>
  zValidator("json", schema, (result) => {
    if (!result.success) throw validationError(issuesOf(result.error));
  });

/** Checks the query string. */
export const query = <S extends z.ZodType>(schema: S) =>
  zValidator("query", schema, (result) => {
    if (!result.success) throw validationError(issuesOf(result.error));
  });

/** Refuses a body that does not say it is JSON, before it is read. */
export const requireJson = createMiddleware<AppEnv>(async (c, next) => {
  if (!/^application\/json\s*(;|$)/i.test(c.req.header("content-type") ?? ""))
    throw appError("json_required");
  await next();
});

/** As `requireJson`, but no body at all is as good as an empty object, whatever it says it is. */
export const optionalJson = createMiddleware<AppEnv>(async (c, next) => {
  if ((await c.req.text()) === "") c.req.raw = new Request(c.req.url, { method: c.req.method });
  else if (!isJson(c.req.header("content-type"))) throw appError("json_required");
  await next();
});

/** A row id out of the path; what cannot be one is not there. */
export function rowIdParam(value: string): number {
  const id = Number(value);
  if (!/^\d{1,15}$/.test(value) || id < 1) throw appError("not_found");
  return id;
}

function issuesOf(error: z.core.$ZodError): Issue[] {
  return error.issues.map(({ path, message }) => ({ path: path.map(String).join("."), message }));
}

const isJson = (contentType: string | undefined) => /^application\/json\s*(;|$)/i.test(contentType ?? "");
