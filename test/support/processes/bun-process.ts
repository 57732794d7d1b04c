import { fileURLToPath } from "node:url";
import { type Subprocess, spawn } from "bun";
import { buildAll, SERVER } from "../../../worker/cli/build";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

await buildAll();

type ServerProcess = {
  child: Subprocess<"ignore", "pipe", "pipe">;
  /** From its log line; rejects if it ends without one. */
  url: Promise<string>;
  /** Its output until it ended. */
  output: Promise<string>;
  problems: Promise<string>;
};

/** Starts the server as `bun start` does after building, in a separate process, on a free port by default. */
export function spawnServer(variables: Record<string, string>): ServerProcess {
  return spawnServerWith([process.execPath, SERVER], variables);
}

/** The same with a host name and process ids of its own, as in a container. */
export function spawnIsolatedServer(hostName: string, variables: Record<string, string>): ServerProcess {
  const isolated = ["unshare", "--uts", "--pid", "--fork", "--kill-child", "--mount-proc"];
  const script = `hostname "$1"; exec "$0" ${SERVER}`;
  return spawnServerWith([...isolated, "sh", "-c", script, process.execPath, hostName], variables);
}

/** The same, with its output closed after the first line. Writes its process id to `pidFile`. */
export function spawnUnreadServer(pidFile: string, variables: Record<string, string>): ServerProcess {
  const server = `echo $$ > "$PID_FILE"; exec "$0" ${SERVER}`;
  const command = ["sh", "-c", `sh -c '${server}' "$0" | head -n 1`, process.execPath];
  return spawnServerWith(command, { ...variables, PID_FILE: pidFile });
}

/** The same, started by another command. */
export function spawnServerWith(command: string[], variables: Record<string, string>): ServerProcess {
  return spawnExecutable(command, ROOT, {
    ...process.env,
    PORT: "0",
    RATE_LIMITS: "off",
    ...variables,
  });
}

/** Starts a server in a folder, with only these variables. */
export function spawnExecutable(
  command: string[],
  cwd: string,
  env: Record<string, string | undefined>,
): ServerProcess {
  const child = spawn(command, {
    cwd,
    env,
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
    }
    ready.reject(new Error(`The server ended without having started: ${await problems}`));
    return text;
  };
  const problems = new Response(child.stderr).text();
  return { child, url: ready.promise, output: readOutput(), problems };
}
