import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Theme } from "../../../worker/contract/options";
import { api, json } from "../../lib/api";
import { userQuery } from "../auth/auth.queries";

/** Keeps the theme of a signed-in user on the server; it is already applied. */
export function useSaveTheme() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (themePreference: Theme) => json(api.user.profile.$patch({ json: { themePreference } })),
    onSuccess: (user) => client.setQueryData(userQuery.queryKey, user),
    meta: { failure: { title: "common:updateFailed" } },
  });
}
