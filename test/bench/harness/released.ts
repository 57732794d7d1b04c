import { join } from "node:path";
import { spawn } from "bun";
import { ROOT } from "./process";

/** The version before, and its last commit. */
export const RELEASED = { version: "0.1.0", commit: "f0ccfd72acac" };

/** The released version, installed and built in a work tree that exists only during `use`. */
export async function withReleased<T>(folder: string, use: (root: string) => Promise<T>): Promise<T> {
  const root = join(folder, RELEASED.version);
  await run(ROOT, "git", "worktree", "add", "--detach", root, RELEASED.commit);
  try {
    await run(root, process.execPath, "install", "--frozen-lockfile", "--no-summary", "--no-progress");
    await run(root, process.execPath, "web/build.ts");
    return await use(root);
  } finally {
    await run(ROOT, "git", "worktree", "remove", "--force", root);
  }
}

/** @returns what the command prints; throws if it fails */
export async function run(cwd: string, ...command: string[]): Promise<string> {
  const child = spawn(command, { cwd, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [output, problems] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(" ")} failed:\n${output}${problems}`);
  return output;
}
