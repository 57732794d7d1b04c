import type { RequestedDocument } from "../request/submission-api";
import { type FilesByDocument, filesOf } from "./document-files";

/** Whether the lists are those of the server: the same documents, the same files, each of them whole. */
export function isInStep(
  all: FilesByDocument,
  shown: readonly RequestedDocument[],
  stored: readonly RequestedDocument[],
): boolean {
  const describe = (documents: readonly RequestedDocument[]) =>
    JSON.stringify(documents.map(({ files: _, state: _state, ...asked }) => asked));
  return (
    describe(shown) === describe(stored) &&
    stored.every(({ id, files }) => {
      const listed = filesOf(all, id).files;
      return (
        listed.length === files.length &&
        files.every((file) => listed.some(({ uploadId }) => uploadId === file.id)) &&
        files.every(({ uploadedBytes, fileSize }) => uploadedBytes >= fileSize)
      );
    })
  );
}
