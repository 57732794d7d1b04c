import type { EnvelopeRow } from "../../../../worker/contract/envelopes";
import { LIMITS } from "../../../../worker/contract/limits";
import { ApiError, api, checkedFetch } from "../../../lib/api";
import { startDownload } from "../../../lib/start-download";

export type BulkAction = "remind" | "assign" | "download" | "delete";

/** The number of concurrent calls. */
const AT_ONCE = 4;

const APPLIES: Record<BulkAction, (envelope: EnvelopeRow, assigneeId: number) => boolean> = {
  remind: ({ status }) => status === "pending",
  assign: (envelope, assigneeId) => envelope.assigneeId !== assigneeId,
  download: ({ files }) => files > 0,
  delete: () => true,
};

/**
 * The effect of an action on these envelopes: those it applies to, the number of their files, and how many are left
 * out. An assignee of 0 is nobody.
 */
export function planAction(action: BulkAction, envelopes: readonly EnvelopeRow[], assigneeId: number) {
  const affected = envelopes.filter((envelope) => APPLIES[action](envelope, assigneeId));
  const files = affected.reduce((sum, envelope) => sum + envelope.files, 0);
  return {
    affected,
    files,
    leftOut: envelopes.length - affected.length,
    tooMany: action === "download" && affected.length > LIMITS.envelopesPerArchive,
  };
}

export type BulkResult = {
  done: number;
  failures: readonly { envelope: EnvelopeRow; error: unknown }[];
  /** How many were not started, because the run was stopped. */
  stopped: number;
};

type RunOptions = { onProgress: (done: number) => void; signal: AbortSignal; assigneeId?: number };

const CALLS = {
  assign: (id: string, assigneeId: number) =>
    api.requests[":id"].$patch({ param: { id }, json: { assigneeId, updatedAt: null } }),
  remind: (id: string) => api.requests[":id"].remind.$post({ param: { id }, json: {} }),
  delete: (id: string) => api.requests[":id"].$delete({ param: { id } }),
};

/** Does the action with all envelopes, and reports each one that is done. */
export function runAction(
  action: BulkAction,
  envelopes: readonly EnvelopeRow[],
  options: RunOptions,
): Promise<BulkResult> {
  return action === "download" ? downloadAll(envelopes) : runEach(action, envelopes, options);
}

/** Runs a few calls at once. A failure does not stop the others. */
async function runEach(
  action: keyof typeof CALLS,
  envelopes: readonly EnvelopeRow[],
  { onProgress, signal, assigneeId = 0 }: RunOptions,
): Promise<BulkResult> {
  const waiting = envelopes.values();
  const failures: BulkResult["failures"][number][] = [];
  let done = 0;
  const work = async () => {
    for (const envelope of waiting) {
      if (signal.aborted) return;
      await withPauses(() => CALLS[action](String(envelope.id), assigneeId), signal).then(
        () => {
          done += 1;
        },
        (error: unknown) => failures.push({ envelope, error }),
      );
      onProgress(done + failures.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { done, failures, stopped: envelopes.length - done - failures.length };
}

/** Waits if the account has made too many changes in this minute, then goes on. */
async function withPauses(call: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      await call();
      return;
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "too_many_changes") throw error;
      await pause(error.retryAfterSeconds * 1000, signal);
      if (signal.aborted) throw error;
    }
  }
}

/** Resolves after this many milliseconds, or once the signal is aborted. */
const pause = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** The archive is one call, which fails as a whole. */
async function downloadAll(envelopes: readonly EnvelopeRow[]): Promise<BulkResult> {
  try {
    await downloadArchive(`ids=${envelopes.map(({ id }) => id).join(",")}`);
    return { done: envelopes.length, failures: [], stopped: 0 };
  } catch (error) {
    return { done: 0, failures: envelopes.slice(0, 1).map((envelope) => ({ envelope, error })), stopped: 0 };
  }
}

/** Starts a browser download of one archive with the envelopes' files. @throws ApiError if it is not available */
export async function downloadArchive(query: `ids=${string}` | `contactId=${number}`): Promise<void> {
  const href = `/api/requests/files.zip?${query}`;
  // The browser would otherwise save an error response as a broken file.
  await checkedFetch(href, { method: "HEAD" });
  startDownload(href, "");
}
