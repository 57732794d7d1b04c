import { createServer } from "node:net";
import { join } from "node:path";
import { spawn, stripANSI } from "bun";
import { ROOT } from "./stage-assets";

export type WranglerResult = { ok: boolean; stdout: string; stderr: string };
/** Runs one wrangler command and returns its output. */
export type RunWrangler = (args: string[], env?: Record<string, string>) => Promise<WranglerResult>;

export const WRANGLER = join(ROOT, "node_modules/wrangler/bin/wrangler.js");
export const WRANGLER_ENV = {
  CI: "1",
  NO_COLOR: "1",
  WRANGLER_HIDE_BANNER: "true",
  WRANGLER_SEND_METRICS: "false",
};

/** Wrangler run by the given Node. */
export function wranglerBy(node: string): RunWrangler {
  return runner([node, WRANGLER]);
}

/** Wrangler run by this Bun, which supports everything except `wrangler dev`. */
export function wranglerByBun(): RunWrangler {
  return runner([process.execPath, "--bun", WRANGLER]);
}

function runner(program: string[]): RunWrangler {
  return async (args, env = {}) => {
    const child = spawn([...program, ...args], {
      cwd: ROOT,
      env: { ...process.env, ...WRANGLER_ENV, ...env },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const [stdout, stderr] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    return { ok: (await child.exited) === 0, stdout, stderr };
  };
}

/** A port that is currently free. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(address && typeof address === "object" ? address.port : 0));
    });
  });
}

/** wrangler's own log line of a request, such as `[wrangler:info] GET /api/submissions/… 200 OK (5ms)`. */
const REQUEST = /\[wrangler:info\] *[A-Z]+ \//;

const isRequest = (line: string) => REQUEST.test(stripANSI(line));

/**
 * Forwards all lines except wrangler's own lines of requests: their paths may contain the token of a link, and the
 * Worker logs each request itself.
 */
export async function printWithoutPaths(
  output: ReadableStream<Uint8Array<ArrayBuffer>>,
  print: (text: string) => void,
): Promise<void> {
  let rest = "";
  for await (const chunk of output.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    const shown = lines.filter((line) => !isRequest(line));
    if (shown.length > 0) print(`${shown.join("\n")}\n`);
  }
  if (rest && !isRequest(rest)) print(rest);
}
