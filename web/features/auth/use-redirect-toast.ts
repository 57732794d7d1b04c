import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { ErrorCode } from "../../../worker/contract/errors";
import { toast } from "../../components/ui/toast-store";
import { authPath, type SignInUrl, updateUrl } from "./auth-url";

/** Shows a toast for the result in the URL, once the page is `translated`. */
export function useRedirectToast({ error, deleted, next }: SignInUrl, translated: boolean): void {
  const { t, i18n } = useTranslation(["auth", "errors", "common"]);
  useEffect(() => {
    if (!translated || !(error || deleted)) return;
    if (deleted) toast({ title: t("auth:accountDeleted") });
    else {
      const known = i18n.exists(error ?? "", { ns: "errors" });
      const text = known ? t(`errors:${error as ErrorCode}`) : t("common:failure.unknown");
      toast({ title: t("auth:loginFailed"), text, destructive: true });
    }
    // A reload must not show it again.
    updateUrl(authPath({ next }), "replaceState");
  }, [translated, error, deleted, next, t, i18n]);
}
