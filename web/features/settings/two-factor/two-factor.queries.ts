import { queryOptions, useMutation } from "@tanstack/react-query";
import { api, isUnconfirmed, json } from "../../../lib/api";
import { toasts, useRefresh } from "../../../lib/mutation-meta";

/** What the account has set up as a second factor, loaded each time it is shown. */
export const twoFactorQuery = queryOptions({
  queryKey: ["twoFactor"],
  staleTime: 0,
  queryFn: () => json(api["two-factor"].$get()),
});

/** A new secret for an authenticator app. */
export const useBeginTotp = () =>
  useMutation({
    mutationFn: () => json(api["two-factor"].totp.$post()),
    meta: { failure: { title: "profile:twoFactor.failed", except: isUnconfirmed } },
  });

/** The form shows the failure. */
export const useConfirmTotp = () =>
  useMutation({
    mutationFn: (code: string) => json(api["two-factor"].totp.confirm.$post({ json: { code } })),
    onSuccess: useRefresh(twoFactorQuery),
    meta: { success: { title: "profile:twoFactor.added" } },
  });

export const useRemoveTotp = () =>
  useMutation({
    mutationFn: () => api["two-factor"].totp.$delete(),
    onSuccess: useRefresh(twoFactorQuery),
    meta: {
      success: { title: "profile:twoFactor.removed" },
      failure: { title: "profile:twoFactor.failed", except: isUnconfirmed },
    },
  });

export const useRenewRecoveryCodes = () =>
  useMutation({
    mutationFn: () => json(api["two-factor"]["recovery-codes"].$post()),
    onSuccess: useRefresh(twoFactorQuery),
    meta: { failure: { title: "profile:twoFactor.failed", except: isUnconfirmed } },
  });

export const useForgetDevices = () =>
  useMutation({
    mutationFn: () => api["two-factor"].devices.$delete(),
    onSuccess: useRefresh(twoFactorQuery),
    meta: toasts("profile:twoFactor.forgotten", "profile:twoFactor.failed"),
  });
