import type { Name, Query } from "./in-page/find";
import { inPageCaller } from "./in-page-caller";
import type { Key, Tab } from "./tab";
import { isTrue, until } from "./until";

const OPENING_MS = 5000;
const CLICKS = 4;

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
  const call = await inPageCaller(tab);

  const page = {
    tab,
    call,
    async goto(path: string) {
      await tab.goto(site + path);
      await until(() => call("isHydrated"), isTrue);
    },
    resize: tab.resize,
    see: async (query: Query) => {
      await until(async () => (await call("isThere", query)) || JSON.stringify(query), isTrue);
    },
    gone: async (query: Query) => {
      await until(
        async () => !(await call("isThere", query)) || `${JSON.stringify(query)} is still there`,
        isTrue,
      );
    },
    async click(query: Query) {
      // What loads late moves what is below it.
      let earlier = "";
      const target = await until(
        () => call("locate", query),
        (response) => {
          const before = earlier;
          earlier = JSON.stringify(response);
          return typeof response !== "string" && earlier === before;
        },
      );
      if (typeof target !== "string") await tab.clickAt(target.x, target.y);
    },
    /** Clicks, again if nothing opens: on a busy machine a click is long, and its end closes a list again. */
    async open(query: Query, opened: Query) {
      for (let clicks = 1; ; clicks += 1) {
        await page.click(query);
        try {
          return void (await until(() => call("isThere", opened), isTrue, OPENING_MS));
        } catch (error) {
          if (clicks === CLICKS) throw error;
        }
      }
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
      await until(async () => (await call("isFocused", query)) || call("focused"), isTrue);
    },
    type: (value: string) => tab.type(value),
    choose: (selector: string, ...paths: string[]) => tab.setFiles(selector, paths),
    /** Sends a request with the page's cookies. */
    api: <ApiResponse>(method: string, path: string, body?: object) =>
      askServer<ApiResponse>(tab, method, path, body),
    /** The result of the layout check once nothing moves. */
    layoutProblems: (): Promise<string[]> =>
      until(
        () => call("layoutProblemsAtRest"),
        () => true,
      ),
  };
  return page;
}

async function askServer<ApiResponse>(
  tab: Tab,
  method: string,
  path: string,
  body?: object,
): Promise<ApiResponse> {
  const headers = { "Content-Type": "application/json" };
  const request = { method, ...(body && { headers, body: JSON.stringify(body) }) };
  const response = JSON.parse(
    await tab.evaluate(
      `fetch(${JSON.stringify(path)}, ${JSON.stringify(request)}).then(async (answer) => JSON.stringify({ ok: answer.ok, body: await answer.text() }))`,
    ),
  );
  if (!response.ok) throw new Error(`${method} ${path}: ${response.body}`);
  return response.body && JSON.parse(response.body);
}
