import { isReadable } from "../files/check-file";
import { toRequestState } from "../request/request-state";
import { type Answer, fetchRequest } from "../request/submission-api";
import { createSlots } from "./slots";
import { transfer } from "./transfer";
import { createUpload, deleteUpload, isUploadOf, uploadUrl } from "./tus-calls";
import { retryDelay, type UploadOutcome, uploadOutcome } from "./upload-outcome";

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

export type UploadFailure =
  | { kind: "unreadable" }
  | { kind: Exclude<UploadOutcome, "retry">; answer: Answer };

export type Uploader = {
  add: (job: UploadJob) => void;
  /** Removes a file from the server, and stops its upload. Later uploads of its document wait for that. */
  remove: (documentId: number, file: { id: string; uploadId: string | null }) => void;
  /** Resolves when nothing is left to upload or to remove. */
  idle: () => Promise<void>;
  stop: () => void;
};

type Running = UploadJob & {
  uploadId: string | null;
  /** The response to a creation was lost: there may be an upload whose id is not known. */
  createdUnseen: boolean;
  stop: AbortController;
  done: Promise<void>;
};

/** At most 10 uploads can run for a link, from all devices together. */
const MAX_AT_ONCE = 3;

class Failure extends Error {
  constructor(readonly failure: UploadFailure) {
    super(failure.kind);
  }
}

/** Uploads files by tus, each until it is stored on the server or rejected. */
export function createUploader(token: string, events: UploadEvents): Uploader {
  const running = new Map<string, Running>();
  const removals = new Map<number, Promise<void>>();
  const slots = createSlots(MAX_AT_ONCE);
  const stopped = new AbortController();

  async function run(job: Running): Promise<void> {
    try {
      await slots.use(async () => {
        job.stop.signal.throwIfAborted();
        await removals.get(job.documentId);
        await begin(job);
        await send(job);
      });
      events.onUploaded(job.id);
    } catch (error) {
      if (job.stop.signal.aborted) return;
      if (!(error instanceof Failure)) throw error;
      events.onFailed(job.id, error.failure);
    } finally {
      running.delete(job.id);
    }
  }

  /** Continues the upload that the job may resume, or creates one. */
  async function begin(job: Running): Promise<void> {
    const { file, resume } = job;
    if (resume && (await retrying(job, () => isUploadOf(token, resume, file)))) job.uploadId = resume;
    else if (resume) await removeUpload(resume, job.stop.signal);
    const uploadId = job.uploadId ?? (await retrying(job, () => create(job)));
    events.onCreated(job.id, uploadId);
  }

  async function create(job: Running): Promise<string | Answer> {
    const lost = job.createdUnseen ? await findLostUpload(job) : null;
    if (isAnswer(lost)) return lost;
    const created = lost ? { id: lost } : await createUpload(token, job.documentId, job.file);
    if ("failure" in created) {
      job.createdUnseen ||= uploadOutcome(created.failure) === "retry";
      return created.failure;
    }
    // Known even if the job was stopped meanwhile, since the upload must then be removed.
    job.uploadId = created.id;
    return created.id;
  }

  /** An upload of this file that was created although the response was lost. */
  async function findLostUpload({ documentId, file }: Running): Promise<string | Answer | null> {
    const answer = await fetchRequest(token);
    const state = toRequestState(answer);
    if (state.kind !== "ready") return answer;
    const known = new Set([...running.values()].map(({ uploadId }) => uploadId));
    const document = state.request.documents.find(({ id }) => id === documentId);
    for (const { id, fileSize, uploadedBytes } of document?.files ?? []) {
      if (known.has(id) || fileSize !== file.size || uploadedBytes > 0) continue;
      const same = await isUploadOf(token, id, file);
      if (same === true) return id;
      if (same !== false) return same;
    }
    return null;
  }

  async function send(job: Running): Promise<void> {
    const { file, id, uploadId, stop } = job;
    await retrying(job, (progressed) =>
      transfer({
        url: uploadUrl(token, uploadId ?? ""),
        file,
        signal: stop.signal,
        onProgress(uploadedBytes) {
          progressed();
          events.onProgress(id, uploadedBytes);
        },
      }),
    );
  }

  /** Calls until there is a result. `call` returns it, or a failed answer. @throws Failure */
  async function retrying<Result>(
    job: Running,
    call: (progressed: () => void) => Promise<Result | Answer>,
  ): Promise<Result> {
    const { signal } = job.stop;
    let attempt = 0;
    for (;;) {
      const result = await call(() => {
        attempt = 0;
      });
      signal.throwIfAborted();
      if (!isAnswer(result)) return result;
      const outcome = uploadOutcome(result);
      if (outcome !== "retry") throw new Failure({ kind: outcome, answer: result });
      if (!(await isReadable(job.file))) throw new Failure({ kind: "unreadable" });
      events.onWaiting(job.id);
      await waitForRetry(retryDelay(attempt, result), signal);
      attempt += 1;
    }
  }

  async function removeUpload(id: string, signal: AbortSignal): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      const answer = await deleteUpload(token, id);
      if (answer.status < 300 ? answer.status > 0 : uploadOutcome(answer) !== "retry") return;
      await waitForRetry(retryDelay(attempt, answer), signal);
    }
  }

  async function removeJob(job: Running): Promise<void> {
    job.stop.abort();
    await job.done;
    for (let attempt = 0; job.createdUnseen && !job.uploadId; attempt += 1) {
      const lost = await findLostUpload(job);
      if (!isAnswer(lost)) job.createdUnseen = false;
      if (typeof lost === "string") job.uploadId = lost;
      if (isAnswer(lost)) await waitForRetry(retryDelay(attempt, lost), stopped.signal);
    }
  }

  return {
    add(given) {
      const job: Running = {
        ...given,
        uploadId: null,
        createdUnseen: false,
        stop: new AbortController(),
        done: Promise.resolve(),
      };
      running.set(job.id, job);
      job.done = run(job);
    },
    remove(documentId, { id, uploadId }) {
      const job = running.get(id);
      const before = removals.get(documentId);
      const removal = (async () => {
        if (job) await removeJob(job);
        await before;
        const known = job?.uploadId ?? uploadId ?? job?.resume;
        if (known) await removeUpload(known, stopped.signal);
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
      for (const { stop } of running.values()) stop.abort();
    },
  };
}

const isAnswer = (value: unknown): value is Answer =>
  typeof value === "object" && value !== null && "retryAfter" in value;

/** Waits, but not past the moment the browser is online again. @throws when aborted */
function waitForRetry(delay: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener("online", end);
      signal.removeEventListener("abort", end);
      if (signal.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = setTimeout(end, delay);
    addEventListener("online", end);
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
  });
}
