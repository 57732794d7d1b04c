import { retry } from "../../../lib/retry";
import { isReadable } from "../files/check-file";
import { toRequestState } from "../request/request-state";
import { fetchRequest } from "../request/submission-api";
import { CallError, createUpload, deleteUpload, isUploadOf, sendFile } from "./tus";
import { UPLOAD_RETRIES, type UploadFailure, uploadOutcome } from "./upload-outcome";

export type UploadJob = {
  /** The id of the file's entry on the page. */
  id: string;
  documentId: number;
  file: File;
  /** An unfinished upload of a file of the same name and size. */
  resume: string | null;
};

export type UploadEvents = {
  onCreated: (id: string, uploadId: string) => void;
  onProgress: (id: string, uploadedBytes: number) => void;
  /** The connection or the server failed, or the connection refuses the file; the upload continues by itself. */
  onWaiting: (id: string, isBlocked: boolean) => void;
  onUploaded: (id: string) => void;
  /** The upload was removed and will not be retried; `unreadable` if the file itself can no longer be read. */
  onFailed: (id: string, failure: UploadFailure) => void;
};

/** An upload that will not be retried. */
export class UploadError extends Error {
  constructor(readonly failure: UploadFailure) {
    super(failure.kind);
  }
}

type FileUploadOptions = {
  token: string;
  job: UploadJob;
  events: UploadEvents;
  /** Whether the id belongs to an upload of this page. */
  isKnown: (uploadId: string) => boolean;
};

export type FileUpload = ReturnType<typeof createFileUpload>;

/** The upload of one file by tus, from its creation until the server has all bytes. */
export function createFileUpload({ token, job, events, isKnown }: FileUploadOptions) {
  const { id, documentId, file, resume } = job;
  const stopped = new AbortController();
  const { signal } = stopped;
  let uploadId = resume;
  /** The response to a creation was lost: there may be an upload whose id is not known. */
  let createdUnseen = false;

  const retryCall = <Result>(work: (reset: () => void) => Promise<Result>) =>
    retry(work, {
      policy: UPLOAD_RETRIES,
      signal,
      async onFailure(error) {
        const retryAfter = checkRetriable(error);
        if (!(await isReadable(file))) throw new UploadError({ kind: "unreadable" });
        events.onWaiting(id, error instanceof CallError && error.isBlocked);
        return retryAfter;
      },
    });

  /** Continues the upload that the job may resume, or creates one. */
  async function begin(): Promise<string> {
    if (resume && !(await retryCall(() => isUploadOf(token, resume, file)))) {
      await removeUpload(token, resume);
      uploadId = null;
    }
    const created = uploadId ?? (await retryCall(create));
    events.onCreated(id, created);
    return created;
  }

  /** Sets `uploadId` even if the upload was stopped meanwhile, since it must then be removed. */
  async function create(): Promise<string> {
    if (createdUnseen) uploadId = await findLostUpload(token, job, isKnown);
    try {
      uploadId ??= await createUpload(token, documentId, file);
    } catch (error) {
      createdUnseen ||= isRetriable(error);
      throw error;
    }
    return uploadId;
  }

  return {
    signal,
    stop: () => stopped.abort(),
    uploadId: () => uploadId,
    /** @throws UploadError, and the signal's reason when stopped */
    async send(): Promise<void> {
      const created = await begin();
      // What an unfinished upload has is known to the server only.
      const isNew = created !== resume;
      let storedBytes = 0;
      await retryCall((reset) =>
        sendFile(token, created, file, {
          signal,
          start: isNew ? storedBytes : null,
          onStored(bytes) {
            if (bytes > storedBytes) reset();
            storedBytes = bytes;
            events.onProgress(id, bytes);
          },
          onProgress: (bytes) => events.onProgress(id, bytes),
        }),
      );
    },
    /** Deletes what the server has of this upload, once it has stopped. */
    async remove(): Promise<void> {
      if (createdUnseen && !uploadId)
        uploadId = await untilFinal(() => findLostUpload(token, job, isKnown), null);
      if (uploadId) await removeUpload(token, uploadId);
    },
  };
}

/** Deletes an upload, until the server says that it is gone. */
export const removeUpload = (token: string, id: string): Promise<void> =>
  untilFinal(() => deleteUpload(token, id), undefined);

/** Retries until the call succeeds; a final failure, such as a link that is closed, gives `fallback`. */
async function untilFinal<Result>(work: () => Promise<Result>, fallback: Result): Promise<Result> {
  try {
    return await retry(work, { policy: UPLOAD_RETRIES, onFailure: checkRetriable });
  } catch (error) {
    if (error instanceof UploadError) return fallback;
    throw error;
  }
}

const isRetriable = (error: unknown): boolean =>
  error instanceof CallError && uploadOutcome(error.response) === "retry";

/** @returns the Retry-After of a temporary failure. @throws UploadError if it is final */
function checkRetriable(error: unknown): number | null {
  if (!(error instanceof CallError)) throw error;
  const { response } = error;
  const kind = uploadOutcome(response);
  if (kind !== "retry") throw new UploadError({ kind, response });
  return response.retryAfter;
}

/** The id of an upload of this file that was created although the response was lost; null if there is none. */
async function findLostUpload(
  token: string,
  { documentId, file }: UploadJob,
  isKnown: (uploadId: string) => boolean,
): Promise<string | null> {
  const response = await fetchRequest(token);
  const state = toRequestState(response);
  if (state.kind === "failed") throw new CallError(state.response);
  if (state.kind !== "ready") throw new CallError(response);
  const document = state.request.documents.find(({ id }) => id === documentId);
  for (const { id, fileSize, uploadedBytes } of document?.files ?? []) {
    if (isKnown(id) || fileSize !== file.size || uploadedBytes > 0) continue;
    if (await isUploadOf(token, id, file)) return id;
  }
  return null;
}
