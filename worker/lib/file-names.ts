import { formatOf } from "../contract/equal-extensions";
import { type FileNameValues, nameFiles } from "../contract/file-name-rule";
import { extensionOf, UPLOAD_ID_LENGTH } from "../contract/files";
import { SERVER_LIMITS } from "../contract/limits";
import { pictureOf } from "./file-types";

/** Control characters, and characters that change the direction of surrounding text. */
const INVISIBLE = /[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** A file's display name without path and control characters; "" if nothing remains. */
export function cleanFileName(name: string): string {
  const base = name.slice(Math.max(name.lastIndexOf("/"), name.lastIndexOf("\\")) + 1);
  const visible = base.replace(INVISIBLE, "").trim();
  if (visible === "." || visible === "..") return "";
  if (visible.length <= SERVER_LIMITS.fileName) return visible;
  const extension = extensionOf(visible);
  const keep = SERVER_LIMITS.fileName - extension.length - 1;
  return extension
    ? `${visible.slice(0, keep).toWellFormed()}.${extension}`
    : visible.slice(0, SERVER_LIMITS.fileName);
}

/** The name under which a file is downloaded: of a picture, the extension is that of its content. */
export function nameByContent(fileName: string, mimeType: string): string {
  const picture = pictureOf(mimeType);
  const extension = extensionOf(fileName);
  if (!picture || extension === "" || formatOf(extension) === picture.extension) return fileName;
  return `${fileName.slice(0, -extension.length)}${picture.extension}`;
}

/** A random id for an upload, of 96 bits, so that ids never collide. */
export const randomUploadId = (): string => randomText(UPLOAD_ID_LENGTH);

/** A random key for the store: the upload's id, 48 random bits, and the file's extension. */
export function fileKey(uploadId: string, extension: string): string {
  const random = uploadId + randomText(8);
  return /^[a-z0-9]{1,20}$/.test(extension) ? `${random}.${extension}` : random;
}

/** Characters of six random bits each; their number has to be a multiple of four. */
const randomText = (length: number) =>
  crypto.getRandomValues(new Uint8Array((length * 3) / 4)).toBase64({ alphabet: "base64url" });

/** A Content-Disposition header (RFC 6266): an ASCII name for old clients, and the exact name. */
export function contentDisposition(kind: "inline" | "attachment", fileName: string): string {
  const ascii = fileName.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const exact = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${exact}`;
}

/** Keeps paths in an archive below the 260 characters that Windows can unpack. */
const MAX_FOLDER_NAME = 80;

/** A file's name in an archive, unique by its id. */
export const archiveFileName = (id: number, fileName: string): string =>
  idFirst("{document} {original}", id, { original: fileName });

/** The same for a folder: an envelope's id and subject. */
export const archiveFolderName = (id: number, subject: string): string =>
  idFirst("{document} {subject}", id, { subject: subject.slice(0, MAX_FOLDER_NAME) });

function idFirst(rule: string, id: number, values: Partial<FileNameValues>): string {
  const empty = { recipient: "", subject: "", date: "", original: "" };
  return nameFiles(rule, [{ ...empty, ...values, document: String(id) }])[0] ?? String(id);
}
