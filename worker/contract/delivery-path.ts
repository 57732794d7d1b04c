import {
  byteLength,
  cutToBytes,
  cutToLength,
  INVISIBLE,
  MAX_BYTES,
  RESERVED,
  trimEnd,
} from "./file-name-rule";

/** The placeholders of a rule for folders. */
export const FOLDER_FIELDS = [
  ...(["clientFolder", "recipient", "company", "subject", "template"] as const),
  ...(["workspace", "year", "month", "date"] as const),
] as const;
type FolderField = (typeof FOLDER_FIELDS)[number];

/** Characters of a rule, a contact's folder, and the whole path of a delivered file. */
export const MAX_FOLDER_PATH = 400;
/** Of a rule. */
const MAX_FOLDERS = 10;

export const DEFAULT_FOLDER_RULE = "{clientFolder}/{year}/{subject}";

/** The values that a rule can use for one submission. */
export type FolderValues = {
  /** Of the contact; its slashes separate folders. */
  folder: string | null;
  recipient: string;
  company: string;
  subject: string;
  template: string;
  workspace: string;
  /** The day of the submission, `YYYY-MM-DD`. */
  date: string;
};

const PLACEHOLDER = /\{(\w*)\}/g;
/** What Windows or SharePoint reject in a name. */
const FORBIDDEN = /[<>:"/\\|?*#%]+/g;
/** What SharePoint rejects anywhere in a name, and at its beginning. */
const VTI = /_vti_/gi;
const OWNER_FILE = /^~\$/;
const DESKTOP = /^desktop\.ini$/i;
/** For " (2)" and so on. */
const MAX_SUFFIX = 10;
/** Parts of a path are not cut below this length. */
const MIN_PART = 10;
/** Without its extension, so that no cut name is one that Windows reserves. */
const MIN_BASE = 8;
/** A contact's folder may have some within one of the rule. */
const MAX_PARTS = 2 * MAX_FOLDERS;

/** Whether the rule has known placeholders only, and no more folders than are possible. */
export function isFolderRule(rule: string): boolean {
  const known: readonly string[] = FOLDER_FIELDS;
  const names = [...rule.matchAll(PLACEHOLDER)].map(([, name = ""]) => name);
  return rule.split("/").length <= MAX_FOLDERS && names.every((name) => known.includes(name));
}

/** Whether a path stays below the folder that it is relative to. */
export const isRelativeFolder = (path: string): boolean =>
  !/[\0\\]|^\/|^[a-z]:/i.test(path) && !path.split("/").includes("..");

/**
 * The folders and the name of a delivered file: safe on Windows, macOS, Linux and SharePoint, and within the length that
 * SharePoint stores. No value makes a part `..` or adds one, except a contact's folder.
 */
export function deliveryPath(
  rule: string,
  values: FolderValues,
  fileName: string,
): { folder: string[]; name: string } {
  const filled = rule.replace(PLACEHOLDER, (_, field: FolderField) => fieldValue(field, values));
  const folder = filled.split("/").slice(0, MAX_PARTS).map(safePart).filter(Boolean);
  return fitPath(folder, safePart(fileName) || "file");
}

/** The name itself for the first attempt, then "name (2).pdf" and so on. */
export function nextName(name: string, attempt: number): string {
  if (attempt <= 1) return name;
  const [base, end] = splitExtension(name);
  const suffix = ` (${attempt})${end}`;
  return trimEnd(cutToBytes(base, MAX_BYTES - byteLength(suffix))) + suffix;
}

function fieldValue(field: FolderField, values: FolderValues): string {
  const { folder, recipient, company, date } = values;
  if (field === "clientFolder") return folder || oneName(company) || oneName(recipient);
  if (field === "year") return date.slice(0, "2026".length);
  if (field === "month") return date.slice("2026-".length, "2026-03".length);
  return oneName(values[field]);
}

const oneName = (value: string) => value.replaceAll("/", "_");

function safePart(text: string): string {
  const plain = text
    .normalize("NFC")
    .replace(INVISIBLE, "")
    .replace(/\s+/gu, " ")
    .replace(FORBIDDEN, "_")
    .replace(VTI, "-vti-")
    .replace(/^[. ]+/, "")
    .replace(OWNER_FILE, "_$");
  const isReserved = RESERVED.test(plain) || DESKTOP.test(plain);
  return shorten(isReserved ? `_${plain}` : plain, MAX_BYTES);
}

/** Cuts the longest parts until the path is short enough, and leaves out the innermost folders if that is too little. */
function fitPath(folder: string[], name: string): { folder: string[]; name: string } {
  for (let kept = folder.length; kept > 0; kept -= 1)
    for (let max = MAX_BYTES; max >= MIN_PART; max -= 5) {
      const parts = folder
        .slice(0, kept)
        .map((part) => shorten(part, MAX_BYTES, max))
        .filter(Boolean);
      const fitted = shorten(name, MAX_BYTES - MAX_SUFFIX, max);
      if ([...parts, fitted].join("/").length <= MAX_FOLDER_PATH - MAX_SUFFIX)
        return { folder: parts, name: fitted };
    }
  return { folder: [], name: shorten(name, MAX_BYTES - MAX_SUFFIX) };
}

/** Shortens a name, but not its extension. */
function shorten(name: string, maxBytes: number, maxLength = Number.POSITIVE_INFINITY): string {
  const [base, end] = splitExtension(name);
  const cut = cutToBytes(base, maxBytes - byteLength(end));
  const room = Math.max(maxLength - end.length, MIN_BASE);
  const short = trimEnd(cutToLength(cut, room));
  return short || !end ? short + end : `file${end}`;
}

/** A name's base and its extension with the full stop. */
function splitExtension(name: string): [string, string] {
  const end = /(?<=.)\.[\p{L}\p{N}]{1,10}$/u.exec(name)?.[0] ?? "";
  return [name.slice(0, name.length - end.length), end];
}
