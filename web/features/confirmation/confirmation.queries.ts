import { useMutation } from "@tanstack/react-query";
import { api, json } from "../../lib/api";
import { askForPasskey } from "../../lib/webauthn";

type Confirmation = Parameters<typeof api.reauthenticate.$post>[0]["json"];

/** Confirms that it is still the account's owner; the dialog shows a failure. */
export function useReauthenticate() {
  return useMutation({ mutationFn: (json: Confirmation) => api.reauthenticate.$post({ json }) });
}

export function useConfirmByPasskey() {
  return useMutation({
    mutationFn: async () => {
      const passkey = await askForPasskey(await json(api.login.passkey.options.$post()));
      return api.reauthenticate.$post({ json: { passkey } });
    },
  });
}

export function useMailCode() {
  return useMutation({ mutationFn: () => api.reauthenticate.mail.$post() });
}
