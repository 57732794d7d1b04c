import { fileURLToPath } from "node:url";
import { spawn } from "bun";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const FROM_SOURCE = [process.execPath, "worker/cli/doculopes.ts"];

export type CommandOutput = { code: number; output: string; problems: string };

/** Starts an operator command, such as `backup`, in a separate process. */
export function spawnCommand(args: string[], variables: Record<string, string>) {
  return spawn([...FROM_SOURCE, ...args], {
    cwd: ROOT,
    env: { ...process.env, ...variables },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
}

/** Runs a command until it exits and returns its output. */
export async function runOperatorCommand(
  args: string[],
  variables: Record<string, string>,
): Promise<CommandOutput> {
  const child = spawnCommand(args, variables);
  const [output, problems] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, output: output.trimEnd(), problems: problems.trimEnd() };
}
