import { LIMITS } from "../../../../worker/contract/limits";
import { api, checkedFetch } from "../../../lib/api";
import type { Envelope } from "../envelopes.queries";

export type BulkAction = "remind" | "download" | "delete";

/** The number of concurrent calls. */
const AT_ONCE = 4;

const hasFiles = ({ submissions }: Envelope) => submissions.some(({ url, superseded }) => url && !superseded);

const APPLIES: Record<BulkAction, (envelope: Envelope) => boolean> = {
  remind: ({ status }) => status === "pending",
  download: hasFiles,
  delete: () => true,
};

/**
 * The effect of an action on these envelopes: those it applies to, the number of their files, and how many are left
 * out.
 */
export function planAction(action: BulkAction, envelopes: readonly Envelope[]) {
  const affected = envelopes.filter(APPLIES[action]);
  const files = affected.reduce(
    (sum, { submissions }) => sum + submissions.filter(({ url }) => url).length,
    0,
  );
  return {
    affected,
    files,
    leftOut: envelopes.length - affected.length,
    tooMany: action === "download" && affected.length > LIMITS.envelopesPerArchive,
  };
}

export type BulkResult = {
  done: number;
  failures: readonly { envelope: Envelope; error: unknown }[];
  /** How many were not begun, because the run was stopped. */
  stopped: number;
};

type RunOptions = { onProgress: (done: number) => void; signal: AbortSignal };

const CALLS = {
  remind: (id: string) => api.requests[":id"].remind.$post({ param: { id } }),
  delete: (id: string) => api.requests[":id"].$delete({ param: { id } }),
};

/** Does the action with all envelopes, and reports each one that is done. */
export function runAction(
  action: BulkAction,
  envelopes: readonly Envelope[],
  options: RunOptions,
): Promise<BulkResult> {
  return action === "download" ? downloadAll(envelopes) : runEach(action, envelopes, options);
}

/** Runs a few calls at once. A failure does not stop the others. */
async function runEach(
  action: keyof typeof CALLS,
  envelopes: readonly Envelope[],
  { onProgress, signal }: RunOptions,
): Promise<BulkResult> {
  const waiting = envelopes.values();
  const failures: BulkResult["failures"][number][] = [];
  let done = 0;
  const work = async () => {
    for (const envelope of waiting) {
      if (signal.aborted) return;
      await CALLS[action](String(envelope.id)).then(
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

/** The archive is one call, which fails as a whole. */
async function downloadAll(envelopes: readonly Envelope[]): Promise<BulkResult> {
  try {
    await downloadArchive(envelopes);
    return { done: envelopes.length, failures: [], stopped: 0 };
  } catch (error) {
    return { done: 0, failures: envelopes.slice(0, 1).map((envelope) => ({ envelope, error })), stopped: 0 };
  }
}

/** Starts a browser download of one archive with the envelopes' files. @throws ApiError if it is not available */
async function downloadArchive(envelopes: readonly Envelope[]): Promise<void> {
  const href = `/api/requests/files.zip?ids=${envelopes.map(({ id }) => id).join(",")}`;
  // The browser would otherwise save an error response as a broken file.
  await checkedFetch(href, { method: "HEAD" });
  const link = document.createElement("a");
  link.href = href;
  link.download = "";
  link.click();
}
