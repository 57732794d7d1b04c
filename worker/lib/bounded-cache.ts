/** Remembers the values that were used last, while their sizes add up to at most a maximum. */
export type BoundedCache<Key, Value> = {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): void;
};

/** `sizeOf` and `max` have the same unit. A value larger than an eighth of the maximum is not remembered. */
export function createBoundedCache<Key, Value>(
  max: number,
  sizeOf: (value: Value) => number,
): BoundedCache<Key, Value> {
  // A Map keeps the order of insertion: the first entry is the one that was not used for longest.
  const values = new Map<Key, Value>();
  let total = 0;
  const remove = (key: Key) => {
    const value = values.get(key);
    if (value === undefined) return;
    values.delete(key);
    total -= sizeOf(value);
  };
  return {
    get(key) {
      const value = values.get(key);
      if (value === undefined) return undefined;
      values.delete(key);
      values.set(key, value);
      return value;
    },
    set(key, value) {
      remove(key);
      if (sizeOf(value) > max / 8) return;
      values.set(key, value);
      total += sizeOf(value);
      for (const oldest of values.keys()) {
        if (total <= max) return;
        remove(oldest);
      }
    },
  };
}
