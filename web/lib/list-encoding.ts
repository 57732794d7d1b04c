import type { Language } from "../../worker/contract/options";

/** CP850, which no browser decodes: what old programs write under Windows. The characters of the bytes from 0x80. */
const CP850 =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0";

const decoderOf = (label: string) => (bytes: Uint8Array) => new TextDecoder(label).decode(bytes);

/** The encodings of lists besides Unicode, by the name that a person knows. On a tie, the first one is guessed. */
const DECODERS = {
  "Windows-1252": decoderOf("windows-1252"),
  "Mac Roman": decoderOf("macintosh"),
  CP850: (bytes: Uint8Array) =>
    Array.from(bytes, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : CP850[byte - 0x80])).join(""),
  "Windows-1250": decoderOf("windows-1250"),
  "Windows-1251": decoderOf("windows-1251"),
  Shift_JIS: decoderOf("shift_jis"),
  GBK: decoderOf("gbk"),
} as const satisfies Record<string, (bytes: Uint8Array) => string>;

export type ListEncoding = keyof typeof DECODERS;
export const LIST_ENCODINGS = Object.keys(DECODERS) as ListEncoding[];

const WESTERN: readonly ListEncoding[] = ["Windows-1252", "Mac Roman", "CP850"];
/** What lists in each language have most likely. */
const USUAL: Record<Language, readonly ListEncoding[]> = {
  en: WESTERN,
  fr: WESTERN,
  es: WESTERN,
  de: WESTERN,
  pt: WESTERN,
  ja: ["Shift_JIS"],
  zh: ["GBK"],
};

/**
 * What hardly any text has: undecodable bytes, control and half-width characters, a capital or a sign within a word, three
 * accented Latin letters in a row.
 */
const ODD =
  /[\u0080-\u009f\ufffd\ue000-\uf8ff\uff61-\uff9f]|(?<=\p{Ll})(?=[^\0-\x7f])\p{Lu}|(?<=\p{L})(?=[^\0-\x7f])\p{Lu}(?=\p{Ll})|(?<=\p{L})(?=[^\0-\x7f])[^\p{L}\p{M}\s’、。・ー〜～‐–—]+(?=\p{L})|[¤-¯±²³¸¹¼-¾×÷](?=\p{L})|[À-ɏ]{3}/gu;
/** Chinese characters that are not among the 7,445 of everyday texts: what other encodings look like in GBK. */
const RARE_IN_GBK = /[\x81-\xa0\xaa-\xaf\xf8-\xfe][\x40-\xfe]|[\xa1-\xf7][\x40-\xa0]/g;

/** Enough to recognize an encoding by. */
const SAMPLE_BYTES = 64 * 1024;

export type ListText = {
  text: string;
  /** What was chosen or guessed; null if the file says that it is Unicode. */
  encoding: ListEncoding | null;
};

/**
 * The text of a list, in Unicode or the encoding of a program that does not say which it is.
 * @param language of the reader
 * @param namesColumn whether a cell names a column of a list
 * @param chosen the encoding, if the reader has chosen one
 */
export function decodeList(
  bytes: Uint8Array,
  language: Language,
  namesColumn: (cell: string) => boolean,
  chosen?: ListEncoding,
): ListText {
  const unicode = chosen ? null : decodeUnicode(bytes);
  if (unicode !== null) return { text: unicode, encoding: null };
  const encoding = chosen ?? guessEncoding(bytes.subarray(0, SAMPLE_BYTES), language, namesColumn);
  return { text: DECODERS[encoding](bytes), encoding };
}

function decodeUnicode(bytes: Uint8Array): string | null {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** The encoding in which the fewest characters are odd and most columns are named, and one of the language on a tie. */
function guessEncoding(
  sample: Uint8Array,
  language: Language,
  namesColumn: (cell: string) => boolean,
): ListEncoding {
  const raw = Array.from(sample, (byte) => String.fromCharCode(byte)).join("");
  const scoreOf = (encoding: ListEncoding) => {
    const text = DECODERS[encoding](sample);
    const foreign = text.match(/[^\0-\x7f]/g)?.length ?? 0;
    const odd = (encoding === "GBK" ? raw.match(RARE_IN_GBK) : text.match(ODD))?.length ?? 0;
    const named = text.split(/[\r\n,;\t"]+/, MAX_HEADER_CELLS).filter(namesColumn).length;
    return named - (100 * odd) / Math.max(1, foreign) + (USUAL[language].includes(encoding) ? 5 : 0);
  };
  const scored = LIST_ENCODINGS.map((encoding) => ({ encoding, score: scoreOf(encoding) }));
  return scored.reduce((best, other) => (other.score > best.score ? other : best)).encoding;
}

/** Of the lines that may name the columns. */
const MAX_HEADER_CELLS = 200;
