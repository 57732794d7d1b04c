/** The same random choices for the same seed. */
export function createRandom(seed: number) {
  let state = seed >>> 0;
  /** Mulberry32: a number in [0, 1). */
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    chance: (share: number) => next() < share,
    pick: <T>(values: readonly T[]): T => values[below(values.length)] as T,
  };
}

export type Random = ReturnType<typeof createRandom>;
