import { fileURLToPath } from "node:url";
import { spawn } from "bun";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** The operator commands, run from the source. */
export const FROM_SOURCE = [process.execPath, "worker/cli/doculopes.ts"];

export type CommandOutput = { code: number; output: string; problems: string };

/** Starts an operator command, such as `backup`, in a separate process. */
export function spawnCommand(args: string[], variables: Record<string, string>) {
  return start([...FROM_SOURCE, ...args], variables);
}

const start = (command: string[], variables: Record<string, string>) =>
  spawn(command, {
    cwd: ROOT,
    env: { ...process.env, ...variables },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });

/** Runs a command until it exits and returns its output. */
export const runOperatorCommand = (args: string[], variables: Record<string, string>) =>
  runCommandLine([...FROM_SOURCE, ...args], variables);

/** The same with the whole command line, such as a shell around a command. */
export async function runCommandLine(
  command: string[],
  variables: Record<string, string>,
): Promise<CommandOutput> {
  const child = start(command, variables);
  const [output, problems] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, output: output.trimEnd(), problems: problems.trimEnd() };
}
