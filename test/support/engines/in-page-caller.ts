import { join } from "node:path";
import type { InPage } from "./in-page";
import type { Tab } from "./tab";

/** Calls a function of `in-page`, after injecting them into the page if necessary. */
export type InPageCaller = <Name extends keyof InPage>(
  name: Name,
  ...args: Parameters<InPage[Name]>
) => Promise<Awaited<ReturnType<InPage[Name]>>>;

export async function inPageCaller(tab: Tab): Promise<InPageCaller> {
  const script = await inPageScript();
  return async function call(name, ...args) {
    const list = args.map((arg) => JSON.stringify(arg)).join(",");
    const expression = `(async () => "inPage" in globalThis ? JSON.stringify({ value: await inPage.${name}(${list}) }) : "")()`;
    const response = await tab.evaluate(expression);
    if (response) return JSON.parse(response).value;
    await tab.evaluate(`(async () => { ${script}; return "" })()`);
    return call(name, ...args);
  };
}

let built: Promise<string> | undefined;

function inPageScript(): Promise<string> {
  built ??= Bun.build({
    entrypoints: [join(import.meta.dir, "in-page/index.ts")],
    target: "browser",
    format: "iife",
    minify: true,
  }).then(async ({ outputs }) => (await outputs[0]?.text()) ?? "");
  return built;
}
