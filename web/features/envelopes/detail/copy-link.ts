import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { toast } from "../../../components/ui/toast-store";
import { api, byId, json } from "../../../lib/api";
import { submissionLink } from "../envelope";

/** Copies the link with this token, or the one that has replaced it. The timeline records it. */
async function copyLink(id: number, token: string): Promise<void> {
  const copied = navigator.clipboard.writeText(submissionLink(token));
  const recorded = json(api.requests[":id"]["link-copies"].$post(byId(id)));
  const [{ submissionToken }] = await Promise.all([recorded, copied]);
  if (submissionToken !== token) await navigator.clipboard.writeText(submissionLink(submissionToken));
}

/** Copies the shown link, at once, and shows a toast. @returns whether it was copied */
export function useCopyLink(): (id: number, token: string) => Promise<boolean> {
  const { t } = useTranslation("envelopes");
  const client = useQueryClient();
  return async (id, token) => {
    try {
      await copyLink(id, token);
      void client.invalidateQueries({ queryKey: ["requests", id, "timeline"] });
      toast({ title: t("detail.copied"), text: t("detail.copiedText") });
      return true;
    } catch {
      toast({ title: t("detail.copyFailed"), text: t("detail.copyFailedText"), destructive: true });
      return false;
    }
  };
}
