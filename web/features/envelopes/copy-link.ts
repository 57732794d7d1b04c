import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { toast } from "../../components/ui/toast-store";
import { api, byId, json } from "../../lib/api";
import { submissionLink } from "./envelope";

async function readLink(id: number): Promise<Blob> {
  const { submissionToken } = await json(api.requests[":id"]["link-copies"].$post(byId(id)));
  return new Blob([submissionLink(submissionToken)], { type: "text/plain" });
}

/** Copies the recipient's link, which the timeline records, and shows a toast. @returns whether it was copied */
export function useCopyLink(): (envelopeId: number) => Promise<boolean> {
  const { t } = useTranslation("envelopes");
  const client = useQueryClient();
  return useCallback(
    async (id) => {
      try {
        // Safari copies what is read after the press only if it is promised at once.
        await navigator.clipboard.write([new ClipboardItem({ "text/plain": readLink(id) })]);
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
