import { describe, expect, test } from "bun:test";
import { file } from "bun";
import { brandShades } from "../../worker/contract/brand-colors";
import { createRandom } from "../support/random";

const css = await file(new URL("../../web/styles/tokens.css", import.meta.url)).text();
const THEMES = { light: ":root", dark: '[data-theme="dark"]' } as const;
type Theme = keyof typeof THEMES;

const clip = (value: number) => Math.min(1, Math.max(0, value));
const weigh = (red: number, green: number, blue: number) => 0.2126 * red + 0.7152 * green + 0.0722 * blue;

/** The luminance of a colour in `tokens.css`, computed apart from the tested code. */
function groundOf(theme: Theme, name: string): number {
  const block = css.slice(css.indexOf(THEMES[theme])).split("}")[0] ?? "";
  const found = new RegExp(`--${name}: oklch\\(([\\d.]+) ([\\d.]+) ([\\d.]+)\\)`).exec(block);
  const [l = Number.NaN, c = 0, h = 0] = (found ?? []).slice(1).map(Number);
  const a = c * Math.cos((h * Math.PI) / 180);
  const b = c * Math.sin((h * Math.PI) / 180);
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return weigh(
    clip(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short),
    clip(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short),
    clip(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short),
  );
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const value = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return weigh(red, green, blue);
}

const contrast = (one: number, other: number) =>
  (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);

const random = createRandom(27);
const hex = () => random.below(256).toString(16).padStart(2, "0");
const COLOURS = [
  ...["#000000", "#ffffff", "#808080", "#ff0000", "#00ff00", "#0000ff", "#ffff00", "#00ffff", "#ff00ff"],
  ...["#1a56a4", "#fffffe", "#010101", "#ffd400", "#f5a623"],
  ...Array.from({ length: 200 }, () => `#${hex()}${hex()}${hex()}`),
];

describe.each(["light", "dark"] as const)("in the %s theme", (theme) => {
  const edges = ["paper", "surface", "sunken"].map((name) => groundOf(theme, name));
  const grounds = [...edges, groundOf(theme, "hover")];
  const mail = theme === "light" ? ["#fbfaf7", "#ffffff"] : ["#181c22", "#0e1217"];

  test("any colour becomes a fill that stands out from the page, with readable text on it", () => {
    for (const color of COLOURS) {
      const { accent, hover, ink } = brandShades(color, theme);
      for (const edge of [...edges, ...mail.map(luminance)])
        expect([color, contrast(luminance(accent), edge) >= 3]).toEqual([color, true]);
      for (const fill of [accent, hover])
        expect([color, contrast(luminance(fill), luminance(ink)) >= 4.5]).toEqual([color, true]);
    }
  });

  test("any colour becomes text that is readable on each ground and on its own tint", () => {
    for (const color of COLOURS) {
      const { text, soft } = brandShades(color, theme);
      for (const ground of [...grounds, ...mail.map(luminance), luminance(soft)])
        expect([color, contrast(luminance(text), ground) >= 4.5]).toEqual([color, true]);
      for (const name of ["ink", "ink-soft"])
        expect([color, contrast(luminance(soft), groundOf(theme, name)) >= 4.5]).toEqual([color, true]);
    }
  });
});

test("a colour that is readable already is used as it is", () => {
  for (const color of ["#1a56a4", "#b00020", "#0b6e4f"])
    expect(brandShades(color, "light").accent).toBe(color);
  expect(brandShades("#79b6f4", "dark").accent).toBe("#79b6f4");
});

test("a gray stays gray", () => {
  for (const theme of ["light", "dark"] as const)
    for (const shade of Object.values(brandShades("#777777", theme))) {
      const parts = [1, 3, 5].map((start) => Number.parseInt(shade.slice(start, start + 2), 16));
      if (shade !== "#0d1117") expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1);
    }
});
