import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, byId, json } from "../../../lib/api";
import { toasts } from "../../../lib/mutation-meta";
import { type Envelope, envelopeQuery, storeEnvelope } from "../envelopes.queries";

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
    meta: { failure: { title: "questions:validity.failed" } },
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
