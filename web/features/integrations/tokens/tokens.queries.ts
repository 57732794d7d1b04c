import { queryOptions, useMutation } from "@tanstack/react-query";
import { api, byId, json } from "../../../lib/api";
import { toasts, useRefresh } from "../../../lib/mutation-meta";

const readTokens = () => json(api.tokens.$get());

export type ApiToken = Awaited<ReturnType<typeof readTokens>>[number];

/** The account's API tokens, loaded each time the list is shown. */
export const tokensQuery = queryOptions({ queryKey: ["tokens"], staleTime: 0, queryFn: readTokens });

type NewToken = Parameters<typeof api.tokens.$post>[0]["json"];

/** Creates a token. Only the result contains its text. */
export const useCreateToken = () =>
  useMutation({
    mutationFn: (input: NewToken) => json(api.tokens.$post({ json: input })),
    onSuccess: useRefresh(tokensQuery),
    meta: { failure: { title: "integrations:tokens.createFailed" } },
  });

export const useRevokeToken = () =>
  useMutation({
    mutationFn: (id: number) => api.tokens[":id"].$delete(byId(id)),
    onSettled: useRefresh(tokensQuery),
    meta: toasts("integrations:tokens.revoked", "integrations:tokens.revokeFailed"),
  });
