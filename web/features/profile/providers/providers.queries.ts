import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { SignInProvider } from "../../../../worker/contract/options";
import { api, json } from "../../../lib/api";

const readProviders = () => json(api.user.providers.$get());

export type LinkedProvider = Awaited<ReturnType<typeof readProviders>>[number];

/** The sign-in providers linked to the account, loaded each time the list is shown. */
export const linkedProvidersQuery = queryOptions({
  queryKey: ["linkedProviders"],
  staleTime: 0,
  queryFn: readProviders,
});

export function useUnlinkProvider(provider: SignInProvider) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.user.providers[":provider"].$delete({ param: { provider } }),
    onSettled: () => client.invalidateQueries(linkedProvidersQuery),
    meta: {
      success: { title: "profile:providers.unlinked" },
      failure: { title: "profile:providers.failed" },
    },
  });
}
