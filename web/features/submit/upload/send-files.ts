import { type Answer, parseJson, submissionUrl } from "../request/submission-api";

/** A file and the name of the document it answers. */
export type ChosenFile = { name: string; file: File };

export type UploadProgressEvent = { loaded: number; total: number };

/**
 * Sends all files in one request, each in a field named after its document. Resolves with the answer, or null
 * if `signal` aborted it.
 */
export function sendFiles(
  token: string,
  chosen: readonly ChosenFile[],
  { onProgress, signal }: { onProgress: (sent: UploadProgressEvent) => void; signal: AbortSignal },
): Promise<Answer | null> {
  const form = new FormData();
  for (const { name, file } of chosen) form.append(name, file, file.name);
  // `fetch` does not report upload progress.
  const request = new XMLHttpRequest();
  return new Promise((resolve) => {
    request.upload.onprogress = ({ loaded, total }) => onProgress({ loaded, total });
    request.onload = () => {
      const seconds = Number.parseInt(request.getResponseHeader("Retry-After") ?? "", 10);
      resolve({
        status: request.status,
        body: parseJson(request.responseText),
        retryAfter: Number.isNaN(seconds) ? null : seconds,
      });
    };
    request.onerror = () => resolve({ status: 0, body: null, retryAfter: null });
    request.onabort = () => resolve(null);
    signal.addEventListener("abort", () => request.abort());
    request.open("POST", submissionUrl(token));
    request.send(form);
  });
}

/** How much of each file is uploaded, from 0 to 1. Files are sent one after the other. */
export function uploadedFractions(
  sizes: readonly number[],
  { loaded, total }: UploadProgressEvent,
): number[] {
  const sum = sizes.reduce((whole, size) => whole + size, 0);
  let left = total > 0 ? (loaded / total) * sum : 0;
  return sizes.map((size) => {
    const uploaded = Math.min(size, Math.max(0, left));
    left -= size;
    return size > 0 ? uploaded / size : 1;
  });
}
