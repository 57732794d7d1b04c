import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { toast } from "../../components/ui/toast-store";
import { submissionLink } from "./envelope";

/** Copies the recipient's link and shows a toast. @returns whether it was copied */
export function useCopyLink(): (token: string) => Promise<boolean> {
  const { t } = useTranslation("envelopes");
  return useCallback(
    async (token) => {
      try {
        await navigator.clipboard.writeText(submissionLink(token));
        toast({ title: t("detail.copied"), text: t("detail.copiedText") });
        return true;
      } catch {
        toast({ title: t("detail.copyFailed"), text: t("detail.copyFailedText"), destructive: true });
        return false;
      }
    },
    [t],
  );
}
