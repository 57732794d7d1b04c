import { isRecord } from "../../../lib/is-record";

/** The submission, as the server recorded it. */
export type Receipt = { submittedAt: string; files: readonly ReceivedFile[] };

type ReceivedFile = {
  documentName: string;
  fileName: string;
  fileSize: number;
  sha256: string | null;
};

/** The receipt in the answer to a submission. */
export function toReceipt(body: unknown): Receipt {
  const { submittedAt, submissions } = isRecord(body) ? body : {};
  return {
    submittedAt: typeof submittedAt === "string" ? submittedAt : new Date().toISOString(),
    files: Array.isArray(submissions) ? submissions.filter(isReceivedFile) : [],
  };
}

const isReceivedFile = (file: unknown): file is ReceivedFile =>
  isRecord(file) && typeof file.documentName === "string" && typeof file.fileName === "string";
