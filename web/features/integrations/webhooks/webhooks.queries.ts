import { queryOptions, useMutation } from "@tanstack/react-query";
import { api, byId, json } from "../../../lib/api";
import { toasts, useRefresh } from "../../../lib/mutation-meta";

const readWebhooks = () => json(api.webhooks.$get());
const readDeliveries = (id: number) =>
  json(api.webhooks[":id"].deliveries.$get({ ...byId(id), query: { limit: "50" } }));

export type Webhook = Awaited<ReturnType<typeof readWebhooks>>[number];
export type Delivery = Awaited<ReturnType<typeof readDeliveries>>[number];

const KEY = ["webhooks"];

/** The account's webhooks, loaded each time the list is shown. */
export const webhooksQuery = queryOptions({ queryKey: KEY, staleTime: 0, queryFn: readWebhooks });

/** The last deliveries of a webhook, newest first. */
export const deliveriesQuery = (id: number) =>
  queryOptions({ queryKey: [...KEY, id, "deliveries"], staleTime: 0, queryFn: () => readDeliveries(id) });

type WebhookValues = Parameters<typeof api.webhooks.$post>[0]["json"];

/**
 * Changes the webhook with this id, or creates one; only the result contains the new secret. A webhook stays in its
 * workspace.
 */
export const useSaveWebhook = (id: number | undefined) =>
  useMutation({
    mutationFn: async ({ workspaceId, ...values }: WebhookValues): Promise<Webhook & { secret?: string }> =>
      id === undefined
        ? json(api.webhooks.$post({ json: { ...values, workspaceId } }))
        : json(api.webhooks[":id"].$patch({ ...byId(id), json: values })),
    onSuccess: useRefresh({ queryKey: KEY }),
    meta: {
      ...(id !== undefined && { success: { title: "integrations:webhooks.changed" } }),
      failure: {
        title: id === undefined ? "integrations:webhooks.createFailed" : "integrations:webhooks.changeFailed",
      },
    },
  });

export const useSwitchWebhook = (id: number) =>
  useMutation({
    mutationFn: (enabled: boolean) => json(api.webhooks[":id"].$patch({ ...byId(id), json: { enabled } })),
    onSettled: useRefresh({ queryKey: KEY }),
    meta: { failure: { title: "integrations:webhooks.changeFailed" } },
  });

export const useDeleteWebhook = () =>
  useMutation({
    mutationFn: (id: number) => api.webhooks[":id"].$delete(byId(id)),
    onSettled: useRefresh({ queryKey: KEY }),
    meta: toasts("integrations:webhooks.deleted", "integrations:webhooks.deleteFailed"),
  });

/** Replaces the secret. Only the result contains the new one. */
export const useRotateSecret = (id: number) =>
  useMutation({
    mutationFn: () => json(api.webhooks[":id"].rotate.$post(byId(id))),
    meta: { failure: { title: "integrations:webhooks.rotateFailed" } },
  });

export const useTestWebhook = (id: number) =>
  useMutation({
    mutationFn: () => json(api.webhooks[":id"].test.$post(byId(id))),
    onSuccess: useRefresh({ queryKey: KEY }),
    meta: toasts("integrations:webhooks.tested", "integrations:webhooks.testFailed"),
  });

export const useRedeliver = (id: number) =>
  useMutation({
    mutationFn: (deliveryId: number) =>
      json(
        api.webhooks[":id"].deliveries[":deliveryId"].redeliver.$post({
          param: { id: String(id), deliveryId: String(deliveryId) },
        }),
      ),
    onSuccess: useRefresh({ queryKey: KEY }),
    meta: toasts("integrations:webhooks.redelivered", "integrations:webhooks.redeliverFailed"),
  });

/** The key of each event's name. */
export const EVENT_NAMES = {
  "request.sent": "webhooks.names.sent",
  "request.opened": "webhooks.names.opened",
  "request.submitted": "webhooks.names.submitted",
  "request.returned": "webhooks.names.returned",
  "request.accepted": "webhooks.names.accepted",
  "request.expired": "webhooks.names.expired",
  "request.deleted": "webhooks.names.deleted",
  "document.expiring": "webhooks.names.documentExpiring",
  "document.expired": "webhooks.names.documentExpired",
  "notification.failed": "webhooks.names.notDelivered",
  "file.delivered": "webhooks.names.fileDelivered",
  "destination.failed": "webhooks.names.destinationFailed",
  "webhook.test": "webhooks.names.test",
} as const satisfies Record<Delivery["event"], string>;
