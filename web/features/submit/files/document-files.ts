import { LIMITS } from "../../../../worker/contract/limits";
import { isFilled } from "../../../../worker/contract/patterns";
import { type ApiResponse, isReceived, type RequestedDocument } from "../request/submission-api";

/**
 * `queued` files wait for their turn, `waiting` ones for the connection, `blocked` ones for a connection that lets them
 * through. An `unfinished` file was started before the page
 * was loaded, or on another device: it continues once it is chosen again.
 */
export type FileStatus = "queued" | "uploading" | "waiting" | "blocked" | "uploaded" | "unfinished";

/** A file of a document, and how far its upload is. */
export type FileEntry = {
  /** Stays the same while the file is shown. */
  id: string;
  /** The server's id, once it has one. */
  uploadId: string | null;
  name: string;
  size: number;
  /** The file itself, where it was chosen on this page. */
  file: File | null;
  status: FileStatus;
  uploadedBytes: number;
};

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
    | "picture"
    | "unfinished"
    | "removed"
    | "rejected";
  fileName: string;
  fileSize: number;
  response?: ApiResponse;
  /** What a picture under the name of another type is: "WebP". */
  picture?: string;
  /** What was rejected beside it. */
  more?: FileProblem;
};

export function fileProblem(kind: FileProblem["kind"], file?: { name: string; size: number }): FileProblem {
  return { kind, fileName: file?.name ?? "", fileSize: file?.size ?? 0 };
}

/** Whether the recipient skips a document, which they do not have, and why. */
export type SkipAnswer = { skipped: boolean; skipReason: string };

/** The answer to a document; `problem` says what is wrong with it, or why the last choice was rejected. */
export type DocumentFiles = SkipAnswer & { files: readonly FileEntry[]; problem: FileProblem | null };

/** By the id of the document. Documents without an answer or a problem may be absent. */
export type FilesByDocument = ReadonlyMap<number, DocumentFiles>;

const EMPTY: DocumentFiles = { files: [], problem: null, skipped: false, skipReason: "" };

export const filesOf = (all: FilesByDocument, id: number): DocumentFiles => all.get(id) ?? EMPTY;

export const allFiles = (all: FilesByDocument): FileEntry[] =>
  [...all.values()].flatMap(({ files }) => files);

/** The other document for which the same file was chosen, by name and size. */
export const otherWithFile = (
  all: FilesByDocument,
  documents: readonly RequestedDocument[],
  id: number,
  { name, size }: Pick<FileEntry, "name" | "size">,
): RequestedDocument | undefined =>
  documents.find(
    (other) =>
      other.id !== id &&
      filesOf(all, other.id).files.some((file) => file.name === name && file.size === size),
  );

/** Whether the upload of the file is in progress. */
export const isInProgress = ({ status }: Pick<FileEntry, "status">): boolean =>
  status !== "uploaded" && status !== "unfinished";

/** How many files a document takes. */
export const maxFilesOf = ({ multiple }: Pick<RequestedDocument, "multiple">): number =>
  multiple ? LIMITS.filesPerDocument : 1;

/**
 * The files that `chosen` replaces: all others if the document takes one, and an unfinished one of the same name and
 * size.
 */
export function replacedBy(
  all: FilesByDocument,
  document: RequestedDocument,
  chosen: File,
): { resumed: FileEntry | undefined; removed: FileEntry[] } {
  const { files } = filesOf(all, document.id);
  const resumed = files.find(
    ({ status, name, size }) => status === "unfinished" && name === chosen.name && size === chosen.size,
  );
  return { resumed, removed: document.multiple ? [] : files.filter((entry) => entry !== resumed) };
}

/** Adds a chosen file in place of those that it replaces. */
export function addFile(
  all: FilesByDocument,
  document: RequestedDocument,
  { id, file }: { id: string; file: File },
): FilesByDocument {
  const { resumed, removed } = replacedBy(all, document, file);
  const entry: FileEntry = {
    id,
    uploadId: null,
    name: file.name,
    size: file.size,
    file,
    status: "queued",
    uploadedBytes: resumed?.uploadedBytes ?? 0,
  };
  const others = filesOf(all, document.id).files.filter((one) => !removed.includes(one));
  const files = resumed ? others.map((one) => (one === resumed ? entry : one)) : [...others, entry];
  return changed(all, document.id, { files, problem: null, skipped: false, skipReason: "" });
}

/** Problems that an uploaded file solves, from wherever. */
const OPEN: ReadonlySet<FileProblem["kind"]> = new Set(["missing", "noReason", "unfinished", "removed"]);

/**
 * Updates the lists with the server's state. Uploads running here stay; other files that the server does not have were
 * removed on another device.
 */
