import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { ErrorCode } from "../../../worker/contract/errors";
import { toast } from "../../components/ui/toast-store";
import { authPath, type SignInAddress, showAddress } from "./auth-url";

/** Tells on arrival what the address says has happened, once the visitor's language is `spoken`. */
export function useArrivalToast({ error, deleted, next }: SignInAddress, spoken: boolean): void {
  const { t, i18n } = useTranslation(["auth", "errors", "common"]);
  useEffect(() => {
    if (!spoken || !(error || deleted)) return;
    if (deleted) toast({ title: t("auth:accountDeleted") });
    else {
      const known = i18n.exists(error ?? "", { ns: "errors" });
      const text = known ? t(`errors:${error as ErrorCode}`) : t("common:failure.unknown");
      toast({ title: t("auth:loginFailed"), text, destructive: true });
    }
    // A reload has nothing to tell.
    showAddress(authPath({ next }), "replaceState");
  }, [spoken, error, deleted, next, t, i18n]);
}
