import { afterEach, expect, test } from "bun:test";

const { document: realDocument, matchMedia: realMatchMedia } = globalThis;
afterEach(() => {
  Object.assign(globalThis, { document: realDocument, matchMedia: realMatchMedia });
});

test("in a browser that allows no storage, a chosen theme is applied until the page is left", async () => {
  const dataset: DOMStringMap = {};
  Object.assign(globalThis, {
    document: { documentElement: { dataset } },
    matchMedia: () => ({ matches: true, addEventListener() {} }),
  });
  const { applyTheme } = await import("../../web/lib/theme");
  applyTheme("light");
  expect(dataset.theme).toBe("light");
  applyTheme("system");
  expect(dataset.theme).toBe("dark");
});