export function mergeFiles(all: FilesByDocument, documents: readonly RequestedDocument[]): FilesByDocument {
  return new Map(
    documents.map((document) => {
      const before = filesOf(all, document.id);
      const known = before.files.filter(
        (entry) => isInProgress(entry) || document.files.some(({ id }) => id === entry.uploadId),
      );
      const added = document.files.filter(({ id }) => !known.some(({ uploadId }) => uploadId === id));
      const files = [...known.map((entry) => mergeFile(entry, document)), ...added.map(fileEntryOf)];
      const mayBeSkipped = !isReceived(document) && (!document.required || document.reasonAllowed);
      const skipped = before.skipped && files.length === 0 && mayBeSkipped;
      const isAnswered = files.length > 0 && files.every(({ status }) => status === "uploaded");
      const problem = isAnswered && before.problem && OPEN.has(before.problem.kind) ? null : before.problem;
      return [document.id, { ...before, files, skipped, problem }];
    }),
  );
}

function mergeFile(entry: FileEntry, { files }: RequestedDocument): FileEntry {
  const stored = files.find(({ id }) => id === entry.uploadId);
  if (!stored || isInProgress(entry)) return entry;
  const { status, uploadedBytes } = fileEntryOf(stored);
  return { ...entry, status, uploadedBytes };
}

function fileEntryOf({
  id,
  fileName,
  fileSize,
  uploadedBytes,
}: RequestedDocument["files"][number]): FileEntry {
  const status = uploadedBytes >= fileSize ? "uploaded" : "unfinished";
  return { id, uploadId: id, name: fileName, size: fileSize, file: null, status, uploadedBytes };
}

export function changeFile(
  all: FilesByDocument,
  id: string,
  change: Partial<Pick<FileEntry, "uploadId" | "status" | "uploadedBytes">>,
): FilesByDocument {
  const [documentId, { files }] = ownerOf(all, id) ?? [0, EMPTY];
  if (files.length === 0) return all;
  return changed(all, documentId, {
    files: files.map((entry) => (entry.id === id ? { ...entry, ...change } : entry)),
  });
}

/** Removes a file; `problem` says why, unless the recipient did it. */
export function removeFile(
  all: FilesByDocument,
  id: string,
  problem: FileProblem | null = null,
): FilesByDocument {
  const [documentId, { files }] = ownerOf(all, id) ?? [0, EMPTY];
  if (files.length === 0) return all;
  const more = filesOf(all, documentId).problem;
  const rest = files.filter((entry) => entry.id !== id);
  return changed(all, documentId, { files: rest, problem: problem && more ? { ...problem, more } : problem });
}

const ownerOf = (all: FilesByDocument, id: string) =>
  [...all].find(([, { files }]) => files.some((entry) => entry.id === id));

/** Marks a document; its files stay. */
export const markProblem = (all: FilesByDocument, id: number, problem: FileProblem): FilesByDocument =>
  changed(all, id, { problem });

export const skipDocument = (all: FilesByDocument, id: number, answer: SkipAnswer): FilesByDocument =>
  changed(all, id, { ...answer, problem: null });

/** Whether the recipient says why they do not have a required document, now or in an earlier submission. */
export function hasReason(all: FilesByDocument, { id, reasonAllowed, state }: RequestedDocument): boolean {
  const { skipped, skipReason } = filesOf(all, id);
  return reasonAllowed && (skipped ? isFilled(skipReason) : state === "skipped");
}

/** The required documents that have neither a file nor a reason that is accepted instead. */
export const missingDocuments = (
  all: FilesByDocument,
  documents: readonly RequestedDocument[],
): RequestedDocument[] =>
  documents.filter(
    (document) =>
      document.required &&
      !isReceived(document) &&
      !hasReason(all, document) &&
      filesOf(all, document.id).files.length === 0,
  );

/** Marks what keeps the documents from being submitted: a required one without an answer, and unfinished files. */
export function markIncomplete(
  all: FilesByDocument,
  documents: readonly RequestedDocument[],
): FilesByDocument {
  let marked = all;
  for (const { id } of missingDocuments(all, documents)) {
    const { problem, skipped } = filesOf(all, id);
    marked = markProblem(marked, id, problem ?? fileProblem(skipped ? "noReason" : "missing"));
  }
  for (const { id } of documents) {
    const unfinished = filesOf(all, id).files.find(({ status }) => status === "unfinished");
    if (unfinished) marked = markProblem(marked, id, fileProblem("unfinished", unfinished));
  }
  return marked;
}

/** Whether a required document keeps the documents from being submitted, once they are marked. */
export const lacksRequired = (all: FilesByDocument, documents: readonly RequestedDocument[]): boolean =>
  documents.some(({ id, required }) => required && filesOf(all, id).problem !== null);

/** Whether every required document has an answer, and no file waits to be chosen again. */
export const isComplete = (all: FilesByDocument, documents: readonly RequestedDocument[]): boolean =>
  missingDocuments(all, documents).length === 0 &&
  !documents.some(({ id }) => filesOf(all, id).files.some(({ status }) => status === "unfinished"));

function changed(all: FilesByDocument, id: number, change: Partial<DocumentFiles>): FilesByDocument {
  return new Map(all).set(id, { ...filesOf(all, id), ...change });
}
