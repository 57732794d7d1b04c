import { afterAll, expect, test } from "bun:test";
import { matchesMedia } from "../../web/lib/use-media-query";

const { matchMedia: realMatchMedia } = globalThis;
afterAll(() => {
  Object.assign(globalThis, { matchMedia: realMatchMedia });
});

test("a media query is asked once, and followed from then on", () => {
  const asked: string[] = [];
  const list = { matches: true, listeners: [] as (() => void)[] };
  const addEventListener = (_: string, listener: () => void) => list.listeners.push(listener);
  Object.assign(globalThis, {
    matchMedia: (query: string) => {
      asked.push(query);
      return {
        addEventListener,
        get matches() {
          return list.matches;
        },
      };
    },
  });
  const query = "(min-width: 12345px)";
  expect([matchesMedia(query), matchesMedia(query)]).toEqual([true, true]);
  list.matches = false;
  for (const listener of list.listeners) listener();
  expect(matchesMedia(query)).toBe(false);
  expect(asked).toEqual([query]);
});
