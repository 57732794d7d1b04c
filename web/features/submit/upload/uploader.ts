import { createFileUpload, type FileUpload, type UploadEvents, type UploadJob } from "./file-upload";
import { removeUpload, UploadError } from "./retry-calls";
import { createSlots } from "./slots";

export type Uploader = {
  add: (job: UploadJob) => void;
  /** Removes a file from the server, and stops its upload. Later uploads of its document wait for that. */
  remove: (documentId: number, file: { id: string; uploadId: string | null }) => void;
  /** Resolves when nothing is left to upload or to remove. */
  idle: () => Promise<void>;
  stop: () => void;
};

/** At most 10 uploads can run for a link, from all devices together. */
const MAX_AT_ONCE = 3;

/** Uploads files by tus, each until it is stored on the server or rejected. */
export function createUploader(token: string, events: UploadEvents): Uploader {
  const running = new Map<string, { upload: FileUpload; done: Promise<void> }>();
  const removals = new Map<number, Promise<void>>();
  const slots = createSlots(MAX_AT_ONCE);
  const stopped = new AbortController();

  const isKnown = (uploadId: string) =>
    [...running.values()].some(({ upload }) => upload.uploadId() === uploadId);

  async function run({ id, documentId }: UploadJob, upload: FileUpload): Promise<void> {
    try {
      await slots.use(async () => {
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
    add(job) {
      const upload = createFileUpload({ token, job, events, isKnown });
      running.set(job.id, { upload, done: run(job, upload) });
    },
    remove(documentId, { id, uploadId }) {
      const found = running.get(id);
      const before = removals.get(documentId);
      const removal = (async () => {
        found?.upload.stop();
        await found?.done;
        const stored = await found?.upload.findStored(stopped.signal);
        await before;
        const known = stored ?? uploadId;
        if (known) await removeUpload(token, known, stopped.signal);
      })();
      // Fails only when the page is closed.
      removals.set(
        documentId,
        removal.catch(() => undefined),
      );
    },
    async idle() {
      await Promise.all([...running.values()].map(({ done }) => done));
      await Promise.all(removals.values());
    },
    stop() {
      stopped.abort();
      for (const { upload } of running.values()) upload.stop();
    },
  };
}
