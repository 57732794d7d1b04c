import { spawn, which } from "bun";

/** Whether this machine can look into its processes' system calls. */
export const hasStrace = (): boolean => which("strace") !== null;

/**
 * Has a running process meet a fault at the named system calls, in the words of strace's `-e inject=`.
 * @returns ends the fault
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

/** Until the kernel names a tracer for every thread. @throws Error where strace ends first */
async function attached(pid: number, ended: Promise<number>): Promise<void> {
  let code: number | undefined;
  void ended.then((given) => {
    code = given;
  });
  for (;;) {
    if (code !== undefined) throw new Error(`strace could not look into the process: ${code}`);
    const threads = await Array.fromAsync(new Bun.Glob("*/status").scan({ cwd: `/proc/${pid}/task` }));
    const states = await Promise.all(threads.map((name) => Bun.file(`/proc/${pid}/task/${name}`).text()));
    if (states.every((text) => !/^TracerPid:\s*0$/m.test(text))) return;
    await Bun.sleep(10);
  }
}
