import { extensionOf } from "../contract/files";
import { LIMITS } from "../contract/limits";

/** Control characters, and those that turn the direction of the text around them. */
const INVISIBLE = /[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** The name a person knows a file by, without path and control characters; "" where nothing is left. */
export function cleanFileName(name: string): string {
  const base = name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1);
  const visible = base.replace(INVISIBLE, "").trim();
  if (visible === "." || visible === "..") return "";
  if (visible.length <= LIMITS.fileName) return visible;
  const extension = extensionOf(visible);
  const keep = LIMITS.fileName - extension.length - 1;
  return extension
    ? `${visible.slice(0, keep).toWellFormed()}.${extension}`
    : visible.slice(0, LIMITS.fileName);
}

/** A random name for the store, with the extension the file came with. */
export function randomFileKey(extension: string): string {
  const random = crypto.getRandomValues(new Uint8Array(18)).toBase64({ alphabet: "base64url" });
  return /^[a-z0-9]{1,20}$/.test(extension) ? `${random}.${extension}` : random;
}

/** A Content-Disposition header (RFC 6266): an ASCII name for old clients, the exact one beside it. */
export function contentDisposition(kind: "inline" | "attachment", fileName: string): string {
  const ascii = fileName.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const exact = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${exact}`;
}

/** A name that no system's archive tool stumbles over, and that no other file of the archive has. */
export function archiveFileName(id: number, fileName: string): string {
  const harmless = fileName
    .toWellFormed()
    .replace(/[<>:"/\\|?*]/g, "_")
    .replace(/[. ]+$/, "");
  return `${id} ${harmless}`;
}
