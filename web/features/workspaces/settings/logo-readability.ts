import { contrast, luminanceOf } from "../../../../worker/contract/brand-colors";
import { shownLogoSize } from "../../../../worker/contract/logo-size";
import type { LogoGround } from "../../../../worker/contract/options";

/** The grounds of page and mail. */
const GROUNDS = { light: [251, 250, 247], dark: [14, 18, 23] } as const;
/** Below this, a shape can hardly be told from its ground. */
export const VISIBLE = 1.5;
/** How much of a logo must be visible: a light shade beside the letters may be lost. */
const SHARE = 0.8;

/** On which grounds a logo is readable without a plate, by its pixels as RGBA. */
export function readableOn(pixels: Uint8ClampedArray): LogoGround {
  const light = isReadable(pixels, GROUNDS.light);
  const dark = isReadable(pixels, GROUNDS.dark);
  return light && dark ? "both" : light ? "light" : dark ? "dark" : "none";
}

function isReadable(pixels: Uint8ClampedArray, ground: readonly [number, number, number]): boolean {
  const groundLuminance = luminanceOf(ground);
  let drawn = 0;
  let visible = 0;
  let opaque = 0;
  for (let at = 0; at < pixels.length; at += 4) {
    const alpha = (pixels[at + 3] ?? 0) / 255;
    if (alpha > 0.99) opaque += 1;
    const [red, green, blue] = ground.map(
      (value, index) => value * (1 - alpha) + (pixels[at + index] ?? 0) * alpha,
    ) as [number, number, number];
    drawn += alpha;
    if (contrast(luminanceOf([red, green, blue]), groundLuminance) >= VISIBLE) visible += alpha;
  }
  // A picture without transparency brings its own ground.
  return opaque * 4 === pixels.length || (drawn > 0 && visible / drawn >= SHARE);
}

/** The same of a file, in the size in which it is shown; null if this browser cannot draw it. */
export async function measureLogo(logo: Blob): Promise<LogoGround | null> {
  const picture = await createImageBitmap(logo).catch(() => null);
  if (!picture) return null;
  const { width, height } = shownLogoSize(picture);
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context?.drawImage(picture, 0, 0, width, height);
  picture.close();
  return context && readableOn(context.getImageData(0, 0, width, height).data);
}
