import { Download, Eye, File, FileImage } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button";
import { Card } from "../../../components/ui/card";
import { useFormat } from "../../../lib/use-format";
import type { Submission } from "../envelopes.queries";
import { useTimelineSoon } from "../timeline.queries";

type SubmittedDocumentsProps = { submissions: Submission[]; onView: (id: number) => void };

export function SubmittedDocuments({ submissions, onView }: SubmittedDocumentsProps) {
  const { t } = useTranslation("envelopes");
  return (
    <Card title={t("detail.submitted")}>
      <ul className="-my-3 divide-y divide-line">
        {submissions.map((submission) => (
          <SubmittedFile key={submission.id} submission={submission} onView={() => onView(submission.id)} />
        ))}
      </ul>
    </Card>
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
        <p className="flex min-w-0 gap-1.5 text-ink-soft text-xs">
          <span className="truncate" title={fileName}>
            {fileName}
          </span>
          <span aria-hidden>·</span>
          <span className="shrink-0 tabular-nums">{format.megabytes(fileSize)}</span>
        </p>
      </div>
      <div className="flex gap-2">
        <Button size="sm" onClick={onView} aria-label={t("detail.viewNamed", { name: documentName })}>
          <Eye aria-hidden />
          {t("detail.view")}
        </Button>
        <DownloadButton submission={submission} />
      </div>
    </li>
  );
}

type DownloadButtonProps = { submission: Submission; primary?: boolean };

/** Starts the browser's own download, which shows its progress and keeps the file's name. */
export function DownloadButton({ submission, primary = false }: DownloadButtonProps) {
  const { t } = useTranslation("envelopes");
  const readTimeline = useTimelineSoon();
  const download = () => {
    const link = document.createElement("a");
    link.href = `${submission.url}?download`;
    link.download = submission.fileName;
    link.click();
    readTimeline();
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
