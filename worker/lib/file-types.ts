/** The number of leading bytes needed to detect a file's type. */
export const SAMPLE_BYTES = 4100;

const PDF = "application/pdf";
const ZIP = "application/zip";
const CFB = "application/x-cfb";
const WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const SLIDES = "application/vnd.openxmlformats-officedocument.presentationml.presentation";

/**
 * Types detectable by content: the media type for each extension, and other types its files may be detected as (a
 * truncated Office file looks like its container).
 */
const BINARY: Record<string, { mime: string; looksLike?: string[] }> = {
  pdf: { mime: PDF },
  png: { mime: "image/png", looksLike: ["image/apng"] },
  jpg: { mime: "image/jpeg" },
  jpeg: { mime: "image/jpeg" },
  gif: { mime: "image/gif" },
  webp: { mime: "image/webp" },
  avif: { mime: "image/avif" },
  heic: { mime: "image/heic", looksLike: ["image/heif", "image/heic-sequence"] },
  heif: { mime: "image/heif", looksLike: ["image/heic", "image/heif-sequence"] },
  tif: { mime: "image/tiff" },
  tiff: { mime: "image/tiff" },
  bmp: { mime: "image/bmp" },
  doc: { mime: "application/msword", looksLike: [CFB, "application/rtf", WORD, ZIP] },
  xls: { mime: "application/vnd.ms-excel", looksLike: [CFB, SHEET, ZIP] },
  ppt: { mime: "application/vnd.ms-powerpoint", looksLike: [CFB, SLIDES, ZIP] },
  docx: { mime: WORD, looksLike: [ZIP, CFB] },
  xlsx: { mime: SHEET, looksLike: [ZIP, CFB] },
  pptx: { mime: SLIDES, looksLike: [ZIP, CFB] },
  odt: { mime: "application/vnd.oasis.opendocument.text", looksLike: [ZIP] },
  ods: { mime: "application/vnd.oasis.opendocument.spreadsheet", looksLike: [ZIP] },
  odp: { mime: "application/vnd.oasis.opendocument.presentation", looksLike: [ZIP] },
  zip: { mime: ZIP },
  "7z": { mime: "application/x-7z-compressed" },
  rar: { mime: "application/x-rar-compressed" },
  gz: { mime: "application/gzip" },
  rtf: { mime: "application/rtf" },
  mp4: { mime: "video/mp4", looksLike: ["video/quicktime", "video/x-m4v"] },
  mov: { mime: "video/quicktime", looksLike: ["video/mp4"] },
  mp3: { mime: "audio/mpeg" },
};

const TEXT: Record<string, string> = {
  txt: "text/plain",
  csv: "text/csv",
  tsv: "text/tab-separated-values",
  md: "text/markdown",
  json: "application/json",
  xml: "application/xml",
  svg: "image/svg+xml",
  html: "text/html",
  htm: "text/html",
  eml: "message/rfc822",
  ics: "text/calendar",
};

/**
 * Checks that a file's contents match its extension.
 * @param extension lower case, without the dot
 * @param sample the first `SAMPLE_BYTES` of the file, or all of it if shorter
 * @returns the media type, or null if the contents contradict the extension
 */
export async function checkFileType(extension: string, sample: Uint8Array): Promise<string | null> {
  const detected = await detectType(sample);
  const binary = BINARY[extension];
  if (binary) {
    const fits = detected
      ? detected === binary.mime || binary.looksLike?.includes(detected)
      : binary.mime === PDF && hasPdfHeader(sample);
    return fits ? binary.mime : null;
  }
  const text = TEXT[extension];
  if (text) return isText(sample) && detected !== PDF ? text : null;
  return "application/octet-stream";
}

/** The media type detected from the first bytes, if any. */
export async function detectType(sample: Uint8Array): Promise<string | undefined> {
  // Loaded by the first upload: it is a tenth of a server's start.
  const { fileTypeFromBuffer } = await import("./file-signatures");
  const detected = await fileTypeFromBuffer(sample).catch(() => undefined);
  return detected?.mime ?? (startsWith(sample, [0x50, 0x4b, 0x03, 0x04]) ? ZIP : undefined);
}

/** Also after white space, which some programs write first. */
const hasPdfHeader = (sample: Uint8Array) => /^[\s\0]*%PDF-/.test(new TextDecoder("latin1").decode(sample));

function isText(sample: Uint8Array): boolean {
  const utf16 = startsWith(sample, [0xff, 0xfe]) || startsWith(sample, [0xfe, 0xff]);
  return utf16 || !sample.includes(0);
}

const startsWith = (bytes: Uint8Array, prefix: number[]) =>
  prefix.every((byte, index) => bytes[index] === byte);
