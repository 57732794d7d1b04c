/** Types that browsers may show in place; everything else is sent as an attachment. */
export const INLINE_TYPES = [
  "application/pdf",
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
] as const;

export const AVATAR_TYPES = ["image/jpeg", "image/png", "image/gif", "image/webp"] as const;

/** A file name's extension, lower-cased, without the dot; "" where there is none. */
export function extensionOf(fileName: string): string {
  const dot = fileName.lastIndexOf(".");
  return dot > 0 ? fileName.slice(dot + 1).toLowerCase() : "";
}

/** An allowed type as typed (".PDF", "pdf ") in the form it is compared in ("pdf"). */
export function normalizeFileType(type: string): string {
  return type.trim().replace(/^\./, "").toLowerCase();
}

/** Characters of an upload's id, with which the keys of its files begin. */
export const UPLOAD_ID_LENGTH = 16;
