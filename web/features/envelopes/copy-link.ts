import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { toast } from "../../components/ui/toast-store";
import { api, byId, json } from "../../lib/api";
import { submissionLink } from "./envelope";

/** Copies the recipient's link. The timeline records it, unless this browser cannot copy. */
async function copyLink(id: number, shown: string | undefined): Promise<void> {
  const record = async () =>
    submissionLink((await json(api.requests[":id"]["link-copies"].$post(byId(id)))).submissionToken);
  if (shown === undefined) {
    const read = async () => new Blob([await record()], { type: "text/plain" });
    // Safari copies what is read after the press only if it is promised at once.
    return navigator.clipboard.write([new ClipboardItem({ "text/plain": read() })]);
  }
  const link = submissionLink(shown);
  const copied = navigator.clipboard.writeText(link);
  const [latest] = await Promise.all([record(), copied]);
  // Somebody has replaced it.
  if (latest !== link) await navigator.clipboard.writeText(latest);
}

/**
 * Copies the recipient's link and shows a toast: the one with the token that is shown, at once, or the one that is read first.
 * @returns whether it was copied
 */
export function useCopyLink(): (envelopeId: number, shown?: string) => Promise<boolean> {
  const { t } = useTranslation("envelopes");
  const client = useQueryClient();
  return useCallback(
    async (id, shown) => {
      try {
        await copyLink(id, shown);
        void client.invalidateQueries({ queryKey: ["requests", id, "timeline"] });
        toast({ title: t("detail.copied"), text: t("detail.copiedText") });
        return true;
      } catch {
        toast({ title: t("detail.copyFailed"), text: t("detail.copyFailedText"), destructive: true });
        return false;
      }
    },
    [client, t],
  );
}
