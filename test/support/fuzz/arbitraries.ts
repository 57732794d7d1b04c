import * as fc from "fast-check";

/**
 * The number of requests and the seed: the same seed generates the same requests. A failure is reduced to the smallest
 * one.
 */
export type Runs = { seed: number; numRuns: number };

/** True in this percentage of cases. */
export const inHundred = (share: number) => fc.integer({ min: 0, max: 99 }).map((number) => number < share);
/** One value or the other; the first in this percentage of cases. */
export const mostly = <A, B>(share: number, usual: fc.Arbitrary<A>, other: fc.Arbitrary<B>) =>
  fc.oneof({ arbitrary: usual, weight: share }, { arbitrary: other, weight: 100 - share });

export const words = (text: string): string[] => text.trim().split(/\s+/);
