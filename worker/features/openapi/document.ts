import * as z from "zod/mini";
import { RESPONSES } from "../../contract/fields";
import { PRODUCT_NAME } from "../../contract/product";
import { VERSION } from "../../lib/version";
import { type Description, descriptionOf } from "../../middleware/describe";
import type { RegisteredHandler } from "../../ports/api-description";
import { type FullDescription, failures, type Json, SCHEMAS, successes } from "./responses";

/** One operation: a method of a path, with the descriptions of all handlers in its chain. */
type Call = { method: string; path: string; description: FullDescription };

const INTRODUCTION = `Ask people for documents and receive them.

Call the API with a token from **Integrations → API tokens**: \`Authorization: Bearer dlp_…\`. A token with the scope
\`read\` may only read; for a token that is limited to a workspace, nothing else exists. Times are ISO 8601 in UTC, ids are integers, absent values are \`null\`. Every error has the
schema *Error*; its \`code\` never changes. Lists are paged: if there is more, the response has a \`Link\` header with
\`rel="next"\`. A token may make 600 calls a minute, and the \`RateLimit-*\` headers say how many are left;
an account reads 600 lists, archives and exports a minute with all of its tokens.`;

/**
 * The OpenAPI document of the app, without its servers: from the schemas that validate requests, and from the `describe` of each route.
 * @throws Error that names a route without a description
 */
export async function openApiDocument(
  handlers: readonly RegisteredHandler[],
  letOthersRun: () => Promise<void>,
): Promise<Json> {
  const paths: Record<string, Json> = {};
  const names = new Set<string>();
  for (const call of callsOf(handlers)) {
    await letOthersRun();
    const path = call.path.replace(/:(\w+)/g, "{$1}");
    const described = operation(call);
    // Several methods may share one description, and several paths, such as those of the sign-in providers.
    if (names.has(described.operationId))
      described.operationId += pascalCase(
        call.description.methods ? call.method : (path.split("/")[3] ?? ""),
      );
    names.add(described.operationId);
    paths[path] = { ...paths[path], [call.method]: described };
  }
  await letOthersRun();
  return {
    openapi: "3.1.0",
    info: { title: `${PRODUCT_NAME} API`, version: VERSION, description: INTRODUCTION },
    paths,
    components: {
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "An API token, `dlp_…`" },
        session: { type: "apiKey", in: "cookie", name: "session", description: "A signed-in browser" },
      },
      schemas: responseSchemas(),
    },
  };
}

/** The operations of the app, each once. */
function callsOf(handlers: readonly RegisteredHandler[]): Call[] {
  const calls = new Map<string, Call>();
  for (const { method, path, handler } of handlers) {
    if (method === "ALL") continue;
    const description = descriptionOf(handler);
    const call = calls.get(`${method} ${path}`) ?? {
      method: method.toLowerCase(),
      path,
      description: { errors: [] },
    };
    call.description = {
      ...call.description,
      ...description,
      errors: [...call.description.errors, ...(description.errors ?? [])],
    };
    calls.set(`${method} ${path}`, call);
  }
  return [...calls.values()].flatMap((call) =>
    (call.description.methods ?? [call.method]).map((method) => ({ ...call, method })),
  );
}

function operation({ method, path, description }: Call): Json & { operationId: string } {
  const { summary, details, access } = description;
  if (!summary) throw new Error(`${method.toUpperCase()} ${path} has no description: add describe(…) to it`);
  const [, first = "", second = first] = path.split("/");
  const group = first === "api" ? second : first;
  return {
    operationId: operationId(summary),
    summary,
    ...(details && { description: details }),
    tags: [pascalCase(group)],
    security: access === undefined ? [] : [...(access === "user" ? [{ token: [] }] : []), { session: [] }],
    parameters: parameters(path, description),
    ...requestBody(description),
    responses: { ...successes(description), ...failures(method, withIdErrors(path, description)) },
  };
}

const namesIn = (path: string) => [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);

/** A path whose id is no number is not found. */
const withIdErrors = (path: string, { texts = [], errors, ...more }: FullDescription): FullDescription => ({
  ...more,
  errors: namesIn(path).every((name) => texts.includes(name)) ? errors : [...errors, "not_found"],
});

/** "Delete a contact" becomes `deleteContact`. */
function operationId(summary: string): string {
  const words = summary
    .replace(/[^\w\s]/g, "")
    .split(/\s+/)
    .filter((word) => !["a", "an", "the", "of", "to", "its"].includes(word));
  return words.map((word, index) => (index === 0 ? word.toLowerCase() : pascalCase(word))).join("");
}

const pascalCase = (word: string) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase();

function parameters(path: string, { query, headers = {}, texts = [] }: Description): Json[] {
  const inPath = namesIn(path).map((name) => ({
    name,
    in: "path",
    required: true,
    schema: texts.includes(name) ? { type: "string" } : { type: "integer", minimum: 1 },
  }));
  const shape = (query ? schemaOf(query, "output").properties : {}) as Record<string, Json>;
  const inQuery = Object.entries(shape).map(([name, schema]) => ({
    name,
    in: "query",
    schema,
    // A list is one comma-separated text.
    ...(schema.type === "array" && { style: "form", explode: false }),
  }));
  const inHeaders = Object.entries(headers).map(([name, description]) => ({
    name: name.replace("*", ""),
    in: "header",
    required: name.endsWith("*"),
    description,
    schema: { type: "string" },
  }));
  return [...inPath, ...inQuery, ...inHeaders];
}

function requestBody({ json, body, optionalBody = false }: Description): Json {
  if (json)
    return {
      requestBody: {
        required: !optionalBody,
        content: { "application/json": { schema: schemaOf(json, "input") } },
      },
    };
  if (!body) return {};
  const schema = body.startsWith("multipart/")
    ? { type: "object", additionalProperties: { type: "string", format: "binary" } }
    : {};
  return { requestBody: { required: true, content: { [body]: { schema } } } };
}

function responseSchemas(): Json {
  const { schemas } = z.toJSONSchema(RESPONSES, { uri: (name) => SCHEMAS + name });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $id: _id, $schema: _dialect, ...schema }]) => [name, schema]),
  );
}

function schemaOf(schema: z.ZodMiniType, io: "input" | "output"): Json {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return json;
}
