import { Badge } from "../../../components/ui/badge";
import type { RequestedDocument } from "../request/submission-api";
import { useTexts } from "../translation/use-texts";
import { fileTypeList } from "./check-file";
import { type DocumentFiles, maxFilesOf } from "./document-files";

type DocumentAboutProps = {
  /** The prefix of the ids of its name and its conditions. */
  id: string;
  document: RequestedDocument;
  answer: DocumentFiles;
  maxFileSize: number;
};

/** What is requested, why it is requested again, and which files are accepted. */
export function DocumentAbout({ id, document, answer, maxFileSize }: DocumentAboutProps) {
  const { t, size } = useTexts();
  const { files, skipped } = answer;
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <h3 id={`${id}-name`} className="min-w-0 hyphens-auto break-words leading-6">
          {document.name}
        </h3>
        <Badge tone={document.required ? "default" : "secondary"}>
          {t(document.required ? "required" : "optional")}
        </Badge>
      </div>
      {document.description && (
        <p className="mt-1 whitespace-pre-line break-words text-ink-soft">{document.description}</p>
      )}
      {document.reason && (
        <p className="mt-2 whitespace-pre-line break-words rounded-control bg-warn-soft p-3">
          {t("documents.returned", { reason: document.reason })}
        </p>
      )}
      {document.state === "skipped" && !skipped && files.length === 0 && (
        <p className="mt-1 text-ink-soft">{t("documents.skippedBefore")}</p>
      )}
      <p id={`${id}-about`} className="mt-1 break-words text-ink-soft text-sm">
        {`${t("documents.accepted", { types: fileTypeList(document) })} · `}
        <span className="inline-block">{t("documents.maxSize", { size: size(maxFileSize) })}</span>
        {document.multiple && ` · ${t("documents.several", { max: maxFilesOf(document) })}`}
        {files.map(({ id, name }) => (
          <span key={id} className="sr-only">{` · ${t("documents.chosen", { file: name })}`}</span>
        ))}
      </p>
    </>
  );
}
