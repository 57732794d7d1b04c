import { join } from "node:path";
import { spawn } from "bun";
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
