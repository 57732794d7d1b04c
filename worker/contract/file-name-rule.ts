/** The placeholders of a rule. */
export const FILE_NAME_FIELDS = ["document", "recipient", "subject", "date", "original", "n"] as const;
export type FileNameField = (typeof FILE_NAME_FIELDS)[number];

/** Names files in a ZIP archive if a workspace has no rule. */
export const DEFAULT_FILE_NAME_RULE = "{document} - {recipient}";

/** The values that a rule can use for one file. */
export type FileNameValues = {
  document: string;
  recipient: string;
  subject: string;
  /** The day it was uploaded, `YYYY-MM-DD`. */
  date: string;
  /** The uploaded file's name, with its extension. */
  original: string;
};

/** The longest name that Windows, macOS and Linux all store, in bytes of UTF-8. */
export const MAX_BYTES = 255;
const MAX_EXTENSION_BYTES = 20;
/** For " (2)" and so on. */
const MAX_SUFFIX_BYTES = 10;
/** What a rule may fill in, in characters: cleaning and cutting take their time for each. */
const MAX_FILLED = 4 * MAX_BYTES;
const PLACEHOLDER = /\{(\w*)\}/g;

/** Control characters, unpaired surrogates, and characters that reorder or hide the text around them. */
export const INVISIBLE =
  /[\p{Cc}\p{Cs}\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu;
const SEPARATORS = /[<>:"/\\|?*]+/g;
/** Device names on Windows, whatever extension follows. */
export const RESERVED = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?=$|[ .])/i;

/** @returns the placeholders in the rule that do not exist */
export function unknownFields(rule: string): string[] {
  const known: readonly string[] = FILE_NAME_FIELDS;
  return [...rule.matchAll(PLACEHOLDER)].map(([, name = ""]) => name).filter((name) => !known.includes(name));
}

/** Names the files as `fileNamer` does. @returns one name for each, in their order */
export const nameFiles = (...call: Parameters<typeof fileNamer>): string[] => call[1].map(fileNamer(...call));

/**
 * Names the files of an archive by the rule: unique without regard to case or Unicode form, safe on Windows,
 * macOS and Linux, never a path.
 * @param taken names that no file may get
 * @returns what names the next one, to be called for each in their order
 */
export function fileNamer(
  rule: string,
  files: readonly FileNameValues[],
  taken: readonly string[] = [],
): (file: FileNameValues) => string {
  const free = freeNames(taken);
  const numbers = new Map<string, number>();
  const perDocument = countBy(files, ({ document }) => document);
  return (file) => {
    const number = (numbers.get(file.document) ?? 0) + 1;
    numbers.set(file.document, number);
    const several = (perDocument.get(file.document) ?? 0) > 1;
    const extension = safeExtension(file.original);
    const base = fillRule(rule, file, number);
    const numbered = several && !rule.includes("{n}") ? `${base} ${number}` : base;
    return free(safeBase(numbered), extension);
  };
}

function fillRule(rule: string, file: FileNameValues, number: number): string {
  const values = { ...file, original: withoutExtension(file.original), n: String(number) };
  const filled = rule.replace(PLACEHOLDER, (_, name: FileNameField) => values[name] ?? "");
  return filled
    .slice(0, MAX_FILLED)
    .replace(/\s+/gu, " ")
    .replace(/^[\s\-–_,.]+|(?<![\s\-–_,])[\s\-–_,]+$/gu, "");
}

/** Without the lookbehind, the search would begin again at each character of a run within the text. */
export const trimEnd = (text: string) => text.replace(/(?<![. ])[. ]+$/, "");

/**
 * Returns a function that makes names unique: the name itself, or the first of "name (2)", "name (3)" and so on that no
 * other file has. The search for a name's next number continues after its last one.
 */
function freeNames(taken: readonly string[]): (base: string, extension: string) => string {
  const used = new Set(taken.map(compared));
  const counts = new Map<string, number>();
  const take = (name: string) => {
    used.add(compared(name));
    return name;
  };
  return (base, extension) => {
    const end = extension ? `.${extension}` : "";
    const plain = joinName(base, MAX_BYTES - byteLength(end), end);
    if (!used.has(compared(plain))) return take(plain);
    const room = MAX_BYTES - MAX_SUFFIX_BYTES - byteLength(end);
    const numbered = (count: number) => joinName(short, room, ` (${count})${end}`);
    const short = cutToBytes(base, room);
    const key = compared(joinName(short, room, end));
    let count = counts.get(key) ?? 2;
    while (used.has(compared(numbered(count)))) count += 1;
    counts.set(key, count + 1);
    return take(numbered(count));
  };
}

/** Shortens the base, but not the end, to the maximum length. */
function joinName(base: string, maxBytes: number, end: string): string {
  const cut = trimEnd(cutToBytes(base, maxBytes));
  return `${cut || "file"}${end}`;
}

function safeBase(text: string): string {
  const visible = text.normalize("NFC").replace(INVISIBLE, "").replace(SEPARATORS, "_");
  const plain = trimEnd(visible.replace(/^[. ]+/, ""));
  return RESERVED.test(plain) ? `_${plain}` : plain;
}

function safeExtension(fileName: string): string {
  const extension = /\.([\p{L}\p{N}]+)$/u.exec(fileName)?.[1]?.toLowerCase() ?? "";
  return byteLength(extension) <= MAX_EXTENSION_BYTES ? extension : "";
}

const withoutExtension = (fileName: string) =>
  safeExtension(fileName) ? fileName.slice(0, fileName.lastIndexOf(".")) : fileName;

/** As many whole characters, as a reader sees them, as fit. */
export function cutToBytes(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  return cutToLength(text, ENCODER.encodeInto(text, new Uint8Array(maxBytes)).read);
}

/** The same by UTF-16 units. */
export function cutToLength(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  segmenter ??= new Intl.Segmenter();
  return text.slice(0, segmenter.segment(text).containing(maxLength)?.index);
}

const ENCODER = new TextEncoder();
/** Made once: that takes longer than to cut a name, and an envelope has thousands of files. */
let segmenter: Intl.Segmenter | undefined;

export const byteLength = (text: string) => ENCODER.encode(text).length;
/** Windows and macOS ignore case and Unicode form when comparing names. */
const compared = (name: string) => name.normalize("NFKC").toLowerCase();

function countBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
  return counts;
}
