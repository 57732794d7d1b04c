import { infiniteQueryOptions, useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { addDays } from "../../../worker/contract/days";
import type { ExpiringDocument } from "../../../worker/contract/validity";
import { api, type ListPage, listPage } from "../../lib/api";
import { useRefresh } from "../../lib/mutation-meta";
import { pagedRows } from "../../lib/read-pages";
import { today } from "../../lib/time-zone";
import { useAccountTimeZone } from "../auth/auth.queries";

export type { ExpiringDocument };

const KEY = ["documents"];

/** The documents of a workspace that are valid until a day at most, or that are paused, or those of a contact; the soonest first. */
export const expiringQuery = (
  of: { workspaceId: number; until: string } | { workspaceId: number; paused: "1" } | { contactId: number },
) =>
  infiniteQueryOptions({
    queryKey: [...KEY, of],
    ...pagedRows(
      (cursor) =>
        listPage(
          api.documents.expiring.$get({
            query: {
              ...Object.fromEntries(Object.entries(of).map(([name, value]) => [name, String(value)])),
              ...(cursor && { cursor }),
            },
          }),
        ) as Promise<ListPage<ExpiringDocument>>,
    ),
  });

/** How many days ahead the list looks. */
export const EXPIRING_WITHIN = [30, 60, 90] as const;

/** The documents of a workspace that expire within so many days, or have. */
export function useExpiring(workspaceId: number, days: number) {
  const timeZone = useAccountTimeZone();
  return useInfiniteQuery(expiringQuery({ workspaceId, until: addDays(today(timeZone), days) }));
}

/** How many the longest list has, and whether these are only those of its loaded pages. */
export function useExpiringCount(workspaceId: number): { count: number; isMore: boolean } | undefined {
  const { data, hasNextPage } = useExpiring(workspaceId, EXPIRING_WITHIN[2]);
  return data && { count: data.length, isMore: hasNextPage };
}

/** A document is not asked for again any more. */
export function useStopRenewal() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ requestId, documentId }: Pick<ExpiringDocument, "requestId" | "documentId">) =>
      api.requests[":id"].documents[":documentId"].renewal.$delete({
        param: { id: String(requestId), documentId: String(documentId) },
      }),
    onSettled: (_response, _error, { requestId }) => {
      void client.invalidateQueries({ queryKey: KEY });
      void client.invalidateQueries({ queryKey: ["requests", requestId] });
    },
    meta: { failure: { title: "questions:validity.failed" } },
  });
}

/** Goes on with the renewals that an import has paused. */
export const useResumeRenewals = (workspaceId: number) =>
  useMutation({
    mutationFn: () => api.documents.expiring.resume.$post({ json: { workspaceId } }),
    onSettled: useRefresh({ queryKey: KEY }),
    meta: { failure: { title: "questions:validity.failed" } },
  });
