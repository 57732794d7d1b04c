import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Glob, spawn } from "bun";
import { freePort } from "../../../worker/cli/cloudflare/wrangler";
import { waitFor } from "../wait";
import { clickActions, pressActions, typeActions } from "./actions";
import { readUntil } from "./read-until";
import type { Engine, Tab } from "./tab";

/** MiniBrowser's tool bar keeps its window 447 px wide at least; without padding and icons it fits 320 px. */
const NARROW_TOOLBAR =
  "* { min-width: 0; min-height: 0; margin: 0; padding: 0; border-width: 0; font-size: 1px; -gtk-icon-source: none; }";
/** The member that names an element in WebDriver's JSON. */
const ELEMENT = "element-6066-11e4-a52e-4f735466cecf";

type Command = <Result>(method: "GET" | "POST" | "DELETE", path: string, body?: object) => Promise<Result>;

/** WebKitGTK's MiniBrowser under Xvfb, driven by WebKitWebDriver: https://www.w3.org/TR/webdriver2/ */
export async function startWebKit(): Promise<Engine> {
  const [binary] = await Array.fromAsync(new Glob("*/webkit2gtk-4.*/MiniBrowser").scan("/usr/lib"));
  if (!binary) throw new Error("WebKitGTK's MiniBrowser is not installed (Debian: webkit2gtk-driver)");
  const home = await mkdtemp(join(tmpdir(), "doculopes-webkit-"));
  await mkdir(join(home, "gtk-3.0"));
  await writeFile(join(home, "gtk-3.0/gtk.css"), NARROW_TOOLBAR);
  const display = spawn(["Xvfb", "-displayfd", "1", "-screen", "0", "2000x1600x24", "-nolisten", "tcp"], {
    stdout: "pipe",
    stderr: "ignore",
  });
  const [, number] = await readUntil(display.stdout, /(\d+)\n/);
  const env = {
    // There is no GPU: composing layers in OpenGL's emulation took half of the CPU. A screenshot needs it.
    WEBKIT_DISABLE_COMPOSITING_MODE: "1",
    // No page lives long enough to repay optimized code, which took a quarter of the CPU.
    JSC_useDFGJIT: "0",
    ...process.env,
    DISPLAY: `:${number}`,
    XDG_CONFIG_HOME: home,
    LIBGL_ALWAYS_SOFTWARE: "1",
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
  };
  const tabs: Tab[] = [];
  return {
    async open() {
      const tab = await openTab(join("/usr/lib", binary), env);
      tabs.push(tab);
      return tab;
    },
    async close() {
      for (const tab of tabs) await tab.close();
      display.kill();
      await display.exited;
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** WebKitWebDriver holds one session at a time, so each tab gets its own. */
async function openTab(binary: string, env: Record<string, string | undefined>): Promise<Tab> {
  const port = await freePort();
  const driver = spawn(["WebKitWebDriver", `--port=${port}`], { env, stdout: "ignore", stderr: "ignore" });
  const call = await connectWebDriver(`http://127.0.0.1:${port}`);
  const capabilities = { "webkitgtk:browserOptions": { binary, args: ["--automation"] } };
  const { sessionId } = await call<{ sessionId: string }>("POST", "/session", {
    capabilities: { alwaysMatch: capabilities },
  });
  const command: Command = (method, path, body) => call(method, `/session/${sessionId}${path}`, body);
  const perform = (actions: object[]) => command<void>("POST", "/actions", { actions });
  const evaluate = (expression: string) =>
    command<string>("POST", "/execute/async", { script: `(${expression}).then(arguments[0])`, args: [] });
  let toolbar: number | undefined;
  return {
    problems: [],
    goto: (url) => command("POST", "/url", { url }),
    async resize(width, height) {
      toolbar ??= Number(await evaluate("Promise.resolve(String(outerHeight - innerHeight))"));
      await resize(command, evaluate, { width, height, toolbar });
    },
    evaluate,
    clickAt: (x, y) => perform(clickActions(x, y)),
    press: (key) => perform(pressActions(key)),
    type: (text) => perform(typeActions(text)),
    async setFiles(selector, paths) {
      const element = await command<Record<string, string>>("POST", "/element", {
        using: "css selector",
        value: selector,
      });
      await command("POST", `/element/${element[ELEMENT]}/value`, { text: paths.join("\n") });
    },
    screenshot: async () => Buffer.from(await command<string>("GET", "/screenshot"), "base64"),
    async close() {
      if (driver.exitCode !== null || driver.killed) return;
      await command("DELETE", "");
      driver.kill();
      await driver.exited;
    },
  };
}

/**
 * WebDriver sets the size of the window, and the tool bar takes a part of it. The viewport follows a moment later, and
 * lengths in `dvh` one frame later.
 */
async function resize(
  command: Command,
  evaluate: Tab["evaluate"],
  { width, height, toolbar }: { width: number; height: number; toolbar: number },
): Promise<void> {
  await command("POST", "/window/rect", { x: 0, y: 0, width, height: height + toolbar });
  const reached = `innerWidth === ${width} && innerHeight === ${height}`;
  await evaluate(`new Promise((resolve) => {
    const check = () => requestAnimationFrame(() => (${reached} ? requestAnimationFrame(() => resolve("")) : check()));
    check();
  })`);
}

async function connectWebDriver(url: string) {
  await waitUntilListening(url);
  return async <Result>(method: string, path: string, body?: object): Promise<Result> => {
    const response = await fetch(url + path, { method, ...(body && { body: JSON.stringify(body) }) });
    const { value } = (await response.json()) as { value: Result & { error?: string; message?: string } };
    if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
    return value;
  };
}

async function waitUntilListening(url: string): Promise<void> {
  await waitFor(
    `WebKitWebDriver on ${url}`,
    async () => (await fetch(`${url}/status`).catch(() => null))?.ok,
  );
}
