export type ImageSize = { width: number; height: number };

/** The size that the header of a PNG, JPEG, WebP or GIF file declares; undefined if there is none. Decodes nothing. */
export function readImageSize(bytes: Uint8Array, mimeType: string): ImageSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const read = READERS[mimeType];
  try {
    const size = read?.(view);
    return size && size.width > 0 && size.height > 0 ? size : undefined;
  } catch (error) {
    // The file ends within its header.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const READERS: Record<string, (view: DataView) => ImageSize | undefined> = {
  "image/png": readPng,
  "image/jpeg": readJpeg,
  "image/webp": readWebp,
  "image/gif": readGif,
};

const textAt = (view: DataView, offset: number) =>
  String.fromCharCode(...[0, 1, 2, 3].map((index) => view.getUint8(offset + index)));

function readPng(view: DataView): ImageSize | undefined {
  if (textAt(view, 12) !== "IHDR") return undefined;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

/** Start of frame, except those of the same range that define tables: DHT, JPG, DAC. */
const isStartOfFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function readJpeg(view: DataView): ImageSize | undefined {
  let offset = 2;
  while (view.getUint8(offset) === 0xff) {
    const marker = view.getUint8(offset + 1);
    // Fill bytes may precede a marker.
    if (marker === 0xff) offset += 1;
    else if (isStartOfFrame(marker))
      return { width: view.getUint16(offset + 7), height: view.getUint16(offset + 5) };
    // The image data begins without a frame header.
    else if (marker === 0xda || marker === 0xd9) return undefined;
    else offset += 2 + view.getUint16(offset + 2);
  }
  return undefined;
}

function readWebp(view: DataView): ImageSize | undefined {
  const chunk = textAt(view, 12);
  if (chunk === "VP8X") return { width: uint24(view, 24) + 1, height: uint24(view, 27) + 1 };
  if (chunk === "VP8L" && view.getUint8(20) === 0x2f) {
    const bits = view.getUint32(21, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  // The start code of a key frame precedes its size.
  if (chunk === "VP8 " && uint24(view, 23) === 0x2a019d)
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff };
  return undefined;
}

/** Full ones take more than any picture that is accepted. */
const GIF_BLOCKS = 30_000;

/** Browsers show the first frame whole, also if it is larger than the file's own size. */
function readGif(view: DataView): ImageSize | undefined {
  const flags = view.getUint8(10);
  let offset = 13 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  let blocks = 0;
  // Extensions before the frame, each with blocks up to an empty one.
  for (; view.getUint8(offset) === 0x21; offset += 1) {
    offset += 2;
    blocks += 1;
    for (; view.getUint8(offset) > 0 && blocks < GIF_BLOCKS; blocks += 1) offset += 1 + view.getUint8(offset);
    if (blocks >= GIF_BLOCKS) return undefined;
  }
  if (view.getUint8(offset) !== 0x2c) return undefined;
  const larger = (own: number, frame: number) =>
    Math.max(view.getUint16(own, true), view.getUint16(offset + frame, true));
  return { width: larger(6, 5), height: larger(8, 7) };
}

const uint24 = (view: DataView, offset: number) =>
  view.getUint16(offset, true) | (view.getUint8(offset + 2) << 16);
