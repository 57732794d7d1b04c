import type { Dependencies } from "../dependencies";
import { sleep } from "../lib/retry";

/** A server continues with the next run of the schedule if it takes longer. */
const RUN_MS = 50_000;

export type PartsDependencies = Pick<Dependencies, "background" | "stopping">;

type Parts = {
  name: string;
  /** Does a part of the work. @returns whether there is more */
  part(): Promise<boolean>;
  /** A server pauses for this many times as long as a part took, since others wait meanwhile. */
  pauses: number;
  /** The parts that a Worker does in a run: it may make 50 calls an invocation. */
  workerParts: number;
};

/**
 * Does work in parts: on a server all of it, beside other jobs.
 * @returns whether nothing is left, or known to be
 */
export async function workInParts(
  { background, stopping }: PartsDependencies,
  { name, part, pauses, workerParts }: Parts,
): Promise<boolean> {
  if (!stopping) {
    let parts = 0;
    while (parts < workerParts && (await part())) parts += 1;
    return parts < workerParts;
  }
  if (!(await part())) return true;
  background.run(name, async () => {
    const endsAt = Date.now() + RUN_MS;
    while (Date.now() < endsAt && !stopping.aborted) {
      const started = performance.now();
      if (!(await part())) return;
      await sleep((performance.now() - started) * pauses, stopping);
    }
  });
  return false;
}
