import { join } from "node:path";
import { AXE_TAGS } from "../browser";
import type { InPage } from "./in-page";
import type { Name, Query } from "./in-page/find";
import type { Key, Tab } from "./tab";

const TIMEOUT_MS = 60_000;
const PAUSE_MS = 25;

/** A text must match the whole name; a regular expression any part of it. */
type Given = string | RegExp;

export const byRole = (role: string, name?: Given): Query => ({
  role,
  ...(name !== undefined && { name: toName(name) }),
});
export const button = (name: Given): Query => byRole("button", name);
export const heading = (name: Given): Query => byRole("heading", name);
export const field = (name: Given): Query => ({ field: toName(name) });
export const text = (value: Given): Query => ({ text: toName(value) });

const toName = (name: Given): Name => (typeof name === "string" ? name : { pattern: name.source });

/** User actions on a page, the same in every engine. Each waits until it is possible. */
export type EnginePage = Awaited<ReturnType<typeof openPage>>;

export async function openPage(tab: Tab, site: string) {
  const script = await inPageScript();

  /** Calls a function of `in-page`, after injecting them into the page if necessary. */
  async function call<Name extends keyof InPage>(
    name: Name,
    ...args: Parameters<InPage[Name]>
  ): Promise<Awaited<ReturnType<InPage[Name]>>> {
    const list = args.map((arg) => JSON.stringify(arg)).join(",");
    const expression = `(async () => "inPage" in globalThis ? JSON.stringify({ value: await inPage.${name}(${list}) }) : "")()`;
    const answer = await tab.evaluate(expression);
    if (answer) return JSON.parse(answer).value;
    await tab.evaluate(`(async () => { ${script}; return "" })()`);
    return call(name, ...args);
  }

  /** Polls until the answer is accepted. A page that is navigating cannot answer; that is not a failure. */
  async function until<Answer>(
    ask: () => Promise<Answer>,
    isAccepted: (answer: Answer) => boolean,
  ): Promise<Answer> {
    const deadline = performance.now() + TIMEOUT_MS;
    for (;;) {
      const answer = await ask().catch((error: Error) => error);
      if (!(answer instanceof Error) && isAccepted(answer)) return answer;
      if (performance.now() > deadline)
        throw new Error(`Waited for ${TIMEOUT_MS / 1000} s; at last: ${answer}`);
      await Bun.sleep(PAUSE_MS);
    }
  }

  const atRest = () =>
    until(
      () => call("isAtRest"),
      (rests) => rests,
    );

  const page = {
    tab,
    call,
    async goto(path: string) {
      await tab.goto(site + path);
      await until(
        () => call("isHydrated"),
        (hydrated) => hydrated,
      );
    },
    resize: tab.resize,
    see: async (query: Query) => {
      await until(
        async () => (await call("isThere", query)) || JSON.stringify(query),
        (answer) => answer === true,
      );
    },
    gone: async (query: Query) => {
      await until(
        async () => !(await call("isThere", query)) || `${JSON.stringify(query)} is still there`,
        (answer) => answer === true,
      );
    },
    async click(query: Query) {
      const place = await until(
        () => call("locate", query),
        (answer) => typeof answer !== "string",
      );
      if (typeof place !== "string") await tab.clickAt(place.x, place.y);
    },
    async fill(name: Given, value: string) {
      await page.see(field(name));
      await call("clear", field(name));
      await tab.type(value);
    },
    press: (key: Key) => tab.press(key),
    /** Presses Tab until the element has the focus. */
    async tabTo(query: Query) {
      await page.see(query);
      for (let presses = 0; presses < 60; presses += 1) {
        if (await call("isFocused", query)) return;
        await tab.press("Tab");
      }
      throw new Error(`60 presses of Tab did not lead to ${JSON.stringify(query)}`);
    },
    /** Waits until the element has the focus, which often moves shortly after it is visible. */
    focused: async (query: Query) => {
      await until(
        async () => (await call("isFocused", query)) || call("focused"),
        (answer) => answer === true,
      );
    },
    type: (value: string) => tab.type(value),
    choose: (selector: string, ...paths: string[]) => tab.setFiles(selector, paths),
    /** Sends a request with the page's cookies. */
    async api<Answer>(method: string, path: string, body?: object): Promise<Answer> {
      const headers = { "Content-Type": "application/json" };
      const request = { method, ...(body && { headers, body: JSON.stringify(body) }) };
      const answer = JSON.parse(
        await tab.evaluate(
          `fetch(${JSON.stringify(path)}, ${JSON.stringify(request)}).then(async (answer) => JSON.stringify({ ok: answer.ok, body: await answer.text() }))`,
        ),
      );
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.body}`);
      return answer.body && JSON.parse(answer.body);
    },
    /** The result of the layout check once nothing moves. */
    async layoutProblems(): Promise<string[]> {
      await atRest();
      let found = await call("layoutProblems");
      // A page of a PDF takes some frames to fit a new size.
      for (let frame = 0; frame < 20 && found.length > 0; frame += 1) {
        await atRest();
        found = await call("layoutProblems");
      }
      return found;
    },
    /** The result of axe once nothing moves. */
    async violations(): Promise<string[]> {
      await atRest();
      return call("violations", AXE_TAGS);
    },
  };
  return page;
}

let built: Promise<string> | undefined;

function inPageScript(): Promise<string> {
  built ??= Bun.build({
    entrypoints: [join(import.meta.dir, "in-page/index.ts")],
    target: "browser",
    format: "iife",
  }).then(async ({ outputs }) => (await outputs[0]?.text()) ?? "");
  return built;
}
