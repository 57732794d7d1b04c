import type { ErrorCode } from "../../../../worker/contract/errors";
import { isRecord } from "../../../../worker/contract/is-record";
import type { RetryPolicy } from "../../../../worker/contract/retry-policy";
import { type FileProblem, fileProblem } from "../files/document-files";
import { type ApiResponse, codeOf } from "../request/submission-api";

/** Until the file is stored or rejected. The delays begin again whenever bytes were stored. */
export const UPLOAD_RETRIES: RetryPolicy = {
  delays: [500, 1000, 2000, 4000, 8000, 15_000],
  maxRetryAfter: 60_000,
};

/**
 * What an unsuccessful response means for an upload: retry it, it no longer exists, the link is closed, or the server
 * rejects the file.
 */
export type UploadOutcome = "retry" | "gone" | "closed" | "rejected";

/** Temporary: a lock expires within seconds, and a new request continues at the server's offset. */
const TEMPORARY_CODES = new Set<string>([
  "offset_mismatch",
  "upload_interrupted",
  "checksum_mismatch",
] satisfies ErrorCode[]);

export function uploadOutcome(response: ApiResponse): UploadOutcome {
  const { status } = response;
  const code = codeOf(response);
  if (status === 410 || code === "submission_not_found") return "closed";
  if (status === 404) return "gone";
  if (status === 507) return "rejected";
  if (status === 0 || status >= 500 || [408, 423, 429].includes(status)) return "retry";
  return code !== null && TEMPORARY_CODES.has(code) ? "retry" : "rejected";
}

export type UploadFailure =
  | { kind: "unreadable" }
  | { kind: Exclude<UploadOutcome, "retry">; response: ApiResponse };

const PROBLEMS: Record<string, FileProblem["kind"]> = {
  infected_file: "infected",
  file_content_mismatch: "content",
  file_type_not_allowed: "type",
  file_too_large: "size",
  empty_file: "empty",
} satisfies Partial<Record<ErrorCode, FileProblem["kind"]>>;

/** What is wrong with a file, by the code of the response that rejects it; null if the code says something else. */
export const problemOfCode = (code: string | null): FileProblem["kind"] | null =>
  (code !== null && Object.hasOwn(PROBLEMS, code) && PROBLEMS[code]) || null;

/** The picture that the file is, as the server found. */
function pictureIn({ body }: ApiResponse): string | null {
  const params = isRecord(body) && isRecord(body.params) ? body.params : {};
  return typeof params.picture === "string" ? params.picture : null;
}

/** What the document's card says about a file that could not be uploaded. */
export function uploadProblem(failure: UploadFailure, file: { name: string; size: number }): FileProblem {
  if (failure.kind === "unreadable") return fileProblem("gone", file);
  if (failure.kind !== "rejected") return fileProblem("removed", file);
  const { response } = failure;
  const code = codeOf(response);
  // The response to HEAD has no body. It is only rejected if the scan of a complete file found a virus.
  if (code === null && response.status === 400) return fileProblem("infected", file);
  const kind = problemOfCode(code);
  const picture = kind === "content" && pictureIn(response);
  if (picture) return { ...fileProblem("picture", file), picture };
  return kind ? fileProblem(kind, file) : { ...fileProblem("rejected", file), response };
}

/** Whether the server still has the bytes, which the page must then delete. It deletes rejected content itself. */
export function isStillStored(failure: UploadFailure): boolean {
  if (failure.kind === "unreadable") return true;
  const code = failure.kind === "rejected" ? codeOf(failure.response) : null;
  return code !== null && code !== "file_content_mismatch" && code !== "infected_file";
}
