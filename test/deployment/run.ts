import { spawn } from "bun";

/** The files of worker/deploy. */
export const DEPLOY = new URL("../../worker/deploy/", import.meta.url).pathname;

/** Runs a program until it exits. */
export async function run(
  command: string[],
  options: { cwd?: string; env?: Record<string, string>; input?: string } = {},
): Promise<{ code: number; output: string }> {
  const child = spawn(command, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdin: options.input === undefined ? "ignore" : new Blob([options.input]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [output, problems] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, output: output + problems };
}
