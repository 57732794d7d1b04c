import { formatOf } from "../contract/equal-extensions";

/** The number of leading bytes needed to detect a file's type. What is not among them is not checked. */
export const SAMPLE_BYTES = 4100;

const PDF = "application/pdf";
const PNG = "image/png";
const TIFF = "image/tiff";
const HEIC = "image/heic";
const HEIF = "image/heif";
const ZIP = "application/zip";
const CFB = "application/x-cfb";
const XML = "application/xml";
const RTF = "application/rtf";
const MP3 = "audio/mpeg";
const QUICKTIME = "video/quicktime";
const OLD_WORD = "application/msword";
const OLD_EXCEL = "application/vnd.ms-excel";
const WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const SLIDES = "application/vnd.openxmlformats-officedocument.presentationml.presentation";
const OPEN_TEXT = "application/vnd.oasis.opendocument.text";
const OPEN_SHEET = "application/vnd.oasis.opendocument.spreadsheet";

/** Phones and players write these into one container, and name it .mp4 or .mov. */
const FILMS = [
  "video/mp4",
  QUICKTIME,
  "video/x-m4v",
  "video/3gpp",
  "video/3gpp2",
  "audio/mp4",
  "audio/x-m4a",
];

/** ZIP archives that are programs. */
const PROGRAM_ARCHIVES: readonly (string | undefined)[] = [
  "application/java-archive",
  "application/vnd.android.package-archive",
  "application/x-xpinstall",
];

type BinaryType = {
  mime: string;
  /** Other types its files may be detected as: a truncated Office file looks like its container. */
  looksLike?: readonly string[];
  /** Files that the program also writes as text under this name. */
  text?: boolean;
};

/** Types detectable by content, by the first of their equal extensions. */
const BINARY: Record<string, BinaryType> = {
  pdf: { mime: PDF },
  png: { mime: PNG, looksLike: ["image/apng"] },
  jpg: { mime: "image/jpeg" },
  gif: { mime: "image/gif" },
  webp: { mime: "image/webp" },
  avif: { mime: "image/avif" },
  heic: { mime: HEIC, looksLike: [HEIF] },
  tif: { mime: TIFF },
  bmp: { mime: "image/bmp" },
  // Web applications and banks name HTML, XML and text so, for Word and Excel to open them.
  doc: { mime: OLD_WORD, looksLike: [CFB, RTF, WORD, OPEN_TEXT, ZIP, XML], text: true },
  xls: { mime: OLD_EXCEL, looksLike: [CFB, SHEET, OPEN_SHEET, ZIP, XML], text: true },
  ppt: { mime: "application/vnd.ms-powerpoint", looksLike: [CFB, SLIDES, ZIP] },
  docx: { mime: WORD, looksLike: [ZIP, CFB] },
  xlsx: { mime: SHEET, looksLike: [ZIP, CFB] },
  pptx: { mime: SLIDES, looksLike: [ZIP, CFB] },
  odt: { mime: OPEN_TEXT, looksLike: [ZIP] },
  ods: { mime: OPEN_SHEET, looksLike: [ZIP] },
  odp: { mime: "application/vnd.oasis.opendocument.presentation", looksLike: [ZIP] },
  zip: { mime: ZIP },
  "7z": { mime: "application/x-7z-compressed" },
  rar: { mime: "application/x-rar-compressed" },
  gz: { mime: "application/gzip" },
  rtf: { mime: RTF },
  mp4: { mime: "video/mp4", looksLike: FILMS },
  mov: { mime: QUICKTIME, looksLike: FILMS },
  mp3: { mime: MP3 },
};

const TEXT: Record<string, string> = {
  txt: "text/plain",
  csv: "text/csv",
  tsv: "text/tab-separated-values",
  md: "text/markdown",
  json: "application/json",
  xml: XML,
  svg: "image/svg+xml",
  html: "text/html",
  eml: "message/rfc822",
  ics: "text/calendar",
};

