/** Types that browsers may display inline; all others are sent as attachments. */
export const INLINE_TYPES = [
  "application/pdf",
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
] as const;

export const AVATAR_TYPES = ["image/jpeg", "image/png", "image/gif", "image/webp"] as const;

/** What mail programs show, apart from animations. */
export const LOGO_TYPES = ["image/png", "image/jpeg", "image/webp"] as const;

/** Extensions of forms to fill in. */
export const ATTACHMENT_TYPES = ["pdf", "doc", "docx", "xls", "xlsx", "png", "jpg", "jpeg"] as const;

/** A file name's extension in lower case without the dot; "" if there is none. */
export function extensionOf(fileName: string): string {
  const dot = fileName.lastIndexOf(".");
  return dot > 0 ? fileName.slice(dot + 1).toLowerCase() : "";
}

/** Normalizes an allowed type as typed (".PDF", "pdf ") for comparison ("pdf"). */
export function normalizeFileType(type: string): string {
  return type.trim().replace(/^\./, "").toLowerCase();
}

/** The length of an upload's id. The keys of its files begin with the id. */
export const UPLOAD_ID_LENGTH = 16;

const UNITS = ["bytes", "kb", "mb", "gb"] as const;
export type SizeUnit = (typeof UNITS)[number];

/** A size in the largest unit of base 1024 that keeps it at 1 or more, at most two decimals. */
export function scaleBytes(bytes: number): { value: number; unit: SizeUnit } {
  let value = Math.max(0, bytes);
  let unitIndex = 0;
  while (value >= 1024 && unitIndex < UNITS.length - 1) {
    value /= 1024;
    unitIndex += 1;
  }
  return { value: Math.round(value * 100) / 100, unit: UNITS[unitIndex] ?? "bytes" };
}
