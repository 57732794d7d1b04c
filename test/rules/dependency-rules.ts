import type { IForbiddenRuleType } from "dependency-cruiser";

const ENTRY = "^worker/(?:bun|dev|cloudflare)\\.ts$|^worker/cli/";
const ADAPTER = "^worker/adapters/";
const SERVER = "^(?:worker|db)/";

/** The dependency rules of CONTRIBUTING.md. `reachable` means transitively. */
export const DEPENDENCY_RULES: IForbiddenRuleType[] = [
  {
    name: "1: only entries and tests reach an adapter",
    from: { path: "^(?:worker|db|web)/", pathNot: [ENTRY, ADAPTER] },
    to: { path: ADAPTER, reachable: true },
  },
  {
    name: "1: an adapter knows ports and pure helpers, not the app above it",
    from: { path: ADAPTER },
    to: { path: "^worker/(?:app\\.ts|features/|jobs/|middleware/)", dependencyTypesNot: ["type-only"] },
  },
  {
    name: "1: lib knows no feature, and nothing above one",
    from: { path: "^worker/lib/" },
    to: { path: "^worker/(?:app\\.ts|features/|jobs/|middleware/|adapters/)" },
  },
  {
    name: "1: Bun's adapters reach nothing of Cloudflare's",
    from: { path: "^worker/adapters/(?:bun|shared)/" },
    to: { path: "^worker/adapters/cloudflare/", reachable: true },
  },
  {
    name: "1: Cloudflare's and shared adapters reach nothing of Bun's",
    from: { path: "^worker/adapters/(?:cloudflare|shared)/" },
    to: { path: "^worker/adapters/bun/", reachable: true },
  },
  {
    name: "1: only adapters and entries import a module of a runtime",
    from: {
      path: SERVER,
      pathNot: [
        ENTRY,
        "^worker/adapters/(?:bun|cloudflare)/",
        "^worker/lib/password\\.ts$",
        "^db/libsql\\.ts$",
      ],
    },
    to: { dependencyTypes: ["core"] },
  },
  {
    name: "1: beyond that, password hashing uses node:crypto and the libSQL client node:url",
    from: { path: "^worker/lib/password\\.ts$|^db/libsql\\.ts$" },
    to: { dependencyTypes: ["core"], pathNot: "^(?:node:)?(?:crypto|url)$" },
  },
  {
    name: "2: the server reaches tables only through queries",
    from: { path: "^worker/" },
    to: { path: "^db/schema" },
  },
  {
    name: "2: helpers know no database",
    from: { path: "^worker/lib/" },
    to: { path: "^db/" },
  },
  {
    name: "2: queries and tables know nothing of the server but its contract",
    from: { path: "^db/(?:schema|queries)/" },
    to: { path: "^worker/", pathNot: "^worker/contract/" },
  },
  {
    name: "2: tables know no queries",
    from: { path: "^db/schema/" },
    to: { path: "^db/queries/", reachable: true },
  },
  {
    name: "2: only app.ts reaches a route",
    from: {
      path: "^(?:worker|db)/",
      pathNot: [ENTRY, "\\.routes\\.ts$", "^worker/app\\.ts$", "^worker/adapters/"],
    },
    to: { path: "\\.routes\\.ts$", reachable: true },
  },
  {
    name: "3: drizzle only under db/",
    from: { pathNot: "^(?:db|test)/" },
    to: { path: "drizzle-(?:orm|kit)" },
  },
  {
    name: "3: hono only in app.ts, middleware and routes, and its client in the browser",
    from: { path: "^(?:worker|db|web)/", pathNot: "^worker/app\\.ts$|^worker/middleware/|\\.routes\\.ts$" },
    to: { path: "node_modules/@?hono/", pathNot: "node_modules/hono/dist/client/" },
  },
  {
    name: "2: what a route calls knows nothing of HTTP",
    from: {
      path: "^worker/(?:features/|jobs/|lib/|contract/|ports/|errors\\.ts$)",
      pathNot: "\\.routes\\.ts$|^worker/features/openapi/",
    },
    to: { path: "node_modules/@?hono/|^worker/middleware/", reachable: true },
  },
  {
    name: "6: the browser imports from the server only its contract and the app's type",
    from: { path: "^web/" },
    to: { path: SERVER, pathNot: "^worker/contract/|^worker/app\\.ts$" },
  },
  {
    name: "6: of the app it imports the type alone",
    from: { path: "^web/" },
    to: { path: "^worker/app\\.ts$", dependencyTypesNot: ["type-only"] },
  },
  {
    name: "6: the server reaches nothing of the browser, though a command may build it",
    from: { path: SERVER, pathNot: ENTRY },
    to: { path: "^web/", reachable: true },
  },
  {
    name: "6: commands import of the browser only its build",
    from: { path: ENTRY },
    to: { path: "^web/", pathNot: "^web/build\\.ts$" },
  },
  {
    name: "6: the contract reaches nothing but zod and what it shares with the browser's forms",
    from: { path: "^worker/contract/" },
    to: { pathNot: "^worker/contract/|node_modules/(?:zod|libphonenumber-js)/" },
  },
  {
    name: "7: lib reaches no component, feature or route",
    from: { path: "^web/lib/" },
    to: { path: "^web/(?:components|features|routes)/" },
  },
  {
    name: "7: components reach no feature or route",
    from: { path: "^web/components/" },
    to: { path: "^web/(?:features|routes)/" },
  },
  { name: "7: features reach no route", from: { path: "^web/features/" }, to: { path: "^web/routes/" } },
  {
    name: "7: a feature of the browser uses only the queries of another",
    from: { path: "^web/features/([^/]+)/" },
    to: { path: "^web/features/", pathNot: "^web/features/$1/|\\.queries\\.tsx?$" },
  },
  {
    name: "no file reaches itself, not even by its types",
    from: {},
    to: { circular: true },
  },
];
