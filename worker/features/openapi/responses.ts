import { CODES, ERRORS, type ErrorCode } from "../../contract/errors";
import type { Content, Description } from "../../middleware/describe";

export type Json = Record<string, unknown>;
export type FullDescription = Description & { errors: readonly ErrorCode[] };

/** Errors of every operation. */
const ANYWHERE: readonly ErrorCode[] = ["internal", "unavailable"];
/** Errors of every operation that writes. */
const OF_CHANGES: readonly ErrorCode[] = ["cross_site", "body_too_large", "storage_full"];
const READING = new Set(["get", "head", "options"]);
/** Where the document keeps its named schemas. */
export const SCHEMAS = "#/components/schemas/";

/** The successful responses, by status. */
export function successes({ answers = {}, query }: Description): Json {
  return Object.fromEntries(
    Object.entries(answers).map(([status, content = null]) => [
      status,
      {
        description: descriptionOf(content),
        ...(query && content?.endsWith("[]") && { headers: { Link: NEXT_PAGE } }),
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
  if (content.includes("/")) return "The bytes";
  return content.endsWith("[]") ? `A list of ${content.slice(0, -2)}` : content;
}

function contentOf(content: Content): Json {
  if (content === null) return {};
  if (content.includes("/")) return { content: { [content]: { schema: {} } } };
  const schema = content.endsWith("[]")
    ? { type: "array", items: { $ref: SCHEMAS + content.slice(0, -2) } }
    : { $ref: SCHEMAS + content };
  return { content: { "application/json": { schema } } };
}

/** The errors by status, each with its possible codes. */
export function failures(method: string, { errors, errorsAt = {} }: FullDescription): Json {
  const all = new Set([...errors, ...ANYWHERE, ...(READING.has(method) ? [] : OF_CHANGES)]);
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
    { $ref: `${SCHEMAS}Error` },
    { type: "object", properties: { code: { enum: codes.map((code) => CODES[code] ?? code) } } },
  ],
});

/** The body of every error. */
export const ERROR = {
  type: "object",
  properties: {
    message: { type: "string", description: "For people" },
    code: { type: "string", description: "For programs; never changes" },
    issues: {
      type: "array",
      description: "The invalid fields",
      items: {
        type: "object",
        properties: { path: { type: "string" }, message: { type: "string" } },
        required: ["path", "message"],
        additionalProperties: false,
      },
    },
    params: {
      type: "object",
      description: "The values of the message's placeholders",
      additionalProperties: { type: ["string", "number"] },
    },
  },
  required: ["message", "code"],
  additionalProperties: false,
};
