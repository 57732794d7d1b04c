import type { Answer } from "../request/submission-api";

/**
 * Why a file is rejected; "missing" if a required document has none, "unfinished" if one must be chosen again,
 * "removed" if another device removed it. For "rejected", the server's response has the details.
 */
export type FileProblem = {
  kind:
    | "missing"
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
  answer?: Answer;
};

export function fileProblem(kind: FileProblem["kind"], file?: { name: string; size: number }): FileProblem {
  return { kind, fileName: file?.name ?? "", fileSize: file?.size ?? 0 };
}
