import { useLayoutEffect, useRef } from "react";
import { ProgressBar } from "../../../components/ui/progress-bar";
import { allFiles, type FileEntry, type FilesByDocument } from "../files/document-files";
import { useTexts } from "../translation/use-texts";

const ANNOUNCE_EVERY_PERCENT = 25;

/** The progress of all files. It takes the focus from the submit button, which is now disabled. */
export function UploadProgress({ documents }: { documents: FilesByDocument }) {
  const { t, size } = useTexts();
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => box.current?.focus(), []);
  const files = allFiles(documents);
  const sent = files.reduce((sum, { uploadedBytes }) => sum + uploadedBytes, 0);
  const total = files.reduce((sum, { file }) => sum + file.size, 0);
  const percent = total > 0 ? Math.floor((sent / total) * 100) : 0;
  const finishing = percent >= 100;
  const announced = Math.floor(percent / ANNOUNCE_EVERY_PERCENT) * ANNOUNCE_EVERY_PERCENT;
  return (
    <div ref={box} tabIndex={-1} className="mt-5 rounded-card border border-line bg-sunken p-4 outline-none">
      <div className="flex items-baseline justify-between gap-3">
        <p className="font-medium">{t("progress.total")}</p>
        <p className="text-ink-soft text-sm tabular-nums">{t("progress.percent", { percent })}</p>
      </div>
      <ProgressBar label={t("progress.total")} value={percent} className="mt-2" />
      <p className="mt-2 text-ink-soft text-sm tabular-nums">
        {finishing ? t("progress.finishing") : t("progress.sent", { sent: size(sent), total: size(total) })}
      </p>
      <p className="text-ink-soft text-sm">{t("progress.stay")}</p>
      <p role="status" className="sr-only">
        {finishing ? t("progress.finishing") : t("progress.announce", { percent: announced })}
      </p>
    </div>
  );
}

export function FileProgress({ entry: { file, uploadedBytes } }: { entry: FileEntry }) {
  const { t } = useTexts();
  const percent = Math.floor((uploadedBytes / file.size) * 100);
  const label =
    percent >= 100
      ? t("progress.fileDone")
      : percent > 0
        ? t("progress.percent", { percent })
        : t("progress.waiting");
  return (
    <div className="mt-3 flex items-center gap-3">
      <ProgressBar label={t("progress.file", { file: file.name })} value={percent} />
      <span className="min-w-14 shrink-0 text-right text-ink-soft text-sm tabular-nums">{label}</span>
    </div>
  );
}
