import { useQuery } from "@tanstack/react-query";
import { use } from "react";
import { useTranslation } from "react-i18next";
import type { Language } from "../../worker/contract/options";
import { api, json } from "../lib/api";
import type { DocumentValues } from "../lib/document-entries";
import { useCloseOnBack } from "../lib/use-close-on-back";
import { PreviewLook } from "./preview-look";
import { RecipientPage } from "./recipient-page";
import { Dialog } from "./ui/dialog";
import { QueryPlaceholder } from "./ui/query-placeholder";

type TryDialogProps = {
  documents: readonly DocumentValues[];
  workspaceId: number | undefined;
  /** Null for the reader's. */
  language: Language | null;
  onClose: () => void;
};

/** The list of documents as the recipient gets it, to be filled in. Nothing is stored or sent. */
export default function TryDialog({ documents, workspaceId, language, onClose }: TryDialogProps) {
  const { t, i18n } = useTranslation(["questions", "envelopes"]);
  const input = { isDraft: true, workspaceId: workspaceId ?? null, language, documents: [...documents] };
  const query = useQuery({
    queryKey: ["preview", "documents", input],
    queryFn: () => json(api.requests.preview.$post({ query: {}, json: input })),
    gcTime: 0,
  });
  const failed = t("envelopes:wizard.look.failed");
  const Page = use(RecipientPage);
  useCloseOnBack(true, onClose);
  return (
    <Dialog nested width="xl" title={t("tryIt")} description={t("tryItText")} onClose={onClose}>
      {query.data && Page ? (
        <PreviewLook>
          {(look) => (
            <Page
              tried
              request={query.data.page}
              language={i18n.language as Language}
              look={look}
              title={t("tryIt")}
              failed={failed}
            />
          )}
        </PreviewLook>
      ) : (
        <QueryPlaceholder query={query} failed={failed} rowClass="h-24" />
      )}
    </Dialog>
  );
}
