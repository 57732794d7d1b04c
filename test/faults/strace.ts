import { spawn, which } from "bun";

/** Whether strace works on this machine. */
export const hasStrace = (): boolean => which("strace") !== null;

/**
 * Injects a fault into system calls of a running process, in the syntax of strace's `-e inject=`.
 * @returns a function that ends the fault
 */
export async function injectFault(pid: number, calls: string, fault: string): Promise<() => Promise<void>> {
  const command = ["strace", "-f", "-qq", "-o", "/dev/null", "-p", String(pid)];
  const child = spawn([...command, "-e", `trace=${calls}`, "-e", `inject=${calls}:${fault}`], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  await attached(pid, child.exited);
  return async () => {
    child.kill("SIGINT");
    await child.exited;
  };
}

/** Waits until the kernel reports a tracer for every thread, or the fault has ended the process. */
async function attached(pid: number, ended: Promise<number>): Promise<void> {
  let code: number | undefined;
  void ended.then((given) => {
    code = given;
  });
  while (code === undefined) {
    const states = await threadStates(pid).catch(() => []);
    if (states.length === 0 || states.every((text) => !/^TracerPid:\s*0$/m.test(text))) return;
    await Bun.sleep(10);
  }
  if (code !== 0) throw new Error(`strace could not attach to the process: ${code}`);
}

async function threadStates(pid: number): Promise<string[]> {
  const names = await Array.fromAsync(new Bun.Glob("*/status").scan({ cwd: `/proc/${pid}/task` }));
  return Promise.all(names.map((name) => Bun.file(`/proc/${pid}/task/${name}`).text()));
}
