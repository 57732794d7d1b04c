import Ajv, { type ValidateFunction } from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { createApp } from "../../../worker/app";
import type { Dependencies } from "../../../worker/dependencies";
import { openApiDocument } from "../../../worker/features/openapi/document";

type Schema = Record<string, unknown>;
export type DescribedAnswer = { content?: Record<string, { schema: Schema }> };
export type DescribedCall = {
  operationId: string;
  parameters: { name: string; in: "path" | "query" | "header"; required?: boolean; schema: Schema }[];
  requestBody?: { required: boolean; content: Record<string, { schema: Schema }> };
  security: Record<string, unknown>[];
  responses: Record<string, DescribedAnswer>;
};
type Document = {
  paths: Record<string, Record<string, DescribedCall>>;
  components: { schemas: Record<string, Schema> };
};

/** The OpenAPI document of the app. Fails for a route without a description. */
const { routes } = createApp({} as Dependencies);
export const DOCUMENT = (await openApiDocument(routes, async () => {})) as unknown as Document;

// Each validator is used a few times only, so that compiling it takes more time than running it.
const ajv = addFormats(
  new Ajv({ strict: false, allErrors: false, inlineRefs: false, code: { optimize: false } }),
);
ajv.addSchema({ $id: "document", components: DOCUMENT.components });
/** By the schema's JSON: most responses of a status have the same schema. */
const validators = new Map<string, ValidateFunction>();
const PATHS = Object.entries(DOCUMENT.paths)
  .map(([path, calls]) => ({
    calls,
    pattern: new RegExp(`^${path.replace(/[.]/g, "\\.").replace(/\{\w+\}/g, "[^/]+")}$`),
    parameters: path.split("{").length,
  }))
  // A fixed path goes before one with a parameter, as in the router.
  .sort((one, other) => one.parameters - other.parameters);

/**
 * Validates a response against the OpenAPI document.
 * @throws Error that says what is not documented
 */
export function requireDescribed(
  { method, path }: { method: string; path: string },
  { status, text, headers }: { status: number; text: string; headers: Headers },
): void {
  const { pathname } = new URL(path, "http://localhost");
  const call = PATHS.find(({ pattern }) => pattern.test(pathname))?.calls[method.toLowerCase()];
  if (!call) return;
  const what = `${method} ${pathname} answered ${status}`;
  const response = call.responses[status];
  if (!response)
    throw new Error(`${what}, which the OpenAPI document does not describe: ${text.slice(0, 300)}`);
  const type = headers.get("content-type")?.split(";")[0];
  const content = response.content?.[type ?? ""] ?? response.content?.["*/*"];
  if (text === "" && (type === undefined || method === "HEAD" || status === 304)) return;
  if (!content) throw new Error(`${what} with ${type}, which the OpenAPI document does not describe`);
  if (type !== "application/json" || response.content?.["*/*"]) return;
  const validate = validatorOf(content.schema);
  if (!validate(JSON.parse(text)))
    throw new Error(
      `${what} with content that the OpenAPI document does not describe: ${ajv.errorsText(validate.errors)} in ${text.slice(0, 1000)}`,
    );
}

function validatorOf(schema: Schema): ValidateFunction {
  const json = JSON.stringify(schema).replaceAll('"#/', '"document#/');
  const known = validators.get(json);
  if (known) return known;
  const made = ajv.compile(JSON.parse(json));
  validators.set(json, made);
  return made;
}
