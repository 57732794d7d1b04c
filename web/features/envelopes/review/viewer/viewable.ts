import type { Submission } from "../../envelopes.queries";

export const PDF = "application/pdf";
/** What every browser can show, and nothing that could run scripts. */
export const IMAGES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/** Whether the file can be zoomed and rotated. */
export const isViewable = ({ url, mimeType }: Submission) =>
  url !== null && (mimeType === PDF || IMAGES.includes(mimeType));
