import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  skipToken,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { LIMITS } from "../../../worker/contract/limits";
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
import { type MutationTexts, toasts, useRefresh } from "../../lib/mutation-meta";
import { randomText } from "../../lib/random-text";
import { readAllPages } from "../../lib/read-pages";
import { type Envelope, readEnvelopePage } from "./envelope";
import { firstPageQuery } from "./first-page";
import { type Counts, countTabs, parseCounts } from "./list-view";

export type { Envelope, Submission } from "./envelope";

/** The first page, and the counts that come with it. */
async function readFirstPage(client: QueryClient, workspaceId: number) {
  const call = api.requests.$get({ query: firstPageQuery(workspaceId) });
  const counts = parseCounts((await call).headers.get("Envelope-Counts"));
  if (counts) client.setQueryData(countsKey(workspaceId), counts);
  return listPage(call) as Promise<ListPage<Envelope>>;
}

const listKey = (workspaceId: number) => ["requests", { workspaceId }] as const;

/** All envelopes of a workspace, newest first. The first page is shown while the rest is loading. */
export const envelopesQuery = (workspaceId: number) =>
  queryOptions({
    queryKey: listKey(workspaceId),
    queryFn: ({ client, queryKey }) =>
      readAllPages(
        client,
        queryKey,
        (cursor) =>
          cursor === undefined
            ? readFirstPage(client, workspaceId)
            : readEnvelopePage(workspaceId, { cursor }),
        (rows, requestedAt) => withNewer(client, rows, requestedAt),
      ),
  });

/**
 * What the server finds for a search, while not all envelopes of the workspace are loaded; undefined if the loaded ones
 * are to be searched. While one is typing, the results before stay.
 */
export function useFound(workspaceId: number, q: string | undefined, loaded: readonly Envelope[]) {
  const search = q?.trim().slice(0, LIMITS.search).trim() ?? "";
  const counted = useCounted(workspaceId);
  const { data } = useQuery({
    queryKey: ["requests", { workspaceId, search }],
    queryFn: ({ client, queryKey }) =>
      readAllPages(client, queryKey, (cursor) => readEnvelopePage(workspaceId, { cursor, search })),
    enabled: search !== "" && counted !== undefined && counted.all > loaded.length,
    placeholderData: keepPreviousData,
  });
  return search !== "" && counted && counted.all > loaded.length ? data : undefined;
}

/** All envelopes for a contact, newest first. */
export const contactEnvelopesQuery = (contactId: number) =>
  queryOptions({
    queryKey: ["requests", { contactId }],
    queryFn: ({ client, queryKey }) =>
      readAllPages(
        client,
        queryKey,
        (cursor) =>
          listPage(
            api.requests.$get({ query: { contactId: String(contactId), ...(cursor && { cursor }) } }),
          ) as Promise<ListPage<Envelope>>,
      ),
  });

/** The rows, with what was loaded or changed in the details of an envelope after the rows were requested. */
function withNewer(client: QueryClient, rows: Envelope[], requestedAt: number): Envelope[] {
  const newer = new Map<number, Envelope>();
  const details = client.getQueryCache().findAll({ queryKey: ["requests"], predicate: isDetails });
  for (const { state } of details) {
    if (!state.data || state.dataUpdatedAt < requestedAt) continue;
    const envelope = state.data as Envelope;
    newer.set(envelope.id, envelope);
  }
  return newer.size === 0 ? rows : rows.map((row) => newer.get(row.id) ?? row);
}

const countsKey = (workspaceId: number) => ["request-counts", workspaceId] as const;

function useCounted(workspaceId: number | undefined): Counts | undefined {
  const { data } = useQuery<Counts>({ queryKey: countsKey(workspaceId ?? 0), queryFn: skipToken });
  return data;
}

/** The number of envelopes per tab: the server's counts of a workspace until all are loaded. */
export function useCounts(workspaceId: number | undefined, loaded: readonly Envelope[]): Counts {
  const counted = useCounted(workspaceId);
  const own = useMemo(() => countTabs(loaded), [loaded]);
  return counted && counted.all > loaded.length ? counted : own;
}

type Keyed = { queryKey: readonly unknown[] };
const isList = ({ queryKey }: Keyed) => typeof queryKey[1] === "object";
const isDetails = ({ queryKey }: Keyed) => queryKey.length === 2 && typeof queryKey[1] === "number";

/** One envelope, loaded each time it is opened. The result also updates the cached lists. */
export const envelopeQuery = (id: number) =>
  queryOptions({
    queryKey: ["requests", id],
    staleTime: 0,
    queryFn: async ({ client }) => {
      const fresh = await json(api.requests[":id"].$get(byId(id)));
      changeInLists(client, fresh.id, () => fresh);
      return fresh;
    },
  });

/** Updates the envelope's details and the lists with the response of a call. */
export function storeEnvelope(client: QueryClient, fresh: Envelope): void {
  client.setQueryData(envelopeQuery(fresh.id).queryKey, fresh);
  changeInLists(client, fresh.id, () => fresh);
}

function changeInLists(client: QueryClient, id: number, change: (envelope: Envelope) => Envelope): void {
  client.setQueriesData<Envelope[]>({ queryKey: ["requests"], predicate: isList }, (list) =>
    list?.map((envelope) => (envelope.id === id ? change(envelope) : envelope)),
  );
}

/** Changes what is cached of an envelope, in its details and in the lists. */
export function changeCached(
  client: QueryClient,
  id: number,
  change: (envelope: Envelope) => Envelope,
): void {
  client.setQueryData(envelopeQuery(id).queryKey, (known) => known && change(known));
  changeInLists(client, id, change);
}

/** The envelope from a cached list. */
export function cachedEnvelope(client: QueryClient, id: number): Envelope | undefined {
  const lists = client.getQueriesData<Envelope[]>({ queryKey: ["requests"], predicate: isList });
  for (const [, list] of lists) {
    const found = list?.find((envelope) => envelope.id === id);
    if (found) return found;
  }
  return undefined;
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

/** Watches an envelope, or stops. */
export function useWatchEnvelope(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (watching: boolean) => {
      const { $post, $delete } = api.requests[":id"].watch;
      return (watching ? $post : $delete)(byId(id));
    },
    onSuccess: (_response, watching) => changeCached(client, id, (envelope) => ({ ...envelope, watching })),
    meta: { failure: { title: "envelopes:watch.failed" } },
  });
}

export const useDeleteEnvelope = () =>
  useMutation({
    mutationFn: (id: number) => api.requests[":id"].$delete(byId(id)),
    onSuccess: useRefresh({ queryKey: ["requests"] }),
    meta: {
      success: { title: "envelopes:delete.done", text: "envelopes:delete.doneText" },
      failure: { title: "envelopes:delete.failed", text: "envelopes:delete.failedText" },
    },
  });

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
    onSuccess: (_response, { id, completedAt }) =>
      changeCached(client, id, (envelope) =>
        envelope.completedAt === completedAt ? { ...envelope, isNew: false } : envelope,
      ),
  });
  const completedAt = data?.isNew ? data.completedAt : null;
  useEffect(() => {
    if (id !== undefined && completedAt) mutate({ id, completedAt });
  }, [id, completedAt, mutate]);
}
