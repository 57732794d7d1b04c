import type { RequestedDocument } from "../request/submission-api";
import { type FilesByDocument, filesOf } from "./document-files";

/** Whether the lists match the server's: the same documents with the same complete files. */
export function isInSync(
  all: FilesByDocument,
  shown: readonly RequestedDocument[],
  stored: readonly RequestedDocument[],
): boolean {
  const describe = (documents: readonly RequestedDocument[]) =>
    JSON.stringify(documents.map(({ files: _, state: _state, ...requested }) => requested));
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
