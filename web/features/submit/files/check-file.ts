import { extensionOf, normalizeFileType } from "../../../../worker/contract/files";
import type { RequestedDocument } from "../request/submission-api";

/** Why a file is refused; "missing" if a required document has none. */
export type FileProblem = {
  kind: "missing" | "type" | "empty" | "size" | "several" | "gone" | "infected" | "content";
  fileName: string;
  fileSize: number;
};

/** Phones offer the camera if `accept` contains a MIME type of an image. */
const IMAGE_TYPES: Record<string, string> = {
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  png: "image/png",
  gif: "image/gif",
  webp: "image/webp",
  heic: "image/heic",
  heif: "image/heif",
};

type Allowed = Pick<RequestedDocument, "allowedFileTypes">;

const extensionsOf = ({ allowedFileTypes }: Allowed) => [...new Set(allowedFileTypes.map(normalizeFileType))];

/** The file input's `accept` attribute. */
export function acceptAttribute(document: Allowed): string {
  const extensions = extensionsOf(document);
  const images = extensions.flatMap((extension) => IMAGE_TYPES[extension] ?? []);
  return [...extensions.map((extension) => `.${extension}`), ...new Set(images)].join(",");
}

export function acceptsImages(document: Allowed): boolean {
  return extensionsOf(document).some((extension) => Object.hasOwn(IMAGE_TYPES, extension));
}

/** "PDF, DOCX" */
export function fileTypeList(document: Allowed): string {
  return extensionsOf(document).join(", ").toUpperCase();
}

export function fileProblem(kind: FileProblem["kind"], file?: { name: string; size: number }): FileProblem {
  return { kind, fileName: file?.name ?? "", fileSize: file?.size ?? 0 };
}

/** Checks extension and size, as the server will. */
export function checkFile(
  file: { name: string; size: number },
  document: Allowed,
  maxFileSize: number,
): FileProblem | null {
  if (!extensionsOf(document).includes(extensionOf(file.name))) return fileProblem("type", file);
  if (file.size === 0) return fileProblem("empty", file);
  return file.size > maxFileSize ? fileProblem("size", file) : null;
}

/** Whether the file can still be read: it may have been moved or changed after it was chosen. */
export async function isReadable(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
