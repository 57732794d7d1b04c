import type { EnvelopeRow } from "../../../../worker/contract/envelopes";
import { LIMITS } from "../../../../worker/contract/limits";
import { ApiError, api, byId, checkedFetch, json } from "../../../lib/api";
import { startDownload } from "../../../lib/start-download";
import { changeDates } from "../envelopes.queries";

export type BulkAction = "remind" | "due" | "assign" | "accept" | "download" | "delete";

/** Documents of envelopes, by the envelope's id. */
export type DocumentsOf = ReadonlyMap<number, readonly number[]>;

/** What the actions ask for. */
export type BulkInput = {
  /** 0 is nobody. */
  assigneeId: number;
  /** `YYYY-MM-DD`. */
  dueDate: string;
  /** In front of a reminder's text. */
  note: string;
  /** Whether those stay out that were reminded within 24 hours. */
  leavesOutReminded: boolean;
  /** What is accepted, or what the reminders name; by default all that is missing. */
  documentIds: DocumentsOf;
};
export const NO_INPUT: BulkInput = {
  ...{ assigneeId: 0, dueDate: "", note: "", leavesOutReminded: false },
  documentIds: new Map(),
};

/** The number of concurrent calls. */
const AT_ONCE = 4;
const DAY_MS = 24 * 60 * 60 * 1000;

const APPLIES: Record<BulkAction, (envelope: EnvelopeRow, input: BulkInput) => boolean> = {
  remind: ({ status }) => status === "pending",
  due: ({ status }) => status === "pending",
  assign: (envelope, { assigneeId }) => envelope.assigneeId !== assigneeId,
  accept: ({ toReview }) => toReview > 0,
  download: ({ files }) => files > 0,
  delete: () => true,
};

const isRemindedLately = ({ remindedAt }: EnvelopeRow) =>
  remindedAt !== null && Date.parse(remindedAt) > Date.now() - DAY_MS;

/**
 * The effect of an action on these envelopes: those it applies to, the number of their files, and how many are left
 * out, of which `reminded` are those that were reminded within 24 hours.
 */
export function planAction(
  action: BulkAction,
  envelopes: readonly EnvelopeRow[],
  input: BulkInput = NO_INPUT,
) {
  const possible = envelopes.filter((envelope) => APPLIES[action](envelope, input));
  const isReminded = (envelope: EnvelopeRow) => action === "remind" && isRemindedLately(envelope);
  const reminded = possible.filter(isReminded).length;
  const affected = input.leavesOutReminded ? possible.filter((envelope) => !isReminded(envelope)) : possible;
  const files = affected.reduce((sum, envelope) => sum + envelope.files, 0);
  return {
    affected,
    files,
    leftOut: envelopes.length - possible.length,
    reminded,
    tooMany: action === "download" && affected.length > LIMITS.envelopesPerArchive,
  };
}

export type BulkResult = {
  done: number;
  failures: readonly { envelope: EnvelopeRow; error: unknown }[];
  /** How many were not started, because the run was stopped. */
  stopped: number;
};

type RunOptions = { onProgress: (done: number) => void; signal: AbortSignal; input: BulkInput };

const CALLS = {
  remind: (id: number, { note, documentIds }: BulkInput) =>
    api.requests[":id"].remind.$post({
      ...byId(id),
      json: { note, documentIds: [...(documentIds.get(id) ?? [])] },
    }),
  due: async (id: number, { dueDate }: BulkInput) =>
    changeDates(await json(api.requests[":id"].$get(byId(id))), { dueDate }),
  assign: (id: number, { assigneeId }: BulkInput) =>
    api.requests[":id"].$patch({ ...byId(id), json: { assigneeId, updatedAt: null } }),
  accept: (id: number, { documentIds }: BulkInput) =>
    api.requests[":id"].review.$post({ ...byId(id), json: { accept: [...(documentIds.get(id) ?? [])] } }),
  delete: (id: number) => api.requests[":id"].$delete(byId(id)),
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
  { onProgress, signal, input }: RunOptions,
): Promise<BulkResult> {
  const waiting = envelopes.values();
  const failures: BulkResult["failures"][number][] = [];
  let done = 0;
  const work = async () => {
    for (const envelope of waiting) {
      if (signal.aborted) return;
      await withPauses(() => CALLS[action](envelope.id, input), signal).then(
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
    await downloadFile(`files.zip?ids=${envelopes.map(({ id }) => id).join(",")}`);
    return { done: envelopes.length, failures: [], stopped: 0 };
  } catch (error) {
    return { done: 0, failures: envelopes.slice(0, 1).map((envelope) => ({ envelope, error })), stopped: 0 };
  }
}

/** Starts a browser download of what several envelopes have in one file. @throws ApiError if it is not available */
export async function downloadFile(path: `files.zip?${string}` | `answers.csv?${string}`): Promise<void> {
  const href = `/api/requests/${path}`;
  // The browser would otherwise save an error response as a broken file.
  await checkedFetch(href, { method: "HEAD" });
  startDownload(href, "");
}
