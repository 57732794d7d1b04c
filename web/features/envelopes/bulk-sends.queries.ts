import { queryOptions, useMutation } from "@tanstack/react-query";
import { ApiError, api, byId, json } from "../../lib/api";
import { useRefresh } from "../../lib/mutation-meta";

/** While recipients are waiting, how often their number is read. */
const POLL_MS = 1000;

const readBulkSend = (id: number) => json(api.requests.bulk[":id"].$get(byId(id)));

const readBulkSends = (workspaceId: number) =>
  json(api.requests.bulk.$get({ query: { workspaceId: String(workspaceId) } }));

/** A request that was sent to several recipients at once. */
export type BulkSend = Awaited<ReturnType<typeof readBulkSends>>[number];

/** The latest ones of a workspace. */
export const bulkSendsQuery = (workspaceId: number) =>
  queryOptions({
    queryKey: ["requests", "bulk-sends", { workspaceId }],
    queryFn: () => readBulkSends(workspaceId),
    refetchInterval: ({ state }) => (state.data?.some(({ finished }) => !finished) ? POLL_MS : false),
  });

export const bulkSendQuery = (id: number) =>
  queryOptions({
    queryKey: ["requests", "bulk-sends", id],
    queryFn: () => readBulkSend(id),
    refetchInterval: ({ state }) => (state.data && !state.data.finished ? POLL_MS : false),
  });

/** The recipients without an envelope, and what they were to get. */
export type UnsentRequest = NonNullable<Awaited<ReturnType<typeof readBulkSend>>["unsent"]>;

type BulkPayload = Parameters<typeof api.requests.bulk.$post>[0]["json"];

/** What is wrong with no field. */
const isShownInForm = (error: unknown) => error instanceof ApiError && error.issues.length === 0;

/** Sends an envelope to several recipients. The same key sends it once, however often it is tried. */
export const useSendToSeveral = () =>
  useMutation({
    mutationFn: ({ payload, key }: { payload: BulkPayload; key: string }) =>
      json(api.requests.bulk.$post({ json: payload }, { headers: { "Idempotency-Key": key } })),
    onSuccess: useRefresh("requests"),
    meta: {
      success: { title: "several:accepted", text: "several:acceptedText" },
      failure: { title: "several:failed", except: isShownInForm },
    },
  });
