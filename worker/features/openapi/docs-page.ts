import type * as z from "zod/mini";
import { escapeHtml } from "../../lib/escape-html";

const SCHEMA_PATH = "#/components/schemas/";

/** The page that shows the OpenAPI document: plain HTML without a script. */
export function docsPage(document: ShownDocument): string {
  const groups = operationsByTag(document);
  const navigation = groups.map(
    ({ tag, calls }) =>
      `<li><a href="#${tag}">${tag}</a><ul>${calls
        .map(({ call }) => `<li><a href="#${call.operationId}">${escapeHtml(call.summary)}</a></li>`)
        .join("")}</ul></li>`,
  );
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) => `<article id="schema-${name}"><h3>${name}</h3>${shape(schema)}</article>`,
  );
  const { title, description, version } = document.info;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="/api/docs/style.css">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header><h1>${escapeHtml(title)}</h1><p>Version ${escapeHtml(version)} · <a href="/api/openapi.json">OpenAPI 3.1</a></p></header>
<nav aria-label="Calls"><details><summary>All calls</summary><ul>${navigation.join("")}<li><a href="#schemas">Schemas</a></li></ul></details></nav>
<main id="content">
${marked(description)}
${groups.map(({ tag, calls }) => `<section id="${tag}"><h2>${tag}</h2>${calls.map(article).join("\n")}</section>`).join("\n")}
<section id="schemas"><h2>Schemas</h2>${schemas.join("\n")}</section>
</main>
</body>
</html>
`;
}

function article({ method, path, call }: ShownCall): string {
  const { operationId, summary, description, security, parameters, requestBody, responses } = call;
  const bodies = Object.entries(requestBody?.content ?? {}).map(
    ([type, { schema }]) => `<h4>Body <small>${type}</small></h4>${shape(schema)}`,
  );
  const items = parameters.map(
    ({ name, in: location, required, schema, description: meaning }) =>
      `<li><code>${escapeHtml(name)}</code> <small>${location} · ${typeOf(schema)}${required ? " · required" : ""}</small>${
        meaning ? `<br>${marked(meaning, false)}` : ""
      }</li>`,
  );
  return `<article id="${operationId}">
<h3>${escapeHtml(summary)}</h3>
<p class="call"><b>${method.toUpperCase()}</b> <code>${escapeHtml(path)}</code></p>
<p><small>${access(security)}</small></p>
${description ? marked(description) : ""}
${items.length > 0 ? `<h4>Parameters</h4><ul>${items.join("")}</ul>` : ""}
${bodies.join("")}
<h4>Responses</h4>
<ul>${Object.entries(responses).map(responseItem).join("")}</ul>
</article>`;
}

function access(security: ShownCall["call"]["security"]): string {
  if (security.length === 0) return "Public";
  return security.some((scheme) => "token" in scheme)
    ? "With an API token, or signed in"
    : "Signed in; API tokens are rejected";
}

function responseItem([status, { description, content = {} }]: [
  string,
  ShownCall["call"]["responses"][string],
]) {
  const [schema] = Object.values(content).map((one) => one.schema);
  const codes = schema?.allOf?.[1]?.properties?.code?.enum;
  const describedCodes = codes
    ? codes.map((code) => `<code>${escapeHtml(String(code))}</code>`).join(" ")
    : schema && Object.keys(schema).length > 0
      ? typeOf(schema)
      : escapeHtml(description);
  return `<li><b>${status}</b> ${describedCodes}</li>`;
}

/** The properties of an object as a list; of anything else its type. */
function shape(schema: ShownSchema): string {
  const object = schema.anyOf?.find(({ properties }) => properties) ?? schema;
  if (schema.anyOf && schema.anyOf.filter(({ properties }) => properties).length > 1)
    return schema.anyOf.map(shape).join("<p><small>or</small></p>");
  const inner = object.items ?? object;
  const { properties, required = [] } = inner;
  if (!properties) return `<p>${typeOf(schema)}</p>`;
  const rows = Object.entries(properties).map(([name, property]) => {
    const nested = nestedOf(property);
    return `<li><code>${escapeHtml(name)}</code> <small>${typeOf(property)}${required.includes(name) ? "" : " · optional"}</small>${
      property.description ? `<br>${marked(property.description, false)}` : ""
    }${nested ? `<details><summary>Fields</summary>${shape(nested)}</details>` : ""}</li>`;
  });
  return `<ul>${rows.join("")}</ul>`;
}

function nestedOf(schema: ShownSchema): ShownSchema | undefined {
  const options = [schema, ...(schema.anyOf ?? [])].map((one) => one.items ?? one);
  return options.find(({ properties }) => properties);
}

function typeOf(schema: ShownSchema): string {
  if (schema.$ref) {
    const name = schema.$ref.slice(SCHEMA_PATH.length);
    return `<a href="#schema-${name}">${name}</a>`;
  }
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(" or ");
  if (schema.enum)
    return schema.enum.map((value) => `<code>${escapeHtml(JSON.stringify(value))}</code>`).join(" ");
  if (schema.const !== undefined) return `<code>${escapeHtml(JSON.stringify(schema.const))}</code>`;
  if (schema.items) return `list of ${typeOf(schema.items)}`;
  const type = [schema.type ?? "any"].flat().join(" or ");
  const limits = [
    schema.format,
    schema.minLength === undefined ? undefined : `from ${schema.minLength}`,
    schema.maxLength === undefined ? undefined : `up to ${schema.maxLength} characters`,
  ].filter(Boolean);
  return escapeHtml([type, ...limits].join(", "));
}

/** Backticks and two asterisks of Markdown, and paragraphs. */
function marked(text: string, paragraphs = true): string {
  const html = escapeHtml(text)
    .replace(/`([^`]+)`/g, "<code>$1</code>")
    .replace(/\*\*([^*]+)\*\*/g, "<b>$1</b>")
    .replace(/\*([^*]+)\*/g, "<i>$1</i>");
  if (!paragraphs) return html;
  return html
    .split("\n\n")
    .map((part) => `<p>${part}</p>`)
    .join("");
}

