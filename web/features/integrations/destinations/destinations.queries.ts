import { infiniteQueryOptions, queryOptions, useMutation } from "@tanstack/react-query";
import type { GrantedKind } from "../../../../worker/contract/destination-kinds";
import type { DELIVERY_STATES } from "../../../../worker/contract/destinations";
import { LIMITS } from "../../../../worker/contract/limits";
import { api, byId, json, listPage } from "../../../lib/api";
import { toasts, useRefresh } from "../../../lib/mutation-meta";
import { pagedList, pagedRows } from "../../../lib/read-pages";
import type { Contact } from "../../contacts/contacts.queries";
import type { Envelope } from "../../envelopes/envelopes.queries";

const KEY = ["destinations"];
/** What a change is shown in: workspaces say whether something was not delivered. */
const CHANGED = ["destinations", "workspaces"];
/** How often the list is loaded again while files are on their way. */
const POLL_MS = 3000;

const readDestinations = (workspaceId: number) =>
  json(api.destinations.$get({ query: { workspaceId: String(workspaceId) } }));

export type Destination = Awaited<ReturnType<typeof readDestinations>>[number];

/** A workspace's destinations, loaded each time the list is shown. */
export const destinationsQuery = (workspaceId: number) =>
  queryOptions({
    queryKey: [...KEY, "of", workspaceId],
    staleTime: 0,
    queryFn: () => readDestinations(workspaceId),
    refetchInterval: ({ state }) =>
      state.data?.some((one) => one.state === "active" && one.waiting > 0) ? POLL_MS : false,
  });

/** Which kinds the operator has set up. */
export const destinationKindsQuery = queryOptions({
  queryKey: [...KEY, "kinds"],
  queryFn: () => json(api.destinations.kinds.$get()),
});

export type DeliveryState = (typeof DELIVERY_STATES)[number];

const readDeliveries = (id: number, state: DeliveryState | undefined, cursor: string | undefined) =>
  listPage(
    api.destinations[":id"].deliveries.$get({
      ...byId(id),
      query: { limit: "50", ...(state && { state }), ...(cursor && { cursor }) },
    }),
  );

export type FileDelivery = Awaited<ReturnType<typeof readDeliveries>>["rows"][number];

/** What was delivered and what waits, newest first. */
export const fileDeliveriesQuery = (id: number, state: DeliveryState | undefined) =>
  infiniteQueryOptions({
    queryKey: [...KEY, id, "deliveries", state],
    ...pagedList((cursor) => readDeliveries(id, state, cursor)),
    staleTime: 0,
  });

const readFolders = (id: number, query: { parent?: string; address?: string; cursor?: string }) =>
  listPage(api.destinations[":id"].folders.$get({ ...byId(id), query }));

export type CloudFolder = Awaited<ReturnType<typeof readFolders>>["rows"][number];

/** The folders in a folder, or in the uppermost one, a page at a time. */
export const foldersQuery = (id: number, parent: string | undefined) =>
  infiniteQueryOptions({
    queryKey: [...KEY, id, "folders", parent],
    ...pagedRows((cursor) => readFolders(id, { ...(parent && { parent }), ...(cursor && { cursor }) })),
  });

/** Finds the folder of an address as SharePoint's address bar shows it. */
export const useFindFolder = (id: number) =>
  useMutation({
    mutationFn: async (address: string) => (await readFolders(id, { address })).rows,
  });

/** The latest envelopes, with which a rule is previewed. */
export const examplesQuery = (workspaceId: number) =>
  queryOptions({
    queryKey: ["requests", "examples", workspaceId],
    queryFn: async () => {
      const query = { workspaceId: String(workspaceId), limit: "3" };
      return (await json(api.requests.$get({ query }))) as Envelope[];
    },
  });

/** The contacts of a workspace by name, among which some may share a folder: as many as one call reads. */
export const clientsQuery = (workspaceId: number) =>
  queryOptions({
    queryKey: ["contacts", "clients", workspaceId],
    queryFn: () =>
      json(
        api.contacts.$get({
          query: { workspaceId: String(workspaceId), sort: "name", limit: String(LIMITS.pageMax) },
        }),
      ),
  });
export type Client = Pick<Contact, "firstName" | "lastName" | "email" | "company" | "folder">;

export type NewDestination = Parameters<typeof api.destinations.$post>[0]["json"];
export type DestinationChanges = Parameters<(typeof api.destinations)[":id"]["$patch"]>[0]["json"];

export const useAddDestination = () =>
  useMutation({
    mutationFn: (input: NewDestination) => json(api.destinations.$post({ json: input })),
    onSuccess: useRefresh(...CHANGED),
    meta: toasts("destinations:added", "destinations:addFailed"),
  });

export const useChangeDestination = (id: number) =>
  useMutation({
    mutationFn: (changes: DestinationChanges) =>
      json(api.destinations[":id"].$patch({ ...byId(id), json: changes })),
    onSettled: useRefresh(...CHANGED),
    meta: toasts("destinations:changed", "destinations:changeFailed"),
  });

/** Leads to the page of Microsoft or Google, to connect a destination or to renew its grant. */
export const useConnect = (workspaceId: number) =>
  useMutation({
    mutationFn: (of: { kind: GrantedKind; destinationId?: number }) =>
      json(api.destinations.connect.$post({ json: { workspaceId, ...of } })),
    onSuccess: ({ url }) => location.assign(url),
    meta: { failure: { title: "destinations:connectFailed" } },
  });

const testDestination = (id: number) => json(api.destinations[":id"].test.$post(byId(id)));
export type TestResponse = Awaited<ReturnType<typeof testDestination>>;

export const useTestDestination = (id: number) =>
  useMutation({
    mutationFn: () => testDestination(id),
    onSuccess: useRefresh(...CHANGED),
    meta: { failure: { title: "destinations:test.failed" } },
  });

/** What `useBackfill` would deliver, counted each time it is asked. */
export const backfillQuery = (id: number, from: string | undefined) =>
  queryOptions({
    queryKey: [...KEY, id, "backfill", from],
    staleTime: 0,
    gcTime: 0,
    queryFn: () =>
      json(api.destinations[":id"].backfill.$get({ ...byId(id), query: { ...(from && { from }) } })),
  });

/** Delivers what was submitted earlier, from this time on or ever. */
export const useBackfill = (id: number) =>
  useMutation({
    mutationFn: (from: string | undefined) =>
      json(api.destinations[":id"].backfill.$post({ ...byId(id), json: { ...(from && { from }) } })),
    onSuccess: useRefresh(...CHANGED),
    meta: { failure: { title: "destinations:backfill.failed" } },
  });

export const useRedeliverFile = (id: number) =>
  useMutation({
    mutationFn: (deliveryId: number) =>
      json(
        api.destinations[":id"].deliveries[":deliveryId"].redeliver.$post({
          param: { id: String(id), deliveryId: String(deliveryId) },
        }),
      ),
    onSuccess: useRefresh(...CHANGED),
    meta: toasts("destinations:log.queued", "destinations:log.failed"),
  });

export const useRemoveDestination = () =>
  useMutation({
    mutationFn: (id: number) => api.destinations[":id"].$delete(byId(id)),
    onSettled: useRefresh(...CHANGED),
    meta: toasts("destinations:remove.done", "destinations:remove.failed"),
  });
