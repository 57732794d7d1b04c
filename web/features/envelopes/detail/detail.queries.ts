import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, byId, json } from "../../../lib/api";
import { toasts } from "../../../lib/mutation-meta";
import { type Envelope, envelopeQuery, storeEnvelope } from "../envelopes.queries";

/** Shows what a change of an envelope has made of it, in its timeline too. */
function useChanged(id: number) {
  const client = useQueryClient();
  return {
    onSuccess: (fresh: Envelope) => {
      storeEnvelope(client, fresh);
      void client.invalidateQueries({ queryKey: ["requests", id, "timeline"] });
      void client.invalidateQueries({ queryKey: ["documents"] });
    },
    // Somebody else may have changed it: what is shown then is theirs.
    onError: () => client.invalidateQueries({ queryKey: ["requests"] }),
  };
}

/** Assigns an envelope to the account with the id that the mutation is given. */
export const useAssign = ({ id, updatedAt }: Pick<Envelope, "id" | "updatedAt">) =>
  useMutation({
    mutationFn: (assigneeId: number) =>
      json(api.requests[":id"].$patch({ ...byId(id), json: { assigneeId, updatedAt } })),
    ...useChanged(id),
    meta: toasts("envelopes:assignee.done", "envelopes:assignee.failed"),
  });

/** Sends the recipient of an envelope another link. */
export const useReplaceLink = (id: number) =>
  useMutation({
    mutationFn: () => json(api.requests[":id"].link.$post(byId(id))),
    ...useChanged(id),
    meta: toasts("envelopes:newLink.done", "envelopes:newLink.failed"),
  });

type ValidityChange = { documentId: number; validUntil?: string | null; renewDays?: number | null };

/** Changes until when a document of an envelope is valid, or when it is asked for again. */
export const useChangeValidity = (id: number) =>
  useMutation({
    mutationFn: ({ documentId, ...changes }: ValidityChange) =>
      json(
        api.requests[":id"].documents[":documentId"].$patch({
          param: { id: String(id), documentId: String(documentId) },
          json: changes,
        }),
      ),
    ...useChanged(id),
    meta: { failure: { title: "questions:validity.failed" } },
  });

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
