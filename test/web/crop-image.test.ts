import { expect, test } from "bun:test";
import { cropArea, initialCrop } from "../../web/features/settings/picture/crop-image";

test("a crop starts as a square in the middle, nine tenths of the shorter side", () => {
  for (const [width, height] of [
    [400, 300],
    [300, 400],
    [500, 500],
  ] as const) {
    const crop = initialCrop(width, height);
    const area = cropArea({ naturalWidth: width, naturalHeight: height }, crop);
    const side = 0.9 * Math.min(width, height);
    expect(area.width).toBe(side);
    expect(area.height).toBe(side);
    expect(area.x).toBe((width - side) / 2);
    expect(area.y).toBe((height - side) / 2);
  }
});

test("a crop is measured in the picture's own pixels and is never empty", () => {
  const image = { naturalWidth: 2000, naturalHeight: 1000 };
  expect(cropArea(image, { unit: "%", x: 10, y: 20, width: 25, height: 50 })).toEqual({
    x: 200,
    y: 200,
    width: 500,
    height: 500,
  });
  expect(cropArea(image, { unit: "%", x: 0, y: 0, width: 0, height: 0 })).toMatchObject({
    width: 1,
    height: 1,
  });
});
