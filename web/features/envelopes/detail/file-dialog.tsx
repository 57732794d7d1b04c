import { BookOpen, File } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button";
import { Dialog } from "../../../components/ui/dialog";
import { FileName } from "../../../components/ui/file-name";
import { useFormat } from "../../../lib/use-format";
import { DownloadButton } from "../download";
import type { Submission } from "../envelopes.queries";
import { PDF } from "../review/viewer/view";

type FileDialogProps = {
  file: Submission;
  completedAt: string | null;
  /** Opens the file in the review mode, if that goes through it. */
  onOpen: (() => void) | undefined;
  onClose: () => void;
};

/** One submitted file: a preview of an image, and its details. */
export function FileDialog({ file, completedAt, onOpen, onClose }: FileDialogProps) {
  const { t } = useTranslation(["envelopes", "common"]);
  const format = useFormat();
  return (
    <Dialog
      nested
      hideCloseButton
      onClose={onClose}
      title={t("file.title")}
      footer={
        <>
          <Button onClick={onClose}>{t("common:close")}</Button>
          {file.url && <DownloadButton submission={file} primary />}
        </>
      }
    >
      <Preview file={file} onOpen={onOpen} />
      <dl className="mt-5 grid grid-cols-1 gap-x-6 gap-y-4 sm:grid-cols-2">
        <Fact label={t("file.original")}>
          <FileName name={file.fileName} />
        </Fact>
        <Fact label={t("file.documentType")}>{file.documentName}</Fact>
        <Fact label={t("file.mimeType")}>{file.mimeType}</Fact>
        <Fact label={t("file.size")}>{format.size(file.fileSize)}</Fact>
        <Fact label={t("file.uploaded")}>{format.dateTime(file.createdAt)}</Fact>
        <Fact label={t("file.completed")}>
          {completedAt ? format.dateTime(completedAt) : t("file.notAvailable")}
        </Fact>
      </dl>
    </Dialog>
  );
}

function Preview({ file, onOpen }: Pick<FileDialogProps, "file" | "onOpen">) {
  const { t } = useTranslation("envelopes");
  const [broken, setBroken] = useState(false);
  const picture = file.mimeType.startsWith("image/") && !broken ? file.url : null;
  return (
    <div className="flex min-h-48 items-center justify-center rounded-card bg-sunken p-3">
      {picture ? (
        <img
          src={picture}
          alt={file.fileName}
          onError={() => setBroken(true)}
          className="max-h-[45vh] max-w-full rounded-md object-contain"
        />
      ) : (
        <div className="flex flex-col items-center gap-3 py-8 text-ink-soft">
          <File aria-hidden strokeWidth={1.25} className="size-14" />
          {file.mimeType !== PDF && <p className="text-xs">{t("file.noPreview")}</p>}
          {file.mimeType === PDF && onOpen && (
            <Button size="sm" onClick={onOpen}>
              <BookOpen aria-hidden />
              {t("file.open")}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-ink-soft text-xs">{label}</dt>
      <dd className="mt-0.5 break-words">{children}</dd>
    </div>
  );
}
