/** The colours of one theme that are computed from a brand's colour, each as `#rrggbb`. */
export type BrandShades = {
  /** Fills buttons and marks: at least 3:1 against the page. */
  accent: string;
  hover: string;
  /** Text on `accent` and `hover`: at least 4.5:1. */
  ink: string;
  /** Text on the page: at least 4.5:1. */
  text: string;
  /** A tint behind text. */
  soft: string;
};

type Theme = {
  /** The luminances of the page's grounds that are hardest to see a shade on. */
  edge: number;
  ground: number;
  isDark: boolean;
};

/** The grounds of `web/styles/tokens.css` and of the mails: see the test. */
const THEMES = {
  light: { edge: 0.89, ground: 0.845, isDark: false },
  dark: { edge: 0.0125, ground: 0.0285, isDark: true },
} satisfies Record<string, Theme>;

const INKS = ["#ffffff", "#0d1117"];
const STEP = 0.004;
const HOVER = 0.05;

/**
 * The shades in which a brand's colour is used. Its OKLCH lightness is moved as little as necessary; chroma and hue stay,
 * as far as a screen can show them.
 */
export function brandShades(color: string, theme: keyof typeof THEMES): BrandShades {
  const { edge, ground, isDark } = THEMES[theme];
  const wish = toOklch(color);
  const shade = (lightness: number) => toHex({ ...wish, lightness });
  const inkOn = (fill: string) => INKS.find((ink) => contrast(luminance(fill), luminance(ink)) >= 4.55);
  const nearest = (isFit: (shade: string) => boolean) => {
    for (let distance = 0; distance < 1; distance += STEP)
      for (const lightness of [wish.lightness - distance, wish.lightness + distance])
        if (lightness >= 0 && lightness <= 1 && isFit(shade(lightness))) return lightness;
    return isDark ? 1 : 0;
  };
  const lightness = nearest((fill) => contrast(luminance(fill), edge) >= 3.05 && inkOn(fill) !== undefined);
  const accent = shade(lightness);
  const ink = inkOn(accent) ?? "#ffffff";
  return {
    accent,
    // Away from the ink, so that the text stays readable.
    hover: shade(ink === INKS[0] ? Math.max(0, lightness - HOVER) : Math.min(1, lightness + HOVER)),
    ink,
    text: shade(nearest((text) => contrast(luminance(text), ground) >= 4.55)),
    soft: toHex({ ...wish, lightness: isDark ? 0.29 : 0.955, chroma: Math.min(wish.chroma, 0.025) }),
  };
}

/** The ratio of two luminances by WCAG. */
export const contrast = (one: number, other: number) =>
  (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);

type Oklch = { lightness: number; chroma: number; hue: number };
type Rgb = [red: number, green: number, blue: number];

/** Linear sRGB. */
const toRgb = (hex: string) =>
  [1, 3, 5].map((start) => linear(Number.parseInt(hex.slice(start, start + 2), 16))) as Rgb;

function linear(byte: number): number {
  const value = byte / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

const luminance = (hex: string): number => luminanceOfLinear(toRgb(hex));

const luminanceOfLinear = ([red, green, blue]: Rgb): number => 0.2126 * red + 0.7152 * green + 0.0722 * blue;

/** Of a colour of three bytes. */
export const luminanceOf = (bytes: readonly [red: number, green: number, blue: number]): number =>
  luminanceOfLinear(bytes.map(linear) as Rgb);

function toOklch(hex: string): Oklch {
  const [red, green, blue] = toRgb(hex);
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short;
  const b = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short;
  return {
    lightness: 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    chroma: Math.hypot(a, b),
    hue: Math.atan2(b, a),
  };
}

/** The colour with as much of its chroma as a screen can show at its lightness. */
function toHex({ lightness, chroma, hue }: Oklch): string {
  for (let shown = chroma; ; shown = Math.max(0, shown - STEP)) {
    const a = shown * Math.cos(hue);
    const b = shown * Math.sin(hue);
    const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
    const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
    const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
    const rgb: Rgb = [
      4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
      -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
      -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
    ];
    if (shown === 0 || rgb.every((value) => value > -0.0005 && value < 1.0005))
      return `#${rgb.map(toHexByte).join("")}`;
  }
}

function toHexByte(linear: number): string {
  const value = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
  return Math.round(Math.min(1, Math.max(0, value)) * 255)
    .toString(16)
    .padStart(2, "0");
}
