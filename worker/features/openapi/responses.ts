import type * as z from "zod/mini";
import { errorResponse } from "../../contract/error-body";
import { CODES, ERRORS, type ErrorCode } from "../../contract/errors";
import { RESPONSES } from "../../contract/fields";
import { SAFE_METHODS } from "../../middleware/api-token";
import { type Content, type Description, isJson } from "../../middleware/describe";

export type Json = Record<string, unknown>;
export type FullDescription = Description & { errors: readonly ErrorCode[] };

/** Errors of every operation. */
const ANYWHERE: readonly ErrorCode[] = ["internal", "unavailable"];
/** Errors of every operation that writes. */
const OF_CHANGES: readonly ErrorCode[] = ["cross_site", "body_too_large", "storage_full"];
/** Where the document keeps its named schemas. */
export const SCHEMAS = "#/components/schemas/";

/** The successful responses, by status. */
export function successes({ responses = {}, query }: Description): Json {
  return Object.fromEntries(
    Object.entries(responses).map(([status, content]) => [
      status,
      {
        description: descriptionOf(content),
        ...(query && Array.isArray(content) && { headers: { Link: NEXT_PAGE } }),
        ...contentOf(content),
      },
    ]),
  );
}

const NEXT_PAGE = {
  description: 'The next page, `rel="next"`, if there is one',
  schema: { type: "string" },
};

function descriptionOf(content: Content): string {
  if (content === null) return "Done";
  if (!isJson(content)) return "The bytes";
  return "length" in content ? `A list of ${nameOf(content[0])}` : nameOf(content);
}

function contentOf(content: Content): Json {
  if (content === null) return {};
  if (!isJson(content)) return { content: { [content]: { schema: {} } } };
  const schema =
    "length" in content
      ? { type: "array", items: { $ref: SCHEMAS + nameOf(content[0]) } }
      : { $ref: SCHEMAS + nameOf(content) };
  return { content: { "application/json": { schema } } };
}

function nameOf(schema: z.ZodMiniType): string {
  const name = RESPONSES.get(schema)?.id;
  if (!name) throw new Error("A response schema has no name: add .register(RESPONSES, { id: … }) to it");
  return name;
}

/** The errors by status, each with its possible codes. */
export function failures(method: string, { errors, errorsAt = {}, access }: FullDescription): Json {
  const ofChanges = access ? [...OF_CHANGES, "too_many_changes" as const] : OF_CHANGES;
  const all = new Set([...errors, ...ANYWHERE, ...(SAFE_METHODS.has(method.toUpperCase()) ? [] : ofChanges)]);
  const byStatus = Map.groupBy<number, ErrorCode>(all, (code) => ERRORS[code].status);
  for (const [status, codes] of Object.entries(errorsAt))
    byStatus.set(Number(status), [...(byStatus.get(Number(status)) ?? []), ...codes]);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => ERRORS[code].message).join("; "),
        ...(status === 429 && { headers: { "Retry-After": RETRY_AFTER } }),
        ...(method !== "head" && { content: { "application/json": { schema: errorSchema(codes) } } }),
      },
    ]),
  );
}

const RETRY_AFTER = { description: "Seconds to wait", schema: { type: "string" } };

const errorSchema = (codes: readonly ErrorCode[]): Json => ({
  allOf: [
    { $ref: SCHEMAS + nameOf(errorResponse) },
    {
      type: "object",
      properties: { code: { enum: [...new Set(codes.map((code) => CODES[code] ?? code))] } },
    },
  ],
});
