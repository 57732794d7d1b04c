import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, api, byId, json } from "../../../lib/api";
import { type Envelope, envelopeQuery, storeEnvelope } from "../envelopes.queries";
import { timelineQuery } from "../timeline.queries";
import { storePendingReturns } from "./pending-returns";

type Review = Parameters<(typeof api.requests)[":id"]["review"]["$post"]>[0]["json"];
/** A review of the envelope with this id. */
type ReviewCall = Review & { id: number };

/** The link has expired, and a new expiration date is needed to open it again. */
export const needsDate = (error: unknown) => error instanceof ApiError && error.code === "expired_needs_date";

const mutationKey = ["review"];

/** The calls run one after the other: the server rejects a change that is based on an outdated state. */
function useReviewCall() {
  const client = useQueryClient();
  return {
    client,
    options: {
      mutationKey,
      scope: { id: "review" },
      mutationFn: ({ id, ...review }: ReviewCall) =>
        json(api.requests[":id"].review.$post({ ...byId(id), json: review })),
      onSuccess: (fresh: Envelope, { id }: ReviewCall) => {
        const isOfSame = ({ state }: { state: { variables?: unknown } }) =>
          (state.variables as ReviewCall).id === id;
        // While other calls wait, this response lacks changes that the screen already shows.
        if (client.isMutating({ mutationKey, predicate: isOfSame }) <= 1) storeEnvelope(client, fresh);
        void client.invalidateQueries(timelineQuery(id));
      },
    },
  };
}

/** Accepts documents, or undoes decisions. The screen shows an acceptance before the server has responded. */
export function useDecide() {
  const { client, options } = useReviewCall();
  return useMutation({
    ...options,
    onMutate: async ({ id, accept }) => {
      const { queryKey } = envelopeQuery(id);
      // What is being read may lack the acceptance.
      await client.cancelQueries({ queryKey, exact: true });
      const accepted = new Set(accept);
      client.setQueryData(queryKey, (envelope) => envelope && withAccepted(envelope, accepted));
    },
    onError: (_error, { id }) => client.invalidateQueries(envelopeQuery(id)),
    meta: { failure: { title: "review:failed" } },
  });
}

function withAccepted(envelope: Envelope, accepted: ReadonlySet<number>): Envelope {
  const documents = envelope.documents.map((document) =>
    accepted.has(document.id) ? { ...document, state: "accepted" as const } : document,
  );
  return { ...envelope, documents };
}

/** Returns documents, all of an envelope in one call. */
export function useReturn() {
  const { client, options } = useReviewCall();
  return useMutation({
    ...options,
    onSuccess: (fresh, call) => {
      storePendingReturns(call.id, new Map());
      options.onSuccess(fresh, call);
    },
    onError: (error, { id }) => {
      if (!needsDate(error)) void client.invalidateQueries(envelopeQuery(id));
    },
    meta: {
      success: { title: "review:send.done", text: "review:send.doneText" },
      failure: { title: "review:send.failed", except: needsDate },
    },
  });
}
