import { DetailedError, Upload } from "tus-js-client";
import { type Answer, NO_ANSWER, parseJson, parseSeconds } from "../request/submission-api";

/** The size of R2's parts, so that the server never combines a part from two requests. */
const CHUNK_BYTES = 8 * 1024 * 1024;
/** A lost connection may never be reported. */
const STALLED_MS = 60_000;

type TransferOptions = {
  url: string;
  file: File;
  onProgress: (uploadedBytes: number) => void;
  signal: AbortSignal;
};

/** Sends the missing bytes of a file. @returns null once all are stored, otherwise what went wrong */
export function transfer({ url, file, onProgress, signal }: TransferOptions): Promise<Answer | null> {
  return new Promise((resolve) => {
    const end = (result: Answer | null) => {
      clearTimeout(stalled);
      signal.removeEventListener("abort", stop);
      resolve(result);
    };
    const stop = () => {
      void upload.abort();
      end(NO_ANSWER);
    };
    let stalled = setTimeout(stop, STALLED_MS);
    const upload = new Upload(file, {
      uploadUrl: url,
      chunkSize: CHUNK_BYTES,
      retryDelays: null,
      storeFingerprintForResuming: false,
      onProgress(uploadedBytes) {
        clearTimeout(stalled);
        stalled = setTimeout(stop, STALLED_MS);
        onProgress(uploadedBytes);
      },
      onSuccess: () => end(null),
      onError: (error) => end(answerOf(error)),
    });
    signal.addEventListener("abort", stop);
    upload.start();
  });
}

function answerOf(error: Error): Answer {
  const response = error instanceof DetailedError ? error.originalResponse : null;
  if (!response) return NO_ANSWER;
  return {
    status: response.getStatus(),
    body: parseJson(response.getBody()),
    retryAfter: parseSeconds(response.getHeader("Retry-After")),
  };
}