/**
 * Checks that a file's contents match its extension, or are another picture that is accepted too.
 * @param extension lower case, without the dot
 * @param accepted all extensions that are accepted
 * @param sample the first `SAMPLE_BYTES` of the file, or all of it if shorter
 * @param isBeginning whether the sample will be longer, so that only a contradiction counts
 * @returns the media type of the contents; null if they contradict the extension, with the picture that they are
 */
export async function checkFileType(
  extension: string,
  sample: Uint8Array,
  { accepted, isBeginning }: { accepted: readonly string[]; isBeginning: boolean },
): Promise<{ mimeType: string } | { mimeType: null; picture: Picture | undefined }> {
  const format = formatOf(extension);
  const detected = await detectType(sample);
  const binary = BINARY[format];
  const text = TEXT[format];
  const matching = binary
    ? matchesBinary(binary, detected, { sample, isBeginning }) && binary.mime
    : text
      ? isText(sample, detected) && detected !== PDF && text
      : "application/octet-stream";
  if (matching) return { mimeType: matching };
  const picture = pictureOf(detected);
  const isAccepted = picture && pictureOf(binary?.mime) && accepted.includes(picture.extension);
  return isAccepted ? { mimeType: picture.mimeType } : { mimeType: null, picture };
}

type Sample = { sample: Uint8Array; isBeginning: boolean };

function matchesBinary(type: BinaryType, detected: string | undefined, { sample, isBeginning }: Sample) {
  if (type.text && isOfficeText(sample, detected)) return true;
  if (type.mime === ZIP && bySignature([ZIP_STARTS], latin1(sample.subarray(0, 6))))
    return !PROGRAM_ARCHIVES.includes(detected);
  if (type.mime === PDF && detected === undefined)
    return hasPdfHeader(sample) || (isBeginning && sample.length < PDF_HEADER_BYTES);
  return detected !== undefined && (detected === type.mime || type.looksLike?.includes(detected) === true);
}

/** The media type detected from the first bytes, if any. */
export async function detectType(sample: Uint8Array): Promise<string | undefined> {
  const start = latin1(sample.subarray(0, 16));
  const certain = bySignature(CERTAIN, start) ?? pictureOfBrands(sample);
  if (certain) return certain;
  // Loaded by the first upload: it is a tenth of a server's start.
  const { fileTypeFromBuffer } = await import("./file-signatures");
  const detected = (await fileTypeFromBuffer(sample).catch(() => undefined))?.mime;
  if (detected === CFB && latin1(sample).includes(INSTALLER)) return "application/x-msi";
  return detected ?? bySignature(INCOMPLETE, start) ?? (isFilm(start) ? QUICKTIME : undefined);
}

type Signatures = readonly (readonly [mime: string, ...starts: string[]])[];

/** Types whose first bytes suffice: the library takes them for others by what follows, or needs what is not there. */
const CERTAIN: Signatures = [
  [TIFF, "II*\0", "MM\0*", "II+\0", "MM\0+"],
  [MP3, "ID3"],
];

const ZIP_STARTS: Signatures[number] = [ZIP, "PK\x03\x04", "PK\x05\x06", "PK\x07\x08", "PK00PK"];

/** Types that the library does not know, or not if it needs more than the sample. */
const INCOMPLETE: Signatures = [
  [PNG, "\x89PNG\r\n\x1a\n"],
  ZIP_STARTS,
  // As before Office 97, or without its container, as simple programs still write them.
  [
    OLD_EXCEL,
    "\x09\0\x04\0",
    "\x09\x02\x06\0",
    "\x09\x04\x06\0",
    "\x09\x08\x06\0",
    "\x09\x08\x08\0",
    "\x09\x08\x10\0",
  ],
  [OLD_WORD, "\xdb\xa5\x2d\0"],
];

/** A part that the ids of Windows installers share. They are in the container of old Office files. */
const INSTALLER = "\x10\x0c\0\0\0\0\0\xc0\0\0\0\0\0\0\x46";

const bySignature = (signatures: Signatures, start: string): string | undefined =>
  signatures.find(([, ...starts]) => starts.some((one) => start.startsWith(one)))?.[0];

