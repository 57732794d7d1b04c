import { CircleCheck } from "lucide-react";
import type { ReactNode } from "react";
import { ProgressBar } from "../../../components/ui/progress-bar";
import { useOnline } from "../../../lib/use-online";
import { useTexts } from "../translation/use-texts";
import { type FileEntry, isInProgress } from "./document-files";
import { FileThumbnail } from "./file-thumbnail";

/** Preview, name and size of a file, and how far its upload is. `children` are its buttons. */
export function FileLine({ entry, children }: { entry: FileEntry; children?: ReactNode }) {
  const { t, size } = useTexts();
  const { name, status } = entry;
  return (
    <>
      <div className="flex min-w-0 items-center gap-3">
        <FileThumbnail entry={entry} />
        <div className="min-w-0 flex-1">
          <p className="font-medium text-sm leading-5 [overflow-wrap:anywhere]">{name}</p>
          <p className="flex flex-wrap gap-x-2 text-ink-soft text-sm leading-5 tabular-nums">
            <span>{size(entry.size)}</span>
            {(status !== "uploaded" || children) && <span aria-hidden>·</span>}
            {status !== "uploaded" && <UploadStatus entry={entry} />}
            {status === "uploaded" && children && (
              <span className="inline-flex items-center gap-1 text-good">
                <CircleCheck aria-hidden className="size-4 shrink-0" />
                {t("review.uploaded")}
              </span>
            )}
          </p>
        </div>
      </div>
      {/* Next to buttons, the space stays reserved after the upload, so that nothing below moves under a finger. */}
      <div className={children ? "flex h-5 items-center" : "mt-2.5 empty:hidden"}>
        {(isInProgress(entry) || status === "unfinished") && (
          <ProgressBar label={t("progress.file", { file: name })} value={percentOf(entry)} />
        )}
      </div>
      {children && <div className="flex flex-wrap gap-x-1 gap-y-2">{children}</div>}
    </>
  );
}

function UploadStatus({ entry }: { entry: FileEntry }) {
  const { t, partOfSize } = useTexts();
  const online = useOnline();
  const { status, uploadedBytes, size } = entry;
  if (status === "unfinished")
    return <span className="text-warn">{t("progress.unfinished", partOfSize(uploadedBytes, size))}</span>;
  if (status === "waiting" || !online) return <span className="text-warn">{t("progress.offline")}</span>;
  if (status === "queued") return <span>{t("progress.queued")}</span>;
  return <span>{t("progress.uploading", { percent: percentOf(entry) })}</span>;
}

/** Below 100 until the server has checked the file. */
const percentOf = ({ uploadedBytes, size }: FileEntry): number =>
  Math.min(99, Math.floor((uploadedBytes / size) * 100));
