/** The parts of the OpenAPI document that the page displays. */
export type ShownSchema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  description?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  anyOf?: ShownSchema[];
  allOf?: ShownSchema[];
  items?: ShownSchema;
  properties?: Record<string, ShownSchema>;
  required?: string[];
};

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

export type ShownCall = { method: string; path: string; call: Operation };

export type ShownDocument = {
  info: { title: string; version: string; description: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, ShownSchema> };
};

/** The most used sections first, in this order; then the rest. */
const FIRST = ["Requests", "Templates", "Contacts", "Workspaces", "Uploads", "Webhooks", "Submissions"];

export function operationsByTag({ paths }: ShownDocument): { tag: string; calls: ShownCall[] }[] {
  const all = Object.entries(paths).flatMap(([path, calls]) =>
    Object.entries(calls).map(([method, call]) => ({ method, path, call })),
  );
  const groups = Map.groupBy(all, ({ call }) => call.tags[0] ?? "");
  const rank = (tag: string) => (FIRST.includes(tag) ? FIRST.indexOf(tag) : FIRST.length);
  return [...groups]
    .map(([tag, calls]) => ({ tag, calls }))
    .sort((one, other) => rank(one.tag) - rank(other.tag) || one.tag.localeCompare(other.tag));
}
