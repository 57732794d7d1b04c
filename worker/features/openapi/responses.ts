import type * as z from "zod/mini";
import { CODES, ERRORS, type ErrorCode } from "../../contract/errors";
import { RESPONSES } from "../../contract/fields";
import { CONFIRMATION_METHODS, LANGUAGES } from "../../contract/options";
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
    workspaces: {
      type: "array",
      description: "Of `last_owner`: the workspaces that an account cannot leave without an owner",
      items: {
        type: "object",
        properties: { id: { type: "integer" }, name: { type: "string" } },
        required: ["id", "name"],
        additionalProperties: false,
      },
    },
    challenge: {
      type: "string",
      description: "Of `second_factor_required`: to be sent to `POST /api/login/second-factor`",
    },
    methods: {
      type: "array",
      description:
        "Of `reauthentication_required` and `second_factor_required`: what `POST /api/reauthenticate` or `POST /api/login/second-factor` accepts from this account",
      items: { enum: CONFIRMATION_METHODS },
    },
    changedBy: {
      type: "object",
      description: "Of `changed_meanwhile`: who; an account without a name has its address as first name",
      properties: { firstName: { type: ["string", "null"] }, lastName: { type: ["string", "null"] } },
      required: ["firstName", "lastName"],
      additionalProperties: false,
    },
    updatedAt: { type: "string", format: "date-time", description: "Of `changed_meanwhile`: when" },
    submittedAt: { type: "string", format: "date-time", description: "Of `completed`: when" },
    files: {
      type: "array",
      description: "Of `completed`: what was submitted",
      items: {
        type: "object",
        properties: {
          documentName: { type: "string" },
          fileName: { type: "string" },
          fileSize: { type: "integer", description: "In bytes" },
        },
        required: ["documentName", "fileName", "fileSize"],
        additionalProperties: false,
      },
    },
    language: {
      enum: LANGUAGES,
      description: "Of `completed` and `expired`: the language of the request",
    },
    brand: {
      description: "Of `completed` and `expired`: how the sender looks",
      anyOf: [{ $ref: "#/components/schemas/Brand" }, { type: "null" }],
    },
  },
  required: ["message", "code"],
  additionalProperties: false,
};
