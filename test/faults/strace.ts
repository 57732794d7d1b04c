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

/** Until the kernel names a tracer for every thread, or the fault has ended the process already. */
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
  if (code !== 0) throw new Error(`strace could not look into the process: ${code}`);
}

async function threadStates(pid: number): Promise<string[]> {
  const names = await Array.fromAsync(new Bun.Glob("*/status").scan({ cwd: `/proc/${pid}/task` }));
  return Promise.all(names.map((name) => Bun.file(`/proc/${pid}/task/${name}`).text()));
}
