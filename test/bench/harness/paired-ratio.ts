import { median, quantile } from "./row";

const WARM_UPS = 10;
const RESAMPLES = 2000;

/** How many times the baseline's processor time the measured work takes, with the interval that has 95 % of medians. */
export type PairedRatio = { ratio: number; low: number; high: number; milliseconds: number };

/**
 * Runs two pieces of work in this process in turn, in the order ABBA, and compares their processor time pair by pair.
 * @returns the median ratio, its bootstrap interval, and the baseline's median time
 */
export async function pairedRatio(
  pairs: number,
  baseline: () => Promise<void>,
  measured: () => Promise<void>,
): Promise<PairedRatio> {
  for (let round = 0; round < WARM_UPS; round += 1) {
    await baseline();
    await measured();
  }
  const ratios: number[] = [];
  const times: number[] = [];
  for (let round = 0; round < pairs; round += 1) {
    const first = await cpuOf(round % 2 === 0 ? baseline : measured);
    const second = await cpuOf(round % 2 === 0 ? measured : baseline);
    const [without, withIt] = round % 2 === 0 ? [first, second] : [second, first];
    ratios.push(withIt / without);
    times.push(without);
  }
  const medians = Array.from({ length: RESAMPLES }, () =>
    median(ratios.map(() => ratios[Math.floor(Math.random() * ratios.length)] ?? Number.NaN)),
  );
  return {
    ratio: median(ratios),
    low: quantile(medians, 0.025),
    high: quantile(medians, 0.975),
    milliseconds: median(times),
  };
}

/** Processor time of this process during the work, in ms. */
export async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
