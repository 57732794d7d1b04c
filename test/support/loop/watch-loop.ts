/**
 * The longest time without a turn of the event loop while the work runs, in milliseconds. Of a turn, the processor time
 * counts if it is less: on a busy machine the process also waits for others.
 */
export async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let [at, used] = [performance.now(), processorMs()];
  let watching = true;
  const tick = () => {
    const [now, usedNow] = [performance.now(), processorMs()];
    longest = Math.max(longest, Math.min(now - at, usedNow - used));
    [at, used] = [now, usedNow];
    if (watching) setImmediate(tick);
  };
  setImmediate(tick);
  try {
    await work();
  } finally {
    tick();
    await new Promise((resolve) => setTimeout(resolve));
    watching = false;
  }
  return longest;
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
