import { expect, test } from "bun:test";
import { readableOn } from "../../web/features/workspaces/settings/logo-readability";

/** A picture of these pixels, and as many transparent ones. */
const pixels = (...colors: [number, number, number][]) =>
  new Uint8ClampedArray(
    Array.from({ length: 100 }, () => colors)
      .flat()
      .flatMap((color) => [...color, 255, 0, 0, 0, 0]),
  );

test.each([
  ["black", pixels([0, 0, 0]), "light"],
  ["white", pixels([255, 255, 255]), "dark"],
  ["blue", pixels([40, 90, 200]), "both"],
  ["mostly dark with a pale stroke", pixels(...Array(9).fill([20, 30, 60]), [250, 248, 230]), "light"],
  ["half white, half black", pixels([0, 0, 0], [255, 255, 255]), "none"],
  ["opaque", new Uint8ClampedArray(400).fill(255), "both"],
  ["empty", new Uint8ClampedArray(400), "none"],
] as const)("a logo that is %s is readable without a plate where its pixels are", (_, drawn, ground) => {
  expect(readableOn(drawn)).toBe(ground);
});
