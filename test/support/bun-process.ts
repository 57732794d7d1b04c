import { fileURLToPath } from "node:url";
import { type Subprocess, spawn } from "bun";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

type ServerProcess = {
  child: Subprocess<"ignore", "pipe", "pipe">;
  /** From its own line; rejects where it ends without one. */
  url: Promise<string>;
  /** What it wrote until it ended. */
  output: Promise<string>;
  problems: Promise<string>;
};

/**
 * Starts the server as `bun start` does after building, in a process of its own, on a free port unless told.
 * With `readOneLine` its output is closed once it has said where it is.
 */
export function spawnServer(variables: Record<string, string>, { readOneLine = false } = {}): ServerProcess {
  const child = spawn([process.execPath, "worker/bun.ts"], {
    cwd: ROOT,
    env: { ...process.env, PORT: "0", RATE_LIMITS: "off", ...variables },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const ready = Promise.withResolvers<string>();
  ready.promise.catch(() => {});
  const readOutput = async () => {
    let text = "";
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const url = /runs at (\S+)/.exec(text)?.[1];
      if (url) ready.resolve(url);
      if (url && readOneLine) break;
    }
    ready.reject(new Error("The server ended without having started"));
    return text;
  };
  return {
    child,
    url: ready.promise,
    output: readOutput(),
    problems: new Response(child.stderr).text(),
  };
}
