import { centerCrop, makeAspectCrop, type PercentCrop } from "react-image-crop";

export const PREVIEW_SIDE = 80;
/** Shown at 80 px at most, on screens with up to three pixels for each. Recipients load it too, when their page is idle. */
const MAX_SIDE = 256;
const QUALITY = 0.95;

export type CropFailure = "cropFailed" | "blobFailed";

export class CropError extends Error {
  readonly failure: CropFailure;

  constructor(failure: CropFailure, cause?: unknown) {
    super(failure, { cause });
    this.failure = failure;
  }
}

/** A square in the middle, nine tenths of the shorter side. */
export function initialCrop(width: number, height: number): PercentCrop {
  const size = width > height ? { height: 90 } : { width: 90 };
  return centerCrop(makeAspectCrop({ unit: "%", ...size }, 1, width, height), width, height);
}

/** The cropped area in the picture's own pixels. */
export function cropArea(image: { naturalWidth: number; naturalHeight: number }, crop: PercentCrop) {
  return {
    x: Math.round((crop.x / 100) * image.naturalWidth),
    y: Math.round((crop.y / 100) * image.naturalHeight),
    width: Math.max(1, Math.round((crop.width / 100) * image.naturalWidth)),
    height: Math.max(1, Math.round((crop.height / 100) * image.naturalHeight)),
  };
}

/** Draws the cropped area into the canvas, `side` pixels wide and high. @throws CropError */
export function drawCrop(
  image: HTMLImageElement,
  crop: PercentCrop,
  canvas: HTMLCanvasElement,
  side: number,
): void {
  canvas.width = side;
  canvas.height = side;
  const context = canvas.getContext("2d");
  if (!context) throw new CropError("cropFailed");
  const { x, y, width, height } = cropArea(image, crop);
  // A JPEG has no transparency: transparent pixels become white, not black.
  context.fillStyle = "white";
  context.fillRect(0, 0, side, side);
  context.imageSmoothingQuality = "high";
  try {
    context.drawImage(image, x, y, width, height, 0, 0, side, side);
  } catch (cause) {
    throw new CropError("cropFailed", cause);
  }
}

/** The cropped area as a JPEG. @throws CropError */
export async function cropToJpeg(image: HTMLImageElement, crop: PercentCrop): Promise<Blob> {
  const canvas = document.createElement("canvas");
  drawCrop(image, crop, canvas, Math.min(MAX_SIDE, cropArea(image, crop).width));
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
  if (!blob) throw new CropError("blobFailed");
  return blob;
}
