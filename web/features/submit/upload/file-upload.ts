import type { Answer } from "../request/submission-api";
import { findLostUpload } from "./lost-upload";
import { isAnswer, removeUpload, retryCalls, type UploadFailure, waitForRetry } from "./retry-calls";
import { transfer } from "./transfer";
import { createUpload, isUploadOf, uploadUrl } from "./tus-calls";
import { retryDelay, uploadOutcome } from "./upload-outcome";

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
  /** The connection or the server failed; the upload continues by itself. */
  onWaiting: (id: string) => void;
  onUploaded: (id: string) => void;
  /** The upload was removed and will not be retried; `unreadable` if the file itself can no longer be read. */
  onFailed: (id: string, failure: UploadFailure) => void;
};

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
  let uploadId: string | null = null;
  /** The response to a creation was lost: there may be an upload whose id is not known. */
  let createdUnseen = false;

  const retry = <Result>(call: (progressed: () => void) => Promise<Result | Answer>) =>
    retryCalls(call, { file, signal: stopped.signal, onWaiting: () => events.onWaiting(id) });

  /** Continues the upload that the job may resume, or creates one. */
  async function begin(): Promise<string> {
    if (resume && (await retry(() => isUploadOf(token, resume, file)))) uploadId = resume;
    else if (resume) await removeUpload(token, resume, stopped.signal);
    const begun = uploadId ?? (await retry(create));
    events.onCreated(id, begun);
    return begun;
  }

  async function create(): Promise<string | Answer> {
    const lost = createdUnseen ? await findLostUpload(token, job, isKnown) : null;
    if (isAnswer(lost)) return lost;
    const created = lost ? { id: lost } : await createUpload(token, documentId, file);
    if ("failure" in created) {
      createdUnseen ||= uploadOutcome(created.failure) === "retry";
      return created.failure;
    }
    // Known even if the upload was stopped meanwhile, since it must then be removed.
    uploadId = created.id;
    return created.id;
  }

  return {
    signal: stopped.signal,
    stop: () => stopped.abort(),
    uploadId: () => uploadId,
    /** @throws UploadError, and the signal's reason when stopped */
    async send(): Promise<void> {
      const url = uploadUrl(token, await begin());
      await retry((progressed) =>
        transfer({
          url,
          file,
          signal: stopped.signal,
          onProgress(uploadedBytes) {
            progressed();
            events.onProgress(id, uploadedBytes);
          },
        }),
      );
    },
    /** The upload to remove once this one has stopped; asks the server if a creation's response was lost. */
    async findStored(signal: AbortSignal): Promise<string | null> {
      for (let attempt = 0; createdUnseen && !uploadId; attempt += 1) {
        const lost = await findLostUpload(token, job, isKnown);
        if (!isAnswer(lost)) createdUnseen = false;
        if (typeof lost === "string") uploadId = lost;
        if (isAnswer(lost)) await waitForRetry(retryDelay(attempt, lost), signal);
      }
      return uploadId ?? resume;
    },
  };
}
