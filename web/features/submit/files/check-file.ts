import { acceptedExtensions } from "../../../../worker/contract/equal-extensions";
import { extensionOf, normalizeFileType } from "../../../../worker/contract/files";
import type { RequestedDocument } from "../request/submission-api";
import { type FileProblem, fileProblem, maxFilesOf } from "./document-files";

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

const namedTypes = ({ allowedFileTypes }: Allowed) => [...new Set(allowedFileTypes.map(normalizeFileType))];

const extensionsOf = (document: Allowed) => acceptedExtensions(namedTypes(document));

/** The file input's `accept` attribute. */
export function acceptAttribute(document: Allowed): string {
  const extensions = extensionsOf(document);
  const images = extensions.flatMap((extension) => IMAGE_TYPES[extension] ?? []);
  return [...extensions.map((extension) => `.${extension}`), ...new Set(images)].join(",");
}

export function acceptsImages(document: Allowed): boolean {
  return extensionsOf(document).some((extension) => Object.hasOwn(IMAGE_TYPES, extension));
}

/** The `accept` attribute that opens the camera. */
export const cameraAttribute = (document: Allowed): string =>
  [...new Set(extensionsOf(document).flatMap((extension) => IMAGE_TYPES[extension] ?? []))].join(",");

/** "PDF, DOCX" */
export function fileTypeList(document: Allowed): string {
  return namedTypes(document).join(", ").toUpperCase();
}

/** Checks extension and size, as the server will. What a picture is, by its content, only the server sees. */
export function checkFile(
  file: { name: string; size: number },
  document: Allowed,
  maxFileSize: number,
): FileProblem | null {
  if (!extensionsOf(document).includes(extensionOf(file.name))) return fileProblem("type", file);
  if (file.size === 0) return fileProblem("empty", file);
  return file.size > maxFileSize ? fileProblem("size", file) : null;
}

/** The chosen files that the document takes, and why it does not take the others. */
export function checkFiles(
  files: readonly File[],
  document: RequestedDocument,
  { maxFileSize, present }: { maxFileSize: number; present: number },
): { accepted: File[]; problem: FileProblem | null } {
  if (!document.multiple && files.length > 1) return { accepted: [], problem: fileProblem("several") };
  const problems = files.map((file) => checkFile(file, document, maxFileSize));
  const fitting = files.filter((_, index) => !problems[index]);
  const accepted = document.multiple ? fitting.slice(0, maxFilesOf(document) - present) : fitting;
  const tooMany = accepted.length < fitting.length ? fileProblem("tooMany") : null;
  const all = [...problems, tooMany].filter((problem) => problem !== null);
  const problem = all.reduceRight<FileProblem | null>((more, one) => (more ? { ...one, more } : one), null);
  return { accepted, problem };
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
