import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, json } from "../../../lib/api";

const readWebhooks = () => json(api.webhooks.$get());
const readDeliveries = (id: number) =>
  json(api.webhooks[":id"].deliveries.$get({ param: { id: String(id) }, query: { limit: "50" } }));

export type Webhook = Awaited<ReturnType<typeof readWebhooks>>[number];
export type Delivery = Awaited<ReturnType<typeof readDeliveries>>[number];

const KEY = ["webhooks"];

/** The account's webhooks, loaded each time the list is shown. */
export const webhooksQuery = queryOptions({ queryKey: KEY, staleTime: 0, queryFn: readWebhooks });

/** The last deliveries of a webhook, newest first. */
export const deliveriesQuery = (id: number) =>
  queryOptions({ queryKey: [...KEY, id, "deliveries"], staleTime: 0, queryFn: () => readDeliveries(id) });

function useRefresh() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: KEY });
}

type WebhookValues = Parameters<typeof api.webhooks.$post>[0]["json"];

/**
 * Changes the webhook with this id, or creates one; only the result contains the new secret. A webhook stays in its
 * workspace.
 */
export function useSaveWebhook(id: number | undefined) {
  return useMutation({
    mutationFn: async ({ workspaceId, ...values }: WebhookValues): Promise<Webhook & { secret?: string }> =>
      id === undefined
        ? json(api.webhooks.$post({ json: { ...values, workspaceId } }))
        : json(api.webhooks[":id"].$patch({ param: { id: String(id) }, json: values })),
    onSuccess: useRefresh(),
    meta: {
      ...(id !== undefined && { success: { title: "integrations:webhooks.changed" } }),
      failure: {
        title: id === undefined ? "integrations:webhooks.createFailed" : "integrations:webhooks.changeFailed",
      },
    },
  });
}

export function useSwitchWebhook(id: number) {
  return useMutation({
    mutationFn: (enabled: boolean) =>
      json(api.webhooks[":id"].$patch({ param: { id: String(id) }, json: { enabled } })),
    onSettled: useRefresh(),
    meta: { failure: { title: "integrations:webhooks.changeFailed" } },
  });
}

export function useDeleteWebhook() {
  return useMutation({
    mutationFn: (id: number) => api.webhooks[":id"].$delete({ param: { id: String(id) } }),
    onSettled: useRefresh(),
    meta: {
      success: { title: "integrations:webhooks.deleted" },
      failure: { title: "integrations:webhooks.deleteFailed" },
    },
  });
}

/** Replaces the secret. Only the result contains the new one. */
export function useRotateSecret(id: number) {
  return useMutation({
    mutationFn: () => json(api.webhooks[":id"].rotate.$post({ param: { id: String(id) } })),
    meta: { failure: { title: "integrations:webhooks.rotateFailed" } },
  });
}

export function useTestWebhook(id: number) {
  return useMutation({
    mutationFn: () => json(api.webhooks[":id"].test.$post({ param: { id: String(id) } })),
    onSuccess: useRefresh(),
    meta: {
      success: { title: "integrations:webhooks.tested" },
      failure: { title: "integrations:webhooks.testFailed" },
    },
  });
}

export function useRedeliver(id: number) {
  return useMutation({
    mutationFn: (deliveryId: number) =>
      json(
        api.webhooks[":id"].deliveries[":deliveryId"].redeliver.$post({
          param: { id: String(id), deliveryId: String(deliveryId) },
        }),
      ),
    onSuccess: useRefresh(),
    meta: {
      success: { title: "integrations:webhooks.redelivered" },
      failure: { title: "integrations:webhooks.redeliverFailed" },
    },
  });
}
