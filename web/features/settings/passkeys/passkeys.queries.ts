import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, json } from "../../../lib/api";
import { askToCreatePasskey, isPasskeyCancelled, isPasskeyThere } from "../../../lib/webauthn";

const readPasskeys = () => json(api.passkeys.$get());

export type Passkey = Awaited<ReturnType<typeof readPasskeys>>[number];

/** The account's passkeys, loaded each time the list is shown. */
export const passkeysQuery = queryOptions({ queryKey: ["passkeys"], staleTime: 0, queryFn: readPasskeys });

function useRefresh() {
  const client = useQueryClient();
  return () => client.invalidateQueries(passkeysQuery);
}

/** Creates a passkey on this device or on one that the browser offers. */
export function useAddPasskey() {
  return useMutation({
    mutationFn: async (name: string) => {
      const response = await askToCreatePasskey(await json(api.passkeys.options.$post()));
      return json(api.passkeys.$post({ json: { name, response } }));
    },
    onSuccess: useRefresh(),
    meta: {
      success: { title: "security:passkeys.added" },
      failure: {
        title: "security:passkeys.addFailed",
        text: (error) => (isPasskeyThere(error) ? "security:passkeys.there" : undefined),
        except: isPasskeyCancelled,
      },
    },
  });
}

export function useRenamePasskey(id: number) {
  return useMutation({
    mutationFn: (name: string) =>
      json(api.passkeys[":id"].$patch({ param: { id: String(id) }, json: { name } })),
    onSettled: useRefresh(),
    meta: {
      success: { title: "security:passkeys.renamed" },
      failure: { title: "security:passkeys.renameFailed" },
    },
  });
}

export function useRemovePasskey() {
  return useMutation({
    mutationFn: (id: number) => api.passkeys[":id"].$delete({ param: { id: String(id) } }),
    onSettled: useRefresh(),
    meta: {
      success: { title: "security:passkeys.removed" },
      failure: { title: "security:passkeys.removeFailed" },
    },
  });
}
