import { expect, test } from "bun:test";
import { createBoundedCache } from "../../worker/lib/bounded-cache";

const create = (max: number) => createBoundedCache<number, string>(max, ({ length }) => length);
const kept = (cache: ReturnType<typeof create>, ids: number[]) =>
  ids.filter((id) => cache.get(id) !== undefined);

test("it forgets what was not used for longest, once the sizes exceed the maximum", () => {
  const cache = create(16);
  for (let id = 1; id <= 8; id += 1) cache.set(id, "xx");
  expect(cache.get(1)).toBe("xx");
  cache.set(9, "xx");
  expect(kept(cache, [1, 2, 3, 4, 5, 6, 7, 8, 9])).toEqual([1, 3, 4, 5, 6, 7, 8, 9]);
});

test("a replaced value no longer counts, and a large one is not remembered", () => {
  const cache = create(16);
  for (let time = 0; time < 100; time += 1) cache.set(1, "xx");
  for (let id = 2; id <= 8; id += 1) cache.set(id, "xx");
  cache.set(1, "xxx");
  expect(kept(cache, [1, 2, 3, 4, 5, 6, 7, 8])).toEqual([2, 3, 4, 5, 6, 7, 8]);
});
