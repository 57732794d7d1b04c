import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, byId, isUnconfirmed, json } from "../../../lib/api";
import { toasts, useRefresh } from "../../../lib/mutation-meta";
import { askToCreatePasskey, prepareQuestion } from "../../../lib/webauthn";

const readPasskeys = () => json(api.passkeys.$get());

export type Passkey = Awaited<ReturnType<typeof readPasskeys>>[number];

/** The account's passkeys, loaded each time the list is shown. */
export const passkeysQuery = queryOptions({ queryKey: ["passkeys"], staleTime: 0, queryFn: readPasskeys });

/** What the browser's question for a new passkey needs. */
export const newPasskeyQuery = queryOptions({
  queryKey: ["newPasskey"],
  queryFn: () => prepareQuestion(json(api.passkeys.options.$post())),
  // The server accepts a challenge for five minutes.
  staleTime: 4 * 60 * 1000,
});

/** Loads what a new passkey needs, which can take a confirmation that it is still the user. */
export function usePreparePasskey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => client.fetchQuery({ ...newPasskeyQuery, staleTime: 0 }),
    meta: { failure: { title: "security:passkeys.addFailed", except: isUnconfirmed } },
  });
}

/** Creates a passkey on this device or on one that the browser offers. The dialog shows the failure. */
export function useAddPasskey() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (name: string) => {
      const response = await askToCreatePasskey(await client.fetchQuery(newPasskeyQuery));
      return json(api.passkeys.$post({ json: { name, response } }));
    },
    onSuccess: useRefresh(passkeysQuery),
    // The challenge may be used.
    onError: () => void client.invalidateQueries(newPasskeyQuery),
    meta: { success: { title: "security:passkeys.added" } },
  });
}

export const useRenamePasskey = () =>
  useMutation({
    mutationFn: ({ id, name }: Pick<Passkey, "id" | "name">) =>
      json(api.passkeys[":id"].$patch({ ...byId(id), json: { name } })),
    onSettled: useRefresh(passkeysQuery),
    meta: toasts("security:passkeys.renamed", "security:passkeys.renameFailed"),
  });

export const useRemovePasskey = () =>
  useMutation({
    mutationFn: (id: number) => api.passkeys[":id"].$delete(byId(id)),
    onSettled: useRefresh(passkeysQuery),
    meta: toasts("security:passkeys.removed", "security:passkeys.removeFailed"),
  });
