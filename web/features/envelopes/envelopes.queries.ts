import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useEffect } from "react";
import type { EnvelopeRow } from "../../../worker/contract/envelopes";
import { isRecord } from "../../../worker/contract/is-record";
import type { FilteredBy } from "../../../worker/contract/list-orders";
import { api, byId, json, type ListPage, listPage } from "../../lib/api";
import { pagedList } from "../../lib/read-pages";
import { type Envelope, rowOf } from "./envelope";
import { firstPageQuery } from "./first-page";
import { type ListView, parseCounts } from "./list-view";

export type { Envelope, Submission } from "./envelope";

/** What the server lists: the rows of a workspace that a search and the list's state find. */
export type ListOf = {
  workspaceId: number;
  search?: string | undefined;
  /** The id of an account. */
  assignee?: number | undefined;
  bulkId?: number | undefined;
  contactId?: number | undefined;
  templateId?: number | undefined;
  ids?: string | undefined;
} & Pick<ListView, "opened" | "messages" | "deliveries" | "tab" | "sort" | "filter"> & { by?: FilteredBy };

export const queryOf = ({ workspaceId, assignee, bulkId, contactId, templateId, ...part }: ListOf) => ({
  ...firstPageQuery(workspaceId),
  ...(assignee && { assignee: String(assignee) }),
  ...(bulkId && { bulkId: String(bulkId) }),
  ...(contactId && { contactId: String(contactId) }),
  ...(templateId && { templateId: String(templateId) }),
  ...part,
});

/** Pages after the first one, so that a long way down takes few calls. */
const NEXT_PAGE = "500";

const readRows = (list: ListOf, cursor: string | undefined) =>
  listPage(
    api.requests.$get({ query: { ...queryOf(list), ...(cursor && { cursor, limit: NEXT_PAGE }) } }),
  ) as Promise<ListPage<EnvelopeRow>>;

/** The rows of a list in its order, as far as they are loaded. */
export const rowsQuery = (list: ListOf) =>
  infiniteQueryOptions({
    queryKey: ["requests", list],
    ...pagedList((cursor) => readRows(list, cursor)),
  });

/** The number of envelopes per tab. */
export const countsQuery = (list: Omit<ListOf, "tab" | "sort">) =>
  queryOptions({
    queryKey: ["requests", "counts", list],
    queryFn: async () => {
      const response = await api.requests.$get({ query: { ...queryOf(list), limit: "1", counts: "1" } });
      // The connection is busy until the body is read.
      await response.text();
      return parseCounts(response.headers.get("Envelope-Counts"));
    },
    placeholderData: keepPreviousData,
  });

type Rows = InfiniteData<ListPage<EnvelopeRow>>;
const isList = ({ queryKey }: { queryKey: readonly unknown[] }) => isRecord(queryKey[1]);

/** One envelope, loaded each time it is opened. The result also updates the cached lists. */
export const envelopeQuery = (id: number) =>
  queryOptions({
    queryKey: ["requests", id],
    staleTime: 0,
    queryFn: async ({ client }) => {
      const fresh = await json(api.requests[":id"].$get(byId(id)));
      changeRow(client, id, (row) => ({ ...row, ...rowOf(fresh) }));
      return fresh;
    },
  });

type Dates = Pick<Envelope, "expirationDate" | "dueDate" | "reminderDays">;

/** Changes dates of an envelope that was sent. */
export const changeDates = ({ id, ...envelope }: Envelope, changes: Partial<Dates>) =>
  json(api.requests[":id"].$put({ ...byId(id), json: { ...envelope, isDraft: false, ...changes } }));

/** Changes an envelope's row in the cached lists, or removes it. */
export function changeRow(
  client: QueryClient,
  id: number,
  change: (row: EnvelopeRow) => EnvelopeRow | undefined,
): void {
  const changed = (rows: EnvelopeRow[]) => rows.flatMap((row) => (row.id === id ? (change(row) ?? []) : row));
  client.setQueriesData<Rows>(
    { queryKey: ["requests"], predicate: isList },
    (list) => list && { ...list, pages: list.pages.map((page) => ({ ...page, rows: changed(page.rows) })) },
  );
}

/** Reads the lists and their counts again: a change may have moved the envelope into another tab. */
export const refreshLists = (client: QueryClient) =>
  client.invalidateQueries({
    queryKey: ["requests"],
    predicate: ({ queryKey }) => typeof queryKey[1] !== "number",
  });

/** Updates the envelope's details and its row with the response of a call, and reads the lists again. */
export function storeEnvelope(client: QueryClient, fresh: Envelope): void {
  client.setQueryData(envelopeQuery(fresh.id).queryKey, fresh);
  changeRow(client, fresh.id, (row) => ({ ...row, ...rowOf(fresh) }));
  void refreshLists(client);
}

/** Marks the envelope as opened, once its details are open and something in it is new. */
export function useMarkSeen(id: number | undefined): void {
  const client = useQueryClient();
  // Only observed: the details load it.
  const { data } = useQuery({ ...envelopeQuery(id ?? 0), enabled: false });
  const { mutate } = useMutation({
    mutationFn: (seen: { id: number; completedAt: string }) =>
      api.requests[":id"].seen.$post({
        ...byId(seen.id),
        json: { completedAt: seen.completedAt },
      }),
    onSuccess: (_response, { id }) => {
      client.setQueryData(envelopeQuery(id).queryKey, (known) => known && { ...known, isNew: false });
      changeRow(client, id, (row) => ({ ...row, isNew: false }));
      void refreshLists(client);
    },
  });
  const completedAt = data?.isNew ? data.completedAt : null;
  useEffect(() => {
    if (id !== undefined && completedAt) mutate({ id, completedAt });
  }, [id, completedAt, mutate]);
}
