import { type FileProblem, fileProblem } from "../files/file-problem";
import { codeOf } from "../request/submission-api";
import type { UploadFailure } from "./retry-calls";

const PROBLEMS: Record<string, FileProblem["kind"]> = {
  infected_file: "infected",
  file_content_mismatch: "content",
  file_type_not_allowed: "type",
  file_too_large: "size",
  empty_file: "empty",
};

/** The text on a document's card for a file that could not be uploaded. */
export function uploadProblem(failure: UploadFailure, file: { name: string; size: number }): FileProblem {
  if (failure.kind === "unreadable") return fileProblem("gone", file);
  if (failure.kind !== "rejected") return fileProblem("removed", file);
  const { answer } = failure;
  const code = codeOf(answer);
  // The response to HEAD has no body. It is only rejected if the scan of a complete file found a virus.
  if (code === null && answer.status === 400) return fileProblem("infected", file);
  const kind = code !== null && Object.hasOwn(PROBLEMS, code) ? PROBLEMS[code] : undefined;
  return kind ? fileProblem(kind, file) : { ...fileProblem("rejected", file), answer };
}
