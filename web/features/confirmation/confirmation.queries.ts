import { useMutation } from "@tanstack/react-query";
import { api } from "../../lib/api";
import { usePasskey } from "../auth/auth.queries";

type Confirmation = Parameters<typeof api.reauthenticate.$post>[0]["json"];

/** Confirms that it is still the account's owner; the dialog shows a failure. */
export function useReauthenticate() {
  return useMutation({ mutationFn: (json: Confirmation) => api.reauthenticate.$post({ json }) });
}

export const useConfirmByPasskey = () =>
  usePasskey((passkey) => api.reauthenticate.$post({ json: { passkey } }));

export function useMailCode() {
  return useMutation({ mutationFn: () => api.reauthenticate.mail.$post() });
}
