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
import { useEffect, useRef } from "react";
import type { EnvelopeRow } from "../../../worker/contract/envelopes";
import { isRecord } from "../../../worker/contract/is-record";
import type { FilteredBy } from "../../../worker/contract/list-orders";
import {
  ApiError,
  api,
  byId,
  isChangedMeanwhile,
  isRejection,
  json,
  type ListPage,
  listPage,
} from "../../lib/api";
import { type MutationTexts, toasts } from "../../lib/mutation-meta";
import { randomText } from "../../lib/random-text";
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
} & Pick<ListView, "opened" | "deliveries" | "tab" | "sort" | "filter"> & { by?: FilteredBy };

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

/** All envelopes for a contact, newest first. */
export const contactEnvelopesQuery = (contactId: number) =>
  infiniteQueryOptions({
    queryKey: ["requests", "contact", contactId],
    ...pagedList(
      (cursor) =>
        listPage(
          api.requests.$get({
            query: { contactId: String(contactId), limit: "100", ...(cursor && { cursor }) },
          }),
        ) as Promise<ListPage<Envelope>>,
    ),
  });

type Rows = InfiniteData<ListPage<EnvelopeRow>>;
type Keyed = { queryKey: readonly unknown[] };
const isList = ({ queryKey }: Keyed) => isRecord(queryKey[1]);

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

/** Changes an envelope's row in the cached lists, or removes it. */
function changeRow(
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
const refreshLists = (client: QueryClient) =>
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

/** The envelope was not sent but saved as a draft, until the requestor's address is verified. */
export function isSavedAsDraft(error: unknown): boolean {
  return error instanceof ApiError && "draftId" in error.params;
}

/** Failures after which the envelope is another one than before, which the wizard says. */
const isReportedByWizard = (error: unknown) => isSavedAsDraft(error) || isChangedMeanwhile(error);

const SAVE_TEXTS: Record<"draft" | "sent", Record<"created" | "updated", MutationTexts>> = {
  draft: {
    created: {
      success: { title: "envelopes:save.draftSaved", text: "envelopes:save.draftText" },
      failure: { title: "envelopes:save.createFailed" },
    },
    updated: {
      success: { title: "envelopes:save.draftUpdated", text: "envelopes:save.draftText" },
      failure: { title: "envelopes:save.updateFailed", except: isReportedByWizard },
    },
  },
  sent: {
    created: {
      success: { title: "envelopes:save.created", text: "envelopes:save.sentText" },
      failure: { title: "envelopes:save.createFailed", except: isSavedAsDraft },
    },
    updated: {
      success: { title: "envelopes:save.updated", text: "envelopes:save.sentText" },
      failure: { title: "envelopes:save.updateFailed", except: isReportedByWizard },
    },
  },
};

type EnvelopePayload = Parameters<typeof api.requests.$post>[0]["json"] & { updatedAt: string | null };
type ContactPayload = Parameters<typeof api.contacts.$post>[0]["json"];

/** Creates an envelope, or replaces the one with this id; as a draft or sent. */
export function useSaveEnvelope(kind: "draft" | "sent", id: number | undefined) {
  const client = useQueryClient();
  // The server may have created the contact and the envelope although its response did not arrive.
  const last = useRef<{ typed: string; key: string; contactId?: number }>({ typed: "", key: "" });
  return useMutation({
    mutationFn: async ({ newContact, ...payload }: EnvelopePayload & { newContact?: ContactPayload }) => {
      const typed = JSON.stringify({ ...payload, contactId: null });
      if (typed !== last.current.typed) last.current = { typed, key: randomText() };
      const attempt = last.current;
      const once = (call: string) => ({ headers: { "Idempotency-Key": `${call}-${attempt.key}` } });
      if (newContact)
        attempt.contactId ??= (await json(api.contacts.$post({ json: newContact }, once("contact")))).id;
      const contactId = payload.contactId ?? attempt.contactId ?? null;
      const body = { ...payload, contactId, isDraft: kind === "draft" };
      if (id === undefined) return json(api.requests.$post({ json: body }, once("envelope")));
      return json(api.requests[":id"].$put({ ...byId(id), json: body }));
    },
    onSettled: (_saved, error, { newContact }) => {
      if (isRejection(error)) last.current.typed = "";
      // Also after a failure: then the contact is known when the envelope is sent again.
      if (newContact) void client.invalidateQueries({ queryKey: ["contacts"] });
      if (!error || isReportedByWizard(error)) return client.invalidateQueries({ queryKey: ["requests"] });
    },
    meta: SAVE_TEXTS[kind][id === undefined ? "created" : "updated"],
  });
}

/** Assigns an envelope to the account with the id that the mutation is given. */
export function useAssign({ id, updatedAt }: Pick<Envelope, "id" | "updatedAt">) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (assigneeId: number) =>
      json(api.requests[":id"].$patch({ ...byId(id), json: { assigneeId, updatedAt } })),
    onSuccess: (fresh) => {
      storeEnvelope(client, fresh);
      void client.invalidateQueries({ queryKey: ["requests", id, "timeline"] });
    },
    // Somebody else may have changed it: what is shown then is theirs.
    onError: () => client.invalidateQueries({ queryKey: ["requests"] }),
    meta: toasts("envelopes:assignee.done", "envelopes:assignee.failed"),
  });
}

/** Sends the recipient of an envelope another link. */
export function useReplaceLink(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => json(api.requests[":id"].link.$post(byId(id))),
    onSuccess: (fresh) => {
      storeEnvelope(client, fresh);
      void client.invalidateQueries({ queryKey: ["requests", id, "timeline"] });
    },
    onError: () => client.invalidateQueries({ queryKey: ["requests"] }),
    meta: toasts("envelopes:newLink.done", "envelopes:newLink.failed"),
  });
}

type ValidityChange = { documentId: number; validUntil?: string | null; renewDays?: number | null };

/** Changes until when a document of an envelope is valid, or when it is asked for again. */
export function useChangeValidity(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ documentId, ...changes }: ValidityChange) =>
      json(
        api.requests[":id"].documents[":documentId"].$patch({
          param: { id: String(id), documentId: String(documentId) },
          json: changes,
        }),
      ),
    onSuccess: (fresh) => {
      storeEnvelope(client, fresh);
      void client.invalidateQueries({ queryKey: ["requests", id, "timeline"] });
      void client.invalidateQueries({ queryKey: ["documents"] });
    },
    onError: () => client.invalidateQueries({ queryKey: ["requests"] }),
    meta: { failure: { title: "review:validity.failed" } },
  });
}

/** Watches an envelope, or stops. */
export function useWatchEnvelope(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (watching: boolean) => {
      const { $post, $delete } = api.requests[":id"].watch;
      return (watching ? $post : $delete)(byId(id));
    },
    onSuccess: (_response, watching) => {
      client.setQueryData(envelopeQuery(id).queryKey, (known) => known && { ...known, watching });
    },
    meta: { failure: { title: "envelopes:watch.failed" } },
  });
}

export function useDeleteEnvelope() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => api.requests[":id"].$delete(byId(id)),
    onSuccess: (_response, id) => {
      changeRow(client, id, () => undefined);
      // Not its details, which may still be open.
      void refreshLists(client);
    },
    meta: {
      success: { title: "envelopes:delete.done", text: "envelopes:delete.doneText" },
      failure: { title: "envelopes:delete.failed", text: "envelopes:delete.failedText" },
    },
  });
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
