import { median } from "./row";

/** The first runs compile the code. */
const WARM_UPS = 2;

/**
 * Measures two things alternately, `rounds` times, so that other load affects both.
 * @returns the medians, from the round with the median ratio
 */
export async function compare(
  rounds: number,
  baseline: () => Promise<number>,
  measured: () => Promise<number>,
  warmUps = WARM_UPS,
): Promise<{ baseline: number; value: number }> {
  for (let round = 0; round < warmUps; round += 1) {
    await baseline();
    await measured();
  }
  const pairs: { baseline: number; value: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    // The order alternates: the second one finds warm caches.
    if (round % 2 === 0) pairs.push({ baseline: await baseline(), value: await measured() });
    else {
      const value = await measured();
      pairs.push({ baseline: await baseline(), value });
    }
  }
  const ratios = pairs.map(({ baseline, value }) => value / baseline);
  const middle = pairs[ratios.indexOf(median(ratios))];
  if (!middle) throw new Error("Nothing was measured");
  return middle;
}
