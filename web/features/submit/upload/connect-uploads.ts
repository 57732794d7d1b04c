import { checkFiles } from "../files/check-file";
import { type FileEntry, filesOf, replacedBy } from "../files/document-files";
import { removeThumbnail } from "../files/thumbnails";
import { type RequestState, toRequestState } from "../request/request-state";
import { fetchRequest, type RequestedDocument } from "../request/submission-api";
import type { WizardStore } from "../wizard/wizard-state";
import { isStillStored, uploadProblem } from "./upload-outcome";
import { createUploader } from "./uploader";

type UploadsOptions = WizardStore & {
  token: string;
  onState: (state: RequestState) => void;
};

export type ConnectedUploads = ReturnType<typeof connectUploads>;

/** Connects the wizard's files with the server: uploads chosen files at once, and shows changes from other devices. */
export function connectUploads({ token, onState, dispatch, current }: UploadsOptions) {
  let lastId = 0;
  const uploads = createUploader(token, {
    onCreated: (id, uploadId) =>
      dispatch({ type: "file changed", id, change: { uploadId, status: "uploading" } }),
    onProgress: (id, uploadedBytes) =>
      dispatch({ type: "file changed", id, change: { status: "uploading", uploadedBytes } }),
    onWaiting: (id) => dispatch({ type: "file changed", id, change: { status: "waiting" } }),
    onUploaded: (id) => dispatch({ type: "file uploaded", id }),
    onFailed(id, failure) {
      const found = findFile(id);
      if (!found) return;
      const { documentId, entry } = found;
      dispatch({ type: "file failed", id, problem: uploadProblem(failure, entry) });
      if (isStillStored(failure)) discard(documentId, entry);
      if (failure.kind !== "unreadable") void refresh();
    },
  });

  function discard(documentId: number, entry: FileEntry) {
    removeThumbnail(entry.uploadId);
    uploads.remove(documentId, entry);
  }

  function findFile(id: string) {
    for (const [documentId, { files }] of current().documents) {
      const entry = files.find((one) => one.id === id);
      if (entry) return { documentId, entry };
    }
    return null;
  }

  /** Shows the server's current state, unless a file is chosen or removed meanwhile. */
  async function refresh(): Promise<void> {
    await uploads.idle();
    const { documents } = current();
    const state = toRequestState(await fetchRequest(token));
    if (current().documents !== documents || current().sending) return;
    if (state.kind !== "failed" || state.response.status === 404) onState(state);
  }

  return {
    idle: uploads.idle,
    refresh,
    choose(document: RequestedDocument, files: readonly File[], maxFileSize: number) {
      const present = filesOf(current().documents, document.id).files.length;
      const { accepted, problem } = checkFiles(files, document, { maxFileSize, present });
      for (const file of accepted) {
        const { resumed, removed } = replacedBy(current().documents, document, file);
        for (const entry of removed) discard(document.id, entry);
        lastId += 1;
        const id = `chosen ${lastId}`;
        dispatch({ type: "file chosen", document, id, file });
        uploads.add({ id, documentId: document.id, file, resume: resumed?.uploadId ?? null });
      }
      if (problem) dispatch({ type: "choice rejected", documentId: document.id, problem });
    },
    remove(document: RequestedDocument, id: string) {
      const entry = filesOf(current().documents, document.id).files.find((one) => one.id === id);
      dispatch({ type: "file removed", id });
      if (entry) discard(document.id, entry);
    },
  };
}
