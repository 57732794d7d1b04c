import { describe, expect, test } from "bun:test";
import { file } from "bun";

type Theme = Record<string, [lightness: number, chroma: number, hue: number]>;

const css = await file(new URL("../../web/styles/tokens.css", import.meta.url)).text();

function theme(selector: string): Theme {
  const block = css.slice(css.indexOf(selector)).split("}")[0] ?? "";
  const colours: Theme = {};
  for (const [, name, l, c, h] of block.matchAll(/--([\w-]+): oklch\(([\d.]+) ([\d.]+) ([\d.]+)\);/g))
    if (name) colours[name] = [Number(l), Number(c), Number(h)];
  return colours;
}

const light = theme(":root");
const dark = { ...light, ...theme('[data-theme="dark"]') };

/** Relative luminance of an OKLCH colour, its linear sRGB clipped to what a screen shows. */
function luminance([l, c, h]: [number, number, number]): number {
  const a = c * Math.cos((h * Math.PI) / 180);
  const b = c * Math.sin((h * Math.PI) / 180);
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clip = (value: number) => Math.min(1, Math.max(0, value));
  const red = clip(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short);
  const green = clip(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short);
  const blue = clip(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(colours: Theme, one: string, other: string): number {
  const [first, second] = [one, other].map((name) => luminance(colours[name] ?? [Number.NaN, 0, 0]));
  const [lighter, darker] = [Math.max(first ?? 0, second ?? 0), Math.min(first ?? 0, second ?? 0)];
  return (lighter + 0.05) / (darker + 0.05);
}

const GROUNDS = ["paper", "surface", "sunken", "hover"];
const TEXT: [text: string, ground: string][] = [
  ...["ink", "ink-soft", "accent", "bad"].flatMap((text) =>
    GROUNDS.map((ground): [string, string] => [text, ground]),
  ),
  ["ink", "manila-soft"],
  ["ink-soft", "manila-soft"],
  ["accent-ink", "accent"],
  ["accent-ink", "accent-hover"],
  ["bad-ink", "bad"],
  ["bad-ink", "bad-hover"],
  ["accent", "accent-soft"],
  ["ink", "accent-soft"],
  ["ink-soft", "accent-soft"],
  ["good", "good-soft"],
  ["warn", "warn-soft"],
  ["bad", "bad-soft"],
  ["paper", "ink"],
];
const CONTROLS: [string, string][] = ["paper", "surface", "sunken"].flatMap((ground): [string, string][] => [
  ["line-strong", ground],
  ["accent", ground],
]);

describe.each([
  ["light", light],
  ["dark", dark],
])("the %s theme", (_name, colours) => {
  test.each(TEXT)("text %s on %s has 4.5:1", (text, ground) => {
    expect(contrast(colours, text, ground)).toBeGreaterThanOrEqual(4.5);
  });

  test.each(CONTROLS)("%s on %s has 3:1", (control, ground) => {
    expect(contrast(colours, control, ground)).toBeGreaterThanOrEqual(3);
  });
});
