import type { ApiResponse } from "../request/submission-api";

/**
 * Why a file is rejected; "missing" if a required document has none, "noReason" if the reason for that is missing, "unfinished" if one must be chosen again,
 * "removed" if another device removed it. For "rejected", the server's response has the details.
 */
export type FileProblem = {
  kind:
    | "missing"
    | "noReason"
    | "type"
    | "empty"
    | "size"
    | "several"
    | "tooMany"
    | "gone"
    | "infected"
    | "content"
    | "unfinished"
    | "removed"
    | "rejected";
  fileName: string;
  fileSize: number;
  response?: ApiResponse;
  /** What was rejected beside it. */
  more?: FileProblem;
};

export function fileProblem(kind: FileProblem["kind"], file?: { name: string; size: number }): FileProblem {
  return { kind, fileName: file?.name ?? "", fileSize: file?.size ?? 0 };
}
