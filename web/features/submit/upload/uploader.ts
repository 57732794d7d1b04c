import {
  createFileUpload,
  type FileUpload,
  removeUpload,
  UploadError,
  type UploadEvents,
  type UploadJob,
} from "./file-upload";

/** At most 10 uploads can run for a link, from all devices together. */
const MAX_AT_ONCE = 3;

/** Uploads files by tus, each until it is stored on the server or rejected. */
export function createUploader(token: string, events: UploadEvents) {
  const running = new Map<string, { upload: FileUpload; done: Promise<void> }>();
  const removals = new Map<number, Promise<void>>();
  const inTurn = limitConcurrency(MAX_AT_ONCE);

  const isKnown = (uploadId: string) =>
    [...running.values()].some(({ upload }) => upload.uploadId() === uploadId);

  async function run({ id, documentId }: UploadJob, upload: FileUpload): Promise<void> {
    try {
      await inTurn(async () => {
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

/** Runs at most `max` tasks at once; the others wait for their turn. */
function limitConcurrency(max: number) {
  let free = max;
  const waiting: (() => void)[] = [];
  return async <Result>(task: () => Promise<Result>): Promise<Result> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
