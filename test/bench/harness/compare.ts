import { median } from "./row";

/** What is run first is compiled on the way. */
const WARM_UPS = 2;

/**
 * Measures two things in turn, `rounds` times, so that what else this machine does hits both alike.
 * @returns the middle of each, taken from the round with the middle ratio
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
    // Who goes first changes: the second of two finds the machine warmer.
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
