import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { EnvelopeRow } from "../../../../worker/contract/envelopes";
import { hasToReview } from "../../../../worker/contract/request-words";
import { ApiError } from "../../../lib/api";
import { useMore } from "../../../lib/read-pages";
import { SELECTED_MAX } from "../bulk/select-row";
import { type Envelope, envelopeQuery, rowsQuery } from "../envelopes.queries";
import type { ListView } from "../list-view";
import { useListOf } from "../use-list-of";
import { pendingReturnsOf, unsentReturns } from "./pending-returns";
import { reviewItems, undecidedAnswers } from "./review-items";

/** The list that the review mode was opened from: as in the URL of home, or of a contact. */
export type QueueView = ListView & { contactId?: number };

const NO_ROWS: readonly EnvelopeRow[] = [];

/** Whether something of an envelope can be shown and is not decided, also by a return that is not sent yet. */
function isLeft(envelope: Envelope): boolean {
  const { id, status, review } = envelope;
  const pendingReturns = unsentReturns(envelope, pendingReturnsOf(id));
  const undecided = undecidedAnswers(envelope, { open: true, pendingReturns });
  const isToReview = hasToReview({ status, toReview: review.toReview });
  return isToReview && Boolean(undecided?.length) && reviewItems(envelope).length > 0;
}

/** The envelopes with something to review of the list that the review mode was opened from, in its order. */
export function useReviewQueue(envelope: Envelope, view: QueueView, onOpen: (envelopeId: number) => void) {
  const client = useQueryClient();
  const { part } = useListOf(envelope.workspaceId, view);
  const list = { ...part, contactId: view.contactId };
  const query = useInfiniteQuery({ ...rowsQuery({ ...list, tab: "toReview" }), refetchOnMount: "always" });
  const rows = query.data ?? NO_ROWS;
  const order = useRef<readonly number[]>([]);
  order.current = withNew(order.current, rows);
  const visited = useRef(new Set<number>());
  visited.current.add(envelope.id);
  const at = order.current.indexOf(envelope.id);
  const following = new Set(order.current.slice(at + 1));
  const left = rows.filter((row) => {
    const known = client.getQueryData(envelopeQuery(row.id).queryKey);
    return row.id !== envelope.id && hasToReview(row) && (!known || isLeft(known));
  });
  const others = [
    ...left.filter(({ id }) => following.has(id)),
    ...left.filter(({ id }) => !following.has(id)),
  ];
  const more = useMore(query);
  useEffect(() => {
    if (others.length < 2) void more?.();
  });
  // The envelope is loaded before the URL names it, so that the review mode stays open.
  const going = useMutation({
    mutationFn: async ({ ids, back = false }: { ids: readonly number[]; back?: boolean }) => {
      for (const id of ids) {
        const fresh = await client.fetchQuery(envelopeQuery(id)).catch((error: unknown) => {
          if (error instanceof ApiError && error.status === 404) return undefined;
          throw error;
        });
        // Somebody else may have reviewed or deleted it.
        if (fresh && (back || isLeft(fresh))) return onOpen(id);
      }
      await query.refetch();
    },
    meta: { failure: { title: "review:queue.failed" } },
  });
  const previous = order.current.findLast(
    (id, index) => index < at && (visited.current.has(id) || left.some((row) => row.id === id)),
  );
  return {
    /** The envelope after this one, and then from the start of the list. */
    next: others[0],
    /** How many are left beside this one, as text. */
    left: `${others.length}${query.hasNextPage ? "+" : ""}`,
    isEmpty: query.isSuccess && others.length === 0 && !query.hasNextPage,
    going: going.isPending,
    goNext: () => others.length > 0 && !going.isPending && going.mutate({ ids: others.map(({ id }) => id) }),
    goPrevious: previous === undefined ? undefined : () => going.mutate({ ids: [previous], back: true }),
    list,
  };
}

/** The ids in the order of the list. Those that it does not have any more keep their position. */
function withNew(known: readonly number[], rows: readonly EnvelopeRow[]): readonly number[] {
  const seen = new Set(known);
  if (rows.every(({ id }) => seen.has(id))) return known;
  const order = [...known];
  let at = 0;
  for (const { id } of rows) {
    if (seen.has(id)) at = order.indexOf(id);
    else order.splice(at, 0, id);
    at += 1;
  }
  return order;
}

/** What is overdue in the list, as far as it can be reminded at once. */
export function useOverdue(list: ReturnType<typeof useReviewQueue>["list"]) {
  const query = useInfiniteQuery(rowsQuery({ ...list, tab: "overdue" }));
  const more = useMore(query);
  const rows = query.data ?? NO_ROWS;
  useEffect(() => {
    if (rows.length < SELECTED_MAX) void more?.();
  }, [rows.length, more]);
  return { rows: rows.slice(0, SELECTED_MAX), isMore: query.hasNextPage };
}
