import { CircleCheck, FileText } from "lucide-react";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { extensionOf } from "../../../../worker/contract/files";
import { FileName } from "../../../components/ui/file-name";
import { ProgressBar } from "../../../components/ui/progress-bar";
import { Separated } from "../../../components/ui/separated";
import { useOnline } from "../../../lib/use-online";
import { useTexts } from "../translation/use-texts";
import { type FileEntry, isInProgress } from "./document-files";
import { storedThumbnail, storeThumbnail } from "./thumbnails";

/** Preview, name and size of a file, and how far its upload is. `children` are its buttons. */
export function FileLine({ entry, children }: { entry: FileEntry; children?: ReactNode }) {
  const { t, size } = useTexts();
  const { name, status } = entry;
  return (
    <>
      <div className="flex min-w-0 items-center gap-3">
        <FileThumbnail entry={entry} />
        <div className="min-w-0 flex-1">
          <p className="font-medium text-sm leading-5 [overflow-wrap:anywhere]">
            <FileName name={name} />
          </p>
          <p className="text-ink-soft text-sm leading-5 tabular-nums">
            <Separated>
              {size(entry.size)}
              {status !== "uploaded" && <UploadStatus entry={entry} />}
              {status === "uploaded" && children && (
                <span className="inline-flex items-center gap-1 text-good">
                  <CircleCheck aria-hidden className="size-4 shrink-0" />
                  <span>{t("review.uploaded")}</span>
                </span>
              )}
            </Separated>
          </p>
        </div>
      </div>
      {/* Next to buttons, the space stays reserved after the upload, so that nothing below moves under a finger. */}
      <div className={children ? "flex h-3 items-center" : "mt-2.5 empty:hidden"}>
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
  if (status === "blocked" && online) return <span className="text-warn">{t("progress.blocked")}</span>;
  if (status === "waiting" || !online) return <span className="text-warn">{t("progress.offline")}</span>;
  if (status === "queued") return <span>{t("progress.queued")}</span>;
  return <span>{t("progress.uploading", { percent: percentOf(entry) })}</span>;
}

/** Below 100 until the server has checked the file. */
const percentOf = ({ uploadedBytes, size }: FileEntry): number =>
  Math.min(99, Math.floor((uploadedBytes / size) * 100));

const PREVIEWABLE = new Set(["jpg", "jpeg", "png", "gif", "webp"]);
/** Decoding larger pictures takes too much memory on an old phone. */
const MAX_PREVIEW_BYTES = 15 * 1024 * 1024;

/**
 * A preview of an image, so that a wrong photo is noticed; an icon for other files. After a reload, it is the small copy
 * that this device stores.
 */
function FileThumbnail({ entry: { file, uploadId } }: { entry: FileEntry }) {
  const url = usePreviewUrl(file);
  const [failed, setFailed] = useState<string | null>(null);
  const [picture, setPicture] = useState<HTMLImageElement | null>(null);
  const stored = useMemo(() => (file || !uploadId ? null : storedThumbnail(uploadId)), [file, uploadId]);
  useEffect(() => {
    if (file && uploadId && picture) storeThumbnail(uploadId, picture);
  }, [file, uploadId, picture]);
  const shown = url ?? stored;
  return (
    <span className="flex size-11 shrink-0 items-center justify-center overflow-hidden rounded-md border border-line bg-surface text-ink-soft">
      {shown && shown !== failed ? (
        <img
          src={shown}
          alt=""
          decoding="async"
          onLoad={(event) => setPicture(event.currentTarget)}
          onError={() => setFailed(shown)}
          className="size-full object-cover"
        />
      ) : (
        <FileText aria-hidden className="size-5" />
      )}
    </span>
  );
}

/** The URL of an image that was chosen on this page; null for other files. */
function usePreviewUrl(file: File | null): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!file || !PREVIEWABLE.has(extensionOf(file.name)) || file.size > MAX_PREVIEW_BYTES) return;
    const objectUrl = URL.createObjectURL(file);
    setUrl(objectUrl);
    return () => {
      setUrl(null);
      URL.revokeObjectURL(objectUrl);
    };
  }, [file]);
  return url;
}