/** What the first box of a film may be. */
const isFilm = (start: string) =>
  ["ftyp", "moov", "mdat", "wide", "free", "skip", "pnot", "uuid"].includes(start.slice(4, 8));

/** The most telling of the brands that a picture lists decides. */
const BRANDS: Signatures = [
  ["image/avif", "avif", "avis"],
  [HEIC, "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"],
  [HEIF, "mif1", "mif2", "msf1"],
];

/** The type of a picture in the container of films, by the brands in its first box. */
function pictureOfBrands(sample: Uint8Array): string | undefined {
  if (latin1(sample.subarray(4, 8)) !== "ftyp") return undefined;
  const [, , high = 0, low = 0] = sample;
  const brands: readonly string[] = latin1(sample.subarray(8, high * 256 + low)).match(/.{4}/gs) ?? [];
  return BRANDS.find(([, ...known]) => known.some((brand) => brands.includes(brand)))?.[0];
}

/** Readers find the header within this many bytes: a mail's or printer's commands may precede it. */
const PDF_HEADER_BYTES = 1024;

function hasPdfHeader(sample: Uint8Array): boolean {
  const start = latin1(sample.subarray(0, PDF_HEADER_BYTES));
  return start.includes("%PDF-") && !SCRIPT.test(start) && !PAGE.test(start);
}

/** Scripts for shells and servers, which other files never begin like. */
const SCRIPT = /^(?:\xef\xbb\xbf)?\s*(?:#!|<\?php\b|<\?=|<%|@echo\b|<script\b|<job\b)/i;
const PAGE = /^(?:\xef\xbb\xbf)?\s*(?:<!doctype html|<html|<head|<body|<!--)/i;

/** Text by its signature that is no document of Word or Excel. */
const OTHER_TEXTS: readonly (string | undefined)[] = [
  PDF,
  "application/postscript",
  "application/eps",
  "application/x-ms-regedit",
];

/** HTML, XML, MHTML, RTF or plain text. What the text begins with may look like a signature: "BMW", "FORM". */
function isOfficeText(sample: Uint8Array, detected: string | undefined): boolean {
  if (OTHER_TEXTS.includes(detected) || !isText(sample, detected)) return false;
  return !SCRIPT.test(latin1(sample)) && (isUtf16(sample) || sample.every(isTextByte));
}

/** Also control characters of terminals and Japanese encodings, and the end of a file of DOS. */
const isTextByte = (byte: number) =>
  byte >= 0x20 || (byte >= 0x07 && byte <= 0x0f) || byte === 0x1a || byte === 0x1b;

function isText(sample: Uint8Array, detected: string | undefined): boolean {
  const mark = latin1(sample.subarray(0, 2));
  return mark === "\xff\xfe" || mark === "\xfe\xff" || !sample.includes(0) || (!detected && isUtf16(sample));
}

/** Whether the bytes are UTF-16, which some databases export without its mark. */
const isUtf16 = (sample: Uint8Array) =>
  ["utf-16le", "utf-16be"].some((encoding) => {
    try {
      // The last character may be cut.
      const text = new TextDecoder(encoding, { fatal: true }).decode(sample, { stream: true });
      return !/[^\P{Cc}\s]|\p{Co}|\p{Cn}/u.test(text);
    } catch {
      return false;
    }
  });

/** One character for each byte. */
const latin1 = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

export type Picture = {
  mimeType: string;
  /** The first of its equal extensions. */
  extension: string;
  /** Its name, the same in every language. */
  name: string;
};

const PICTURES: Record<string, string> = {
  jpg: "JPEG",
  png: "PNG",
  gif: "GIF",
  webp: "WebP",
  avif: "AVIF",
  heic: "HEIC",
  tif: "TIFF",
  bmp: "BMP",
};

/** The picture of a media type. */
export function pictureOf(mimeType: string | undefined): Picture | undefined {
  if (mimeType === undefined) return undefined;
  for (const [extension, name] of Object.entries(PICTURES)) {
    const type = BINARY[extension];
    if (type && (type.mime === mimeType || type.looksLike?.includes(mimeType)))
      return { mimeType: type.mime, extension, name };
  }
  return undefined;
}
