import { isReceived, type RequestedDocument } from "../request/submission-api";
import { checkFile, type FileProblem, fileProblem } from "./check-file";

export type FileStatus = "ready" | "uploading" | "uploaded";

/** A file chosen for a document, and how far its upload is. */
export type FileEntry = { id: string; file: File; status: FileStatus; uploadedBytes: number };

/** What was chosen for one document; `problem` says why the last choice was refused. */
export type DocumentFiles = { files: readonly FileEntry[]; problem: FileProblem | null };

/** By the name of the document. Documents without a file or a problem may be absent. */
export type FilesByDocument = ReadonlyMap<string, DocumentFiles>;

const EMPTY: DocumentFiles = { files: [], problem: null };

export const filesOf = (all: FilesByDocument, name: string): DocumentFiles => all.get(name) ?? EMPTY;

export const allFiles = (all: FilesByDocument): FileEntry[] =>
  [...all.values()].flatMap(({ files }) => files);

/** How many files a document takes. */
export const maxFilesOf = (_document: Pick<RequestedDocument, "name">): number => 1;

/** Why these files cannot answer the document, or null. */
export function checkFiles(
  files: readonly File[],
  document: RequestedDocument,
  maxFileSize: number,
): FileProblem | null {
  if (files.length > maxFilesOf(document)) return fileProblem("several");
  for (const file of files) {
    const problem = checkFile(file, document, maxFileSize);
    if (problem) return problem;
  }
  return null;
}

/** Takes files that `checkFiles` accepts. Past the document's limit the oldest ones are replaced. */
export function addFiles(
  all: FilesByDocument,
  document: RequestedDocument,
  files: readonly { id: string; file: File }[],
): FilesByDocument {
  const added = files.map((entry) => ({ ...entry, status: "ready" as const, uploadedBytes: 0 }));
  const kept = [...filesOf(all, document.name).files, ...added].slice(-maxFilesOf(document));
  return withDocument(all, document.name, { files: kept, problem: null });
}

export function removeFile(all: FilesByDocument, name: string, id: string): FilesByDocument {
  const files = filesOf(all, name).files.filter((entry) => entry.id !== id);
  return withDocument(all, name, { files, problem: null });
}

/** Marks a document; its files stay. */
export function markProblem(all: FilesByDocument, name: string, problem: FileProblem): FilesByDocument {
  return withDocument(all, name, { ...filesOf(all, name), problem });
}

/** Removes the files of a document that the server refused, and marks it with the reason. */
export function refuseFiles(all: FilesByDocument, name: string, kind: FileProblem["kind"]): FilesByDocument {
  const refused = filesOf(all, name).files[0];
  return withDocument(all, name, { files: [], problem: fileProblem(kind, refused?.file) });
}

/** Removes files that can no longer be read, and marks their documents. */
export function removeUnreadable(all: FilesByDocument, ids: ReadonlySet<string>): FilesByDocument {
  const documents = [...all].map(([name, document]): [string, DocumentFiles] => {
    const lost = document.files.find(({ id }) => ids.has(id));
    if (!lost) return [name, document];
    const files = document.files.filter(({ id }) => !ids.has(id));
    return [name, { files, problem: fileProblem("gone", lost.file) }];
  });
  return new Map(documents);
}

/** The required documents that have no file. */
export function missingDocuments(
  all: FilesByDocument,
  documents: readonly RequestedDocument[],
): RequestedDocument[] {
  return documents.filter(
    (document) =>
      document.required && !isReceived(document) && filesOf(all, document.name).files.length === 0,
  );
}

/** Marks the required documents that have no file; a mark that says more stays. */
export function markMissing(all: FilesByDocument, documents: readonly RequestedDocument[]): FilesByDocument {
  return missingDocuments(all, documents).reduce(
    (marked, { name }) => markProblem(marked, name, filesOf(marked, name).problem ?? fileProblem("missing")),
    all,
  );
}

/** Changes every file, such as when an upload begins or ends. */
export function mapFiles(all: FilesByDocument, change: (entry: FileEntry) => FileEntry): FilesByDocument {
  return new Map(
    [...all].map(([name, document]) => [name, { ...document, files: document.files.map(change) }]),
  );
}

function withDocument(all: FilesByDocument, name: string, document: DocumentFiles): FilesByDocument {
  return new Map(all).set(name, document);
}
