import {
  CalendarClock,
  Download,
  Eye,
  File,
  FileImage,
  FileX,
  ShieldAlert,
  ShieldQuestionMark,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge";
import { Button } from "../../../components/ui/button";
import { Card } from "../../../components/ui/card";
import { useFormat } from "../../../lib/use-format";
import type { Envelope, Submission } from "../envelopes.queries";
import { useRefreshTimelineLater } from "../timeline.queries";

type SubmittedDocumentsProps = { envelope: Envelope; onView: (id: number) => void };

export function SubmittedDocuments({ envelope, onView }: SubmittedDocumentsProps) {
  const { t } = useTranslation("envelopes");
  const { submissions } = envelope;
  return (
    <Card title={t("detail.submitted")}>
      <RetentionNote envelope={envelope} />
      <ul className="-my-3 divide-y divide-line">
        {submissions.map((submission) => (
          <SubmittedFile key={submission.id} submission={submission} onView={() => onView(submission.id)} />
        ))}
      </ul>
    </Card>
  );
}

/** When the files will be or were deleted, if the workspace limits how long they are kept. */
function RetentionNote({ envelope: { filesDeletionAt, filesDeletedAt } }: { envelope: Envelope }) {
  const { t } = useTranslation("envelopes");
  const format = useFormat();
  const at = filesDeletedAt ?? filesDeletionAt;
  if (!at) return null;
  const Icon = filesDeletedAt ? FileX : CalendarClock;
  return (
    <p className="mb-3 flex items-start gap-2 rounded-control bg-sunken p-3 text-ink-soft text-xs">
      <Icon aria-hidden className="size-4 shrink-0" />
      {t(filesDeletedAt ? "detail.filesDeleted" : "detail.deletion", { date: format.date(at) })}
    </p>
  );
}

function SubmittedFile({ submission, onView }: { submission: Submission; onView: () => void }) {
  const { t } = useTranslation("envelopes");
  const format = useFormat();
  const { documentName, fileName, fileSize, mimeType } = submission;
  const Icon = mimeType.startsWith("image/") ? FileImage : File;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3">
      <Icon aria-hidden className="size-5 shrink-0 text-ink-soft" />
      <div className="min-w-40 flex-1">
        <p className="break-words font-medium">{documentName}</p>
        <p className="text-ink-soft text-xs">
          <span className="[overflow-wrap:anywhere]">{fileName}</span>
          <span aria-hidden> · </span>
          <span className="whitespace-nowrap tabular-nums">{format.megabytes(fileSize)}</span>
        </p>
      </div>
      {submission.url && (
        <div className="flex flex-wrap gap-1">
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

type DownloadButtonProps = { submission: Submission; primary?: boolean };

/** Starts a browser download under the original file name. */
export function DownloadButton({ submission, primary = false }: DownloadButtonProps) {
  const { t } = useTranslation("envelopes");
  const refreshTimeline = useRefreshTimelineLater();
  const download = () => {
    const link = document.createElement("a");
    link.href = `${submission.url}?download`;
    link.download = submission.fileName;
    link.click();
    refreshTimeline();
  };
  return (
    <Button
      {...(primary ? { variant: "primary" } : { size: "sm" })}
      aria-label={t("detail.downloadNamed", { name: submission.documentName })}
      onClick={download}
    >
      <Download aria-hidden />
      {t("detail.download")}
    </Button>
  );
}
