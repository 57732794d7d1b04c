import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, api, byId, json } from "../../../lib/api";
import { type Envelope, envelopeQuery, storeEnvelope } from "../envelopes.queries";
import { timelineQuery } from "../timeline.queries";

type Review = Parameters<(typeof api.requests)[":id"]["review"]["$post"]>[0]["json"];

/** The link has expired, and a new expiration date is needed to open it again. */
export const needsDate = (error: unknown) => error instanceof ApiError && error.code === "expired_needs_date";

/**
 * The calls for one envelope run one after the other: the server rejects a change that is based on an outdated state.
 */
function useReviewCall(id: number) {
  const client = useQueryClient();
  const mutationKey = ["review", id];
  return {
    client,
    options: {
      mutationKey,
      scope: { id: mutationKey.join(" ") },
      mutationFn: (review: Review) => json(api.requests[":id"].review.$post({ ...byId(id), json: review })),
      onSuccess: (fresh: Envelope) => {
        // While other calls wait, this response lacks changes that the screen already shows.
        if (client.isMutating({ mutationKey }) <= 1) storeEnvelope(client, fresh);
        void client.invalidateQueries(timelineQuery(id));
      },
    },
  };
}

/** Accepts documents, or undoes decisions. The screen shows an acceptance before the server has responded. */
export function useDecide(id: number) {
  const { client, options } = useReviewCall(id);
  return useMutation({
    ...options,
    onMutate: ({ accept }) => {
      const accepted = new Set(accept);
      client.setQueryData(
        envelopeQuery(id).queryKey,
        (envelope) => envelope && withAccepted(envelope, accepted),
      );
    },
    onError: () => client.invalidateQueries(envelopeQuery(id)),
    meta: { failure: { title: "review:failed" } },
  });
}

function withAccepted(envelope: Envelope, accepted: ReadonlySet<number>): Envelope {
  const documents = envelope.documents.map((document) =>
    accepted.has(document.id) ? { ...document, state: "accepted" as const } : document,
  );
  return { ...envelope, documents };
}

/** Returns documents, all in one call. */
export function useReturn(id: number) {
  const { client, options } = useReviewCall(id);
  return useMutation({
    ...options,
    onError: (error) => {
      if (!needsDate(error)) void client.invalidateQueries(envelopeQuery(id));
    },
    meta: {
      success: { title: "review:send.done", text: "review:send.doneText" },
      failure: { title: "review:send.failed", except: needsDate },
    },
  });
}
