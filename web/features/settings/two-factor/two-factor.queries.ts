import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, isUnconfirmed, json } from "../../../lib/api";

/** What the account has set up as a second factor, loaded each time it is shown. */
export const twoFactorQuery = queryOptions({
  queryKey: ["twoFactor"],
  staleTime: 0,
  queryFn: () => json(api["two-factor"].$get()),
});

function useRefresh() {
  const client = useQueryClient();
  return () => client.invalidateQueries(twoFactorQuery);
}

/** A new secret for an authenticator app. */
export function useBeginTotp() {
  return useMutation({
    mutationFn: () => json(api["two-factor"].totp.$post()),
    meta: { failure: { title: "profile:twoFactor.failed", except: isUnconfirmed } },
  });
}

/** The form shows the failure. */
export function useConfirmTotp() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (code: string) => json(api["two-factor"].totp.confirm.$post({ json: { code } })),
    onSuccess: refresh,
    meta: { success: { title: "profile:twoFactor.added" } },
  });
}

export function useRemoveTotp() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => api["two-factor"].totp.$delete(),
    onSuccess: refresh,
    meta: {
      success: { title: "profile:twoFactor.removed" },
      failure: { title: "profile:twoFactor.failed", except: isUnconfirmed },
    },
  });
}

export function useRenewRecoveryCodes() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => json(api["two-factor"]["recovery-codes"].$post()),
    onSuccess: refresh,
    meta: { failure: { title: "profile:twoFactor.failed", except: isUnconfirmed } },
  });
}

export function useForgetDevices() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: () => api["two-factor"].devices.$delete(),
    onSuccess: refresh,
    meta: {
      success: { title: "profile:twoFactor.forgotten" },
      failure: { title: "profile:twoFactor.failed" },
    },
  });
}
