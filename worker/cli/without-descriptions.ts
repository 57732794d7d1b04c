import { type Node, parse } from "acorn";
import { type BunPlugin, file, Transpiler } from "bun";

const transpiler = new Transpiler({ loader: "ts" });

/**
 * Leaves out of the server's bundle what describes the API, which it reads from a file: the routes' parts of the
 * description, and the schemas of responses.
 */
export const withoutDescriptions: BunPlugin = {
  name: "without the API's description",
  setup(builder) {
    const replaceIn = (filter: RegExp, replace: (source: string) => string) =>
      builder.onLoad({ filter }, async ({ path }) => ({
        contents: replace(await file(path).text()),
        loader: "js",
      }));
    replaceIn(/worker\/features\/.+\.routes\.ts$/, withoutDescribing);
    replaceIn(/worker\/contract\/.+\.ts$/, withPureConstants);
  },
};

/** The routes of which `describe` gets no more than what it does itself: set the status of what a call creates. */
function withoutDescribing(source: string): string {
  const code = transpiler.transformSync(source);
  let text = "";
  let copied = 0;
  for (const { start, end } of callsOf(
    "describe",
    parse(code, { ecmaVersion: "latest", sourceType: "module" }),
  )) {
    const [, status] = /\b(20[12]): (?!null|")/.exec(code.slice(start, end)) ?? [];
    text += `${code.slice(copied, start)}describe("", {${status ? ` ${status}: {} ` : ""}})`;
    copied = end;
  }
  return text + code.slice(copied);
}

/** The calls of this function in a syntax tree, in order. */
function callsOf(name: string, node: unknown): Node[] {
  if (typeof node !== "object" || node === null) return [];
  const { type, callee } = node as { type?: string; callee?: { name?: string } };
  if (type === "CallExpression" && callee?.name === name) return [node as Node];
  return Object.values(node).flatMap((child) => callsOf(name, child));
}

/** The module with its constants marked as unneeded if nothing uses them. */
function withPureConstants(source: string): string {
  return transpiler
    .transformSync(source)
    .replace(/^((?:export )?(?:const|var|let) \w+ = )(?=\w)/gm, "$1/* @__PURE__ */ ");
}
