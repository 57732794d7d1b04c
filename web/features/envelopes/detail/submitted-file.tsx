import { Eye, File, FileImage, ShieldAlert, ShieldQuestionMark } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge";
import { Button } from "../../../components/ui/button";
import { useFormat } from "../../../lib/use-format";
import { DownloadButton } from "../download-button";
import type { Submission } from "../envelopes.queries";

type SubmittedFileProps = { submission: Submission; onView: () => void };

/** One file of an answer: its name and size, View and Download. */
export function SubmittedFile({ submission, onView }: SubmittedFileProps) {
  const { t } = useTranslation("envelopes");
  const format = useFormat();
  const { documentName, fileName, fileSize, mimeType } = submission;
  const Icon = mimeType.startsWith("image/") ? FileImage : File;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <Icon aria-hidden className="size-4.5 shrink-0 text-ink-soft" />
      <p className="min-w-40 flex-1 text-ink-soft text-xs">
        <span className="[overflow-wrap:anywhere]">{fileName}</span>
        <span aria-hidden> · </span>
        <span className="whitespace-nowrap tabular-nums">{format.megabytes(fileSize)}</span>
      </p>
      {submission.url && (
        <div className="flex flex-wrap gap-2">
          <Button size="sm" onClick={onView} aria-label={t("detail.viewNamed", { name: documentName })}>
            <Eye aria-hidden />
            {t("detail.view")}
          </Button>
          <DownloadButton submission={submission} />
        </div>
      )}
      <WithheldBadge why={submission.withheld} />
    </li>
  );
}

/** Why a file cannot be opened. Deleted files are covered by the note above the list. */
function WithheldBadge({ why }: { why: Submission["withheld"] }) {
  const { t } = useTranslation("envelopes");
  if (why === "checking")
    return (
      <Badge tone="warn" icon={ShieldQuestionMark}>
        {t("detail.withheld.checking")}
      </Badge>
    );
  if (why !== "infected") return null;
  return (
    <Badge tone="bad" icon={ShieldAlert}>
      {t("detail.withheld.infected")}
    </Badge>
  );
}
