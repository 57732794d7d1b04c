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
export const DOCUMENT = openApiDocument(createApp({} as Dependencies).routes) as unknown as Document;

const ajv = addFormats(new Ajv({ strict: false, allErrors: false }));
ajv.addSchema({ $id: "document", components: DOCUMENT.components });
const validators = new WeakMap<DescribedAnswer, ValidateFunction>();
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
  const validate = validatorOf(response, content.schema);
  if (!validate(JSON.parse(text)))
    throw new Error(
      `${what} with content that the OpenAPI document does not describe: ${ajv.errorsText(validate.errors)} in ${text.slice(0, 1000)}`,
    );
}

function validatorOf(response: DescribedAnswer, schema: Schema): ValidateFunction {
  const known = validators.get(response);
  if (known) return known;
  const local = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'));
  const made = ajv.compile(local);
  validators.set(response, made);
  return made;
}
