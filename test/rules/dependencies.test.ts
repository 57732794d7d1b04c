import { expect, setDefaultTimeout, test } from "bun:test";
import { dirname, join } from "node:path";
import { Transpiler } from "bun";
import { cruise, type ICruiseResult, type IForbiddenRuleType } from "dependency-cruiser";
import { DEPENDENCY_RULES } from "./dependency-rules";
import { findReaching, type TransitiveRule } from "./reachable";
import { ROOT, readSources, type Source } from "./sources";

setDefaultTimeout(120_000);
const sources = await readSources();
const product = sources.filter(({ path }) => !path.startsWith("test/"));
const ENTRY = /^worker\/(?:bun|dev|cloudflare)\.ts$|^worker\/cli\//;
const ADAPTER = /^worker\/adapters\//;
const isEntry = ({ path }: Source) => ENTRY.test(path);
const outside = product.filter((source) => !isEntry(source) && !ADAPTER.test(source.path));

/** These must fire: they show that the graph has direct, transitive and type-only imports. */
const CONTROLS: IForbiddenRuleType[] = [
  { name: "direct", from: { path: "^worker/bun\\.ts$" }, to: { path: "^worker/app\\.ts$" } },
  { name: "transitive", from: { path: "^worker/bun\\.ts$" }, to: { path: "^db/schema/", reachable: true } },
  {
    name: "type-only",
    from: { path: "^worker/app\\.ts$" },
    to: { path: "^worker/dependencies\\.ts$", dependencyTypes: ["type-only"] },
  },
  { name: "package", from: { path: "^worker/app\\.ts$" }, to: { path: "node_modules/hono/" } },
  { name: "runtime module", from: { path: "^worker/adapters/bun/" }, to: { dependencyTypes: ["core"] } },
  {
    name: "another feature",
    from: { path: "^web/features/([^/]+)/" },
    to: { path: "^web/features/", pathNot: "^web/features/$1/" },
  },
];

const RULES = [...DEPENDENCY_RULES, ...CONTROLS];
const isTransitive = (rule: IForbiddenRuleType): rule is TransitiveRule =>
  "to" in rule && "reachable" in rule.to && rule.to.reachable === true;
/** The package follows imports again for each pair of files, which takes most of the time. */
const transitive = new Map(RULES.filter(isTransitive).map((rule) => [rule.name, rule]));

const graph = await readGraph(RULES.filter((rule) => !isTransitive(rule)));

async function readGraph(rules: IForbiddenRuleType[]): Promise<ICruiseResult> {
  const { output } = await cruise(
    ["worker", "db", "web"],
    {
      baseDir: ROOT,
      // Its default parser needs the JavaScript API of TypeScript, which TypeScript 7 does not have.
      parser: "swc",
      tsPreCompilationDeps: true,
      doNotFollow: { path: "node_modules" },
      exclude: { path: "^(?:web|worker)/dist" },
      validate: true,
      ruleSet: { forbidden: rules.map((rule) => ({ severity: "error", ...rule })) },
    },
    { extensions: [".ts", ".tsx", ".d.ts"], conditionNames: ["import"], exportsFields: ["exports"] },
  );
  if (typeof output === "string") throw new Error(output);
  return output;
}

function violationsOf(name: string | undefined): string[] {
  const rule = transitive.get(name);
  if (rule) return findReaching(graph, rule);
  return graph.summary.violations
    .filter((violation) => violation.rule.name === name)
    .map(({ from, to, via = [] }) => [from, ...via.map(({ name }) => name), to].join(" -> "));
}

test.each(CONTROLS.map(({ name }) => name))("control: the graph shows a %s import", (name) => {
  expect(violationsOf(name)).not.toEqual([]);
});

test.each(DEPENDENCY_RULES.map(({ name }) => name))("%s", (name) => {
  expect(violationsOf(name)).toEqual([]);
});

test("1: only adapters and entries name Bun, process, D1 or R2", () => {
  const users = outside
    .filter(({ path }) => /^(?:worker|db)\//.test(path) && path !== "db/d1.ts")
    .filter(({ code }) => /\b(?:Bun|process)\.|\b(?:D1Database|R2Bucket)\b/.test(code));
  expect(users.map(({ path }) => path)).toEqual([]);
});

test("5: features of the server import each other in one direction", () => {
  const featureOf = (path: string) => /^worker\/features\/([^/]+)\//.exec(path)?.[1];
  const imported = new Map<string, Set<string>>();
  for (const { source, dependencies } of graph.modules) {
    const own = featureOf(source);
    if (!own) continue;
    const targets = imported.get(own) ?? new Set();
    for (const { resolved } of dependencies) {
      const target = featureOf(resolved);
      if (target && target !== own) targets.add(target);
    }
    imported.set(own, targets);
  }
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    [...(imported.get(from) ?? [])].some(
      (next) => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))),
    );
  expect(imported.size).toBeGreaterThan(5);
  expect([...imported.keys()].filter((feature) => reaches(feature, feature))).toEqual([]);
});

test("6: the browser loads no zod: of what the contract makes with it, it imports types only", () => {
  const transpilers = { ts: new Transpiler({ loader: "ts" }), tsx: new Transpiler({ loader: "tsx" }) };
  const texts = new Map(product.map(({ path, text }) => [path, text]));
  /** The files and packages that a file imports at run time. Type imports are not among them. */
  const importedBy = (path: string) =>
    transpilers[path.endsWith(".tsx") ? "tsx" : "ts"]
      .scanImports(texts.get(path) ?? "")
      .map(({ path: target }) => {
        const joined = join(dirname(path), target);
        const suffix = ["", ".ts", ".tsx", "/index.ts"].find((end) => texts.has(joined + end));
        return target.startsWith(".") ? joined + (suffix ?? "") : target;
      });
  const loads = (path: string, seen = new Set<string>()): boolean =>
    importedBy(path).some(
      (target) => target === "zod/mini" || (!seen.has(target) && loads(target, seen.add(target))),
    );
  expect(loads("worker/contract/contacts.ts")).toBe(true);
  const browser = [...texts.keys()].filter(
    (path) => path.startsWith("web/") && !path.startsWith("web/build"),
  );
  expect(browser.filter((path) => importedBy(path).includes("worker/contract/limits.ts"))).not.toEqual([]);
  expect(browser.filter((path) => loads(path))).toEqual([]);
});

test("8: no interactive transaction: D1 has none, and libSQL's block the event loop", () => {
  const users = product.filter(({ code }) => /\.transaction\s*\(|\bBEGIN\b/.test(code));
  // In the client for database files a batch is one synchronous call, that for servers sends it as one request. The
  // snapshot of a server only reads.
  expect(users.map(({ path }) => path)).toEqual(["db/file-connection.ts", "db/server-client.ts"]);
});

test("9: only entries read the configuration", () => {
  const readers = product.filter(
    (source) =>
      /^(?:worker|db)\//.test(source.path) &&
      !isEntry(source) &&
      /\bprocess\.env\b|\bBun\.env\b/.test(source.code),
  );
  expect(readers.map(({ path }) => path)).toEqual([]);
});
