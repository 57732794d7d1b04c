import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn } from "bun";
import { clickActions, pressActions, typeActions } from "./actions";
import { connectBidi } from "./bidi";
import { readUntil } from "./read-until";
import type { Engine, Tab } from "./tab";

type Evaluation =
  | { type: "success"; result: { value: string } }
  | { type: "exception"; exceptionDetails: { text: string } };
type LogEntry = { level: string; text: string; source: { context: string } };

/** No page lives long enough to repay optimized code, nor a process that is started before it is needed. */
const PREFERENCES = ["javascript.options.ion", "dom.ipc.processPrelaunch.enabled"]
  .map((name) => `user_pref("${name}", false);\n`)
  .join("");

/** Firefox, driven by its own WebDriver BiDi: https://www.w3.org/TR/webdriver-bidi/ */
export async function startFirefox(): Promise<Engine> {
  const profile = await mkdtemp(join(tmpdir(), "doculopes-firefox-"));
  await writeFile(join(profile, "user.js"), PREFERENCES);
  const child = spawn(
    ["firefox-esr", "--headless", "--no-remote", "--remote-debugging-port=0", "--profile", profile],
    { stdin: "ignore", stdout: "ignore", stderr: "pipe" },
  );
  const [, address] = await readUntil(child.stderr, /WebDriver BiDi listening on (\S+)/);
  const { send, on, close } = await connectBidi(`${address}/session`);
  await send("session.new", { capabilities: {} });
  await send("session.subscribe", { events: ["log.entryAdded"] });

  return {
    async open(): Promise<Tab> {
      const { userContext } = await send<{ userContext: string }>("browser.createUserContext", {});
      const { context } = await send<{ context: string }>("browsingContext.create", {
        type: "window",
        userContext,
      });
      const problems: string[] = [];
      on("log.entryAdded", (entry: LogEntry) => {
        if (entry.source.context === context && entry.level === "error") problems.push(entry.text);
      });
      const perform = async (actions: object[]) => {
        await send("input.performActions", { context, actions });
      };
      return {
        problems,
        goto: async (url) =>
          void (await send("browsingContext.navigate", { context, url, wait: "complete" })),
        resize: async (width, height) =>
          void (await send("browsingContext.setViewport", { context, viewport: { width, height } })),
        async evaluate(expression) {
          const response = await send<Evaluation>("script.evaluate", {
            expression,
            target: { context },
            awaitPromise: true,
          });
          if (response.type === "exception") throw new Error(response.exceptionDetails.text);
          return response.result.value;
        },
        clickAt: (x, y) => perform(clickActions(x, y)),
        press: (key) => perform(pressActions(key)),
        type: (text) => perform(typeActions(text)),
        async setFiles(selector, files) {
          const { nodes } = await send<{ nodes: { sharedId: string }[] }>("browsingContext.locateNodes", {
            context,
            locator: { type: "css", value: selector },
          });
          await send("input.setFiles", { context, element: { sharedId: nodes[0]?.sharedId }, files });
        },
        async screenshot() {
          const { data } = await send<{ data: string }>("browsingContext.captureScreenshot", { context });
          return Buffer.from(data, "base64");
        },
        close: async () => void (await send("browser.removeUserContext", { userContext })),
      };
    },
    async close() {
      await send("browser.close", {});
      close();
      await child.exited;
      await rm(profile, { recursive: true, force: true });
    },
  };
}
