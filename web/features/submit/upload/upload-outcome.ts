import { type Answer, codeOf } from "../request/submission-api";

/**
 * What an unsuccessful response means for an upload: retry it, it no longer exists, the link is closed, or the server
 * rejects the file.
 */
export type UploadOutcome = "retry" | "gone" | "closed" | "rejected";

/** Temporary: a lock expires within seconds, and a new request continues at the server's offset. */
const PASSING = new Set(["offset_mismatch", "upload_interrupted", "checksum_mismatch"]);

export function uploadOutcome(answer: Answer): UploadOutcome {
  const { status } = answer;
  const code = codeOf(answer);
  if (status === 410 || code === "submission_not_found") return "closed";
  if (status === 404) return "gone";
  if (status === 507) return "rejected";
  if (status === 0 || status >= 500 || [408, 423, 429].includes(status)) return "retry";
  return code !== null && PASSING.has(code) ? "retry" : "rejected";
}

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 15_000;
const MAX_WAIT_S = 60;

/** How long to wait before the next attempt; `attempt` counts failures without progress in between. */
export function retryDelay(attempt: number, { retryAfter }: Answer): number {
  const delay = Math.min(FIRST_DELAY_MS * 2 ** attempt, MAX_DELAY_MS);
  return Math.max(delay, Math.min(retryAfter ?? 0, MAX_WAIT_S) * 1000);
}
