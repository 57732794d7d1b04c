import type { ErrorCode } from "../../../../worker/contract/errors";
import { checkFiles } from "../files/check-file";
import { type FileEntry, filesOf, replacedBy } from "../files/document-files";
import { removeThumbnail } from "../files/thumbnails";
import { saveAnswers, whenAnswersGetResponse } from "../questions/answers";
import { type RequestState, toRequestState } from "../request/request-state";
import {
  type ApiResponse,
  codeOf,
  fetchRequest,
  isDeadLink,
  type RequestedDocument,
} from "../request/submission-api";
import type { WizardStore } from "../wizard/wizard-state";
import {
  createFileUpload,
  type FileUpload,
  removeUpload,
  UploadError,
  type UploadEvents,
  type UploadJob,
} from "./file-upload";
import { isStillStored, uploadProblem } from "./upload-outcome";

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
    onWaiting: (id, isBlocked) =>
      dispatch({ type: "file changed", id, change: { status: isBlocked ? "blocked" : "waiting" } }),
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
    await Promise.all([uploads.idle(), saveAnswers()]);
    const { documents } = current();
    const response = await fetchRequest(token);
    if (current().documents === documents) showState(response);
  }

  function showState(response: ApiResponse) {
    const state = toRequestState(response);
    if (current().sending) return;
    if (state.kind !== "failed" || isDeadLink(state.response)) onState(state);
  }

  whenAnswersGetResponse((response) => {
    const isOpen = response.status === 200;
    if (isOpen || codeOf(response) === ("document_answered" satisfies ErrorCode)) void refresh();
    else showState(response);
  });

  return {
    idle: uploads.idle,
    refresh,
    choose(document: RequestedDocument, files: readonly File[], maxFileSize: number) {
      const resuming = files.filter((file) => replacedBy(current().documents, document, file).resumed);
      const present = filesOf(current().documents, document.id).files.length - resuming.length;
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

/** At most 10 uploads can run for a link, from all devices together. */
const MAX_AT_ONCE = 3;

/** Uploads files by tus, each until it is stored on the server or rejected. */
function createUploader(token: string, events: UploadEvents) {
  const running = new Map<string, { upload: FileUpload; done: Promise<void> }>();
  const removals = new Map<number, Promise<void>>();
  const inTurn = limitConcurrency(MAX_AT_ONCE);

  const isKnown = (uploadId: string) =>
    [...running.values()].some(({ upload }) => upload.uploadId() === uploadId);

  async function run({ id, documentId }: UploadJob, upload: FileUpload): Promise<void> {
    try {
      await inTurn(upload.signal, async () => {
        upload.signal.throwIfAborted();
        await removals.get(documentId);
        await upload.send();
      });
      events.onUploaded(id);
    } catch (error) {
      if (upload.signal.aborted) return;
      if (!(error instanceof UploadError)) throw error;
      events.onFailed(id, error.failure);
    } finally {
      running.delete(id);
    }
  }

  return {
    add(job: UploadJob): void {
      const upload = createFileUpload({ token, job, events, isKnown });
      running.set(job.id, { upload, done: run(job, upload) });
    },
    /** Removes a file from the server, and stops its upload. Later uploads of its document wait for that. */
    remove(documentId: number, { id, uploadId }: { id: string; uploadId: string | null }): void {
      const before = removals.get(documentId);
      const found = running.get(id);
      found?.upload.stop();
      const removal = (async () => {
        await before;
        await found?.done;
        if (found) await found.upload.remove();
        else if (uploadId) await removeUpload(token, uploadId);
      })();
      removals.set(documentId, removal);
    },
    /** Resolves when nothing is left to upload or to remove. */
    async idle(): Promise<void> {
      await Promise.all([...running.values()].map(({ done }) => done));
      await Promise.all(removals.values());
    },
  };
}

/** Runs at most `max` tasks at once; the others wait for their turn, or until they are aborted. */
function limitConcurrency(max: number) {
  let free = max;
  const waiting: (() => void)[] = [];
  return async <Result>(signal: AbortSignal, task: () => Promise<Result>): Promise<Result> => {
    if (free > 0) free -= 1;
    else
      await new Promise<void>((resolve, reject) => {
        waiting.push(resolve);
        signal.addEventListener("abort", () => {
          const index = waiting.indexOf(resolve);
          if (index < 0) return;
          waiting.splice(index, 1);
          reject(signal.reason);
        });
      });
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
