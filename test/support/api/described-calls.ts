import * as fc from "fast-check";
import { type DescribedCall, DOCUMENT } from "./described";

type Schema = {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
};

/** A request that the document describes, or an almost valid one. */
export type RandomCall = { method: string; path: string; body: unknown; headers: Record<string, string> };

const STRINGS = fc.oneof(
  fc.string({ maxLength: 30, unit: "binary" }),
  fc.constantFrom("", "ada@example.com", "2026-04-01", "2026-04-01T10:00:00Z", "+15551234567", "1", "\0"),
);
const ANYTHING = fc.jsonValue({ maxDepth: 2 });

/** Values of the schema, and occasionally others. */
function valuesOf(schema: Schema, known: readonly string[]): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 12, arbitrary: matching(schema, known) }, { weight: 1, arbitrary: ANYTHING });
}

function matching(schema: Schema, known: readonly string[]): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((other) => matching(other, known)));
  const types = [schema.type ?? "any"].flat();
  return fc.oneof(...types.map((type) => ofType(type, schema, known)));
}

function ofType(type: string, schema: Schema, known: readonly string[]): fc.Arbitrary<unknown> {
  switch (type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
    case "number":
      return fc.oneof(
        fc.constantFrom(...known.map(Number).filter(Number.isInteger), 1),
        fc.maxSafeInteger().map((value) => clamp(value, schema)),
      );
    case "string":
      return schema.pattern
        ? fc.oneof(fc.stringMatching(new RegExp(schema.pattern)), STRINGS)
        : fc.oneof(STRINGS, fc.constantFrom(...known)).map((text) => text.slice(0, schema.maxLength));
    case "array":
      return fc.array(valuesOf(schema.items ?? {}, known), { maxLength: 3 });
    case "object":
      return objects(schema, known);
    default:
      return ANYTHING;
  }
}

function objects(
  { properties = {}, required = [] }: Schema,
  known: readonly string[],
): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, valuesOf(schema, known)]),
  );
  return fc.record(fields, { requiredKeys: required.filter((name) => name in fields) });
}

const clamp = (value: number, { minimum = 1, maximum = 2 ** 53 - 1 }: Schema) =>
  Math.max(minimum, Math.min(Math.abs(value), maximum));

/** Random calls that the document describes, one generator for each. @param known values of existing resources */
export function describedCalls(
  known: readonly string[],
): { name: string; calls: fc.Arbitrary<RandomCall> }[] {
  return Object.entries(DOCUMENT.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, call]) => ({
      name: `${method.toUpperCase()} ${path}`,
      calls: callsOf(method.toUpperCase(), path, call, known),
    })),
  );
}

function callsOf(
  method: string,
  path: string,
  { parameters, requestBody }: DescribedCall,
  known: readonly string[],
): fc.Arbitrary<RandomCall> {
  const values = fc.tuple(
    ...parameters.map(({ name, in: location, required, schema }) => {
      const value = valuesOf(schema, known).map(String);
      const given = required ? value : fc.option(value, { freq: 2 });
      return given.map((text) => ({ name, location, text }));
    }),
  );
  const [[type, content] = []] = Object.entries(requestBody?.content ?? {});
  const body =
    type === "application/json" && content
      ? valuesOf(content.schema, known)
      : fc.constant(type === undefined ? undefined : "bytes");
  return fc.record({ values, body }).map(({ values: all, body: sent }) => {
    const given = all.flatMap(({ text, ...rest }) => (text === null ? [] : [{ ...rest, text }]));
    const at = (location: string) => given.filter((value) => value.location === location);
    const url = at("path").reduce(
      (sofar, { name, text }) => sofar.replace(`{${name}}`, encodeURIComponent(text.toWellFormed()) || "0"),
      path,
    );
    const query = new URLSearchParams(at("query").map(({ name, text }) => [name, text.toWellFormed()]));
    const headers = Object.fromEntries(
      at("header").map(({ name, text }) => [name, text.replace(/[^\x20-\x7e]/g, "").trim()]),
    );
    return {
      method,
      path: query.size > 0 ? `${url}?${query}` : url,
      body: type === "application/json" ? (JSON.stringify(sent) ?? "null") : sent,
      headers: { ...headers, ...(type && { "content-type": type }) },
    };
  });
}
