import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import type { BoardRow } from "../../../../worker/contract/envelopes";
import { api, type ListPage, listPage } from "../../../lib/api";
import { pagedList } from "../../../lib/read-pages";
import { type ListOf, queryOf } from "../envelopes.queries";

/** How often the board is read again, since colleagues review at the same time. */
const READ_AGAIN_MS = 30_000;

/** The envelopes of a list with the state of each document. */
export const boardQuery = (list: ListOf) =>
  infiniteQueryOptions({
    queryKey: ["requests", "board", list],
    ...pagedList(
      (cursor) =>
        listPage(
          api.requests.$get({
            query: { ...queryOf(list), limit: "100", view: "board", ...(cursor && { cursor }) },
          }),
        ) as Promise<ListPage<BoardRow>>,
    ),
    // Read once, although the page asks for it before the board is loaded.
    staleTime: 1000,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: "always",
    refetchInterval: READ_AGAIN_MS,
  });
