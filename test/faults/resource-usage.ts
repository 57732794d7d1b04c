import { readdir, readFile } from "node:fs/promises";

/** The resources of a process. */
type Usage = { descriptors: number; megabytes: number };

export async function usage(pid: number): Promise<Usage> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const kilobytes = Number(/^VmRSS:\s*(\d+)/m.exec(status)?.[1]);
  return {
    descriptors: (await readdir(`/proc/${pid}/fd`)).length,
    megabytes: Math.round(kilobytes / 1024),
  };
}

/** The resources in use once everything that the server releases is closed. What stays open longer counts. */
export async function idleUsage(pid: number, before: Usage): Promise<Usage> {
  let now = await usage(pid);
  for (const end = Date.now() + 10_000; now.descriptors > before.descriptors && Date.now() < end; ) {
    await Bun.sleep(50);
    now = await usage(pid);
  }
  return now;
}