/** The parts of the OpenAPI document that the page displays. */
type ShownSchema = Pick<z.core.JSONSchema.BaseSchema, ShownTexts> & {
  anyOf?: ShownSchema[];
  allOf?: ShownSchema[];
  items?: ShownSchema;
  properties?: Record<string, ShownSchema>;
};
type ShownTexts =
  | ("$ref" | "type" | "enum" | "const" | "description" | "format")
  | ("minLength" | "maxLength" | "required");

type Content = Record<string, { schema: ShownSchema }>;

type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security: Record<string, unknown>[];
  parameters: { name: string; in: string; required?: boolean; description?: string; schema: ShownSchema }[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content }>;
};

type ShownCall = { method: string; path: string; call: Operation };

export type ShownDocument = {
  info: { title: string; version: string; description: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, ShownSchema> };
};

/** The most used sections first, in this order; then the rest. */
const FIRST = ["Requests", "Templates", "Contacts", "Workspaces", "Uploads", "Webhooks", "Submissions"];

function operationsByTag({ paths }: ShownDocument): { tag: string; calls: ShownCall[] }[] {
  const all = Object.entries(paths).flatMap(([path, calls]) =>
    Object.entries(calls).map(([method, call]) => ({ method, path, call })),
  );
  const groups = Map.groupBy(all, ({ call }) => call.tags[0] ?? "");
  const rank = (tag: string) => (FIRST.includes(tag) ? FIRST.indexOf(tag) : FIRST.length);
  return [...groups]
    .map(([tag, calls]) => ({ tag, calls }))
    .sort((one, other) => rank(one.tag) - rank(other.tag) || one.tag.localeCompare(other.tag));
}

/** The style of the page, in the colours of the app. */
export const DOCS_STYLE = `
:root {
  color-scheme: light dark;
  --paper: oklch(0.985 0.004 85); --surface: oklch(1 0 0); --sunken: oklch(0.965 0.006 85);
  --line: oklch(0.9 0.008 85); --ink: oklch(0.23 0.02 260); --ink-soft: oklch(0.46 0.02 260);
  --accent: oklch(0.46 0.14 257);
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: oklch(0.18 0.012 260); --surface: oklch(0.225 0.014 260); --sunken: oklch(0.155 0.012 260);
    --line: oklch(0.33 0.015 260); --ink: oklch(0.95 0.008 90); --ink-soft: oklch(0.74 0.015 90);
    --accent: oklch(0.76 0.11 250);
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 16px; }
body { margin: 0 auto; max-width: 1120px; padding: 24px 16px; background: var(--paper); color: var(--ink);
  font: 16px/24px system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 24px; line-height: 32px; margin: 0; }
h2 { font-size: 20px; margin: 40px 0 16px; }
h3 { font-size: 18px; margin: 0 0 8px; }
h4 { font-size: 14px; margin: 16px 0 4px; }
p { margin: 8px 0; }
a { color: var(--accent); }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
small { color: var(--ink-soft); font-size: 14px; }
code { background: var(--sunken); border-radius: 4px; padding: 1px 4px; font: 14px/20px ui-monospace, monospace; }
article { background: var(--surface); border: 1px solid var(--line); border-radius: 10px; padding: 16px; margin: 0 0 16px; }
article:target { border-color: var(--accent); }
ul { margin: 0; padding: 0 0 0 16px; }
article ul { list-style: none; padding: 0; }
article li { padding: 6px 0; border-top: 1px solid var(--line); }
article li li { margin-left: 16px; }
summary { cursor: pointer; padding: 4px 0; }
nav { margin: 16px 0; }
nav ul ul { margin-bottom: 8px; }
nav a { display: inline-block; padding: 4px 0; }
.call b { color: var(--accent); }
.skip { position: absolute; left: -9999px; }
.skip:focus { left: 16px; top: 8px; background: var(--surface); padding: 8px; }
`;
