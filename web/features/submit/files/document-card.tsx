import { RefreshCw, X } from "lucide-react";
import { type RefObject, useEffect, useId, useRef } from "react";
import { Badge } from "../../../components/ui/badge";
import { Button } from "../../../components/ui/button";
import { cx } from "../../../lib/cx";
import type { RequestedDocument } from "../request/submission-api";
import { useTexts } from "../translation/use-texts";
import { fileTypeList } from "./check-file";
import { type DocumentFiles, type FileEntry, maxFilesOf } from "./document-files";
import { DocumentProblem } from "./document-problem";
import { FileLine } from "./file-line";
import { FilePicker } from "./file-picker";
import { SkipField } from "./skip-field";
import { useDrop } from "./use-drop";

type DocumentCardProps = {
  document: RequestedDocument;
  answer: DocumentFiles;
  maxFileSize: number;
  onFiles: (files: readonly File[]) => void;
  onRemove: (id: string) => void;
  onSkip: (answer: Pick<DocumentFiles, "skipped" | "skipReason">) => void;
};

/** One requested document: what it is, what is accepted, and its files. */
export function DocumentCard(props: DocumentCardProps) {
  const { document, answer, maxFileSize, onFiles, onRemove, onSkip } = props;
  const { files, problem, skipped } = answer;
  const { t, size } = useTexts();
  const id = useId();
  const full = files.length >= maxFilesOf(document);
  const input = useRef<HTMLInputElement>(null);
  const replace = useRef<HTMLButtonElement>(null);
  const { over: dropping, handlers } = useDrop(onFiles);
  useEffect(() => {
    // A chosen file hides the input; its Replace button takes the focus.
    if (full && input.current?.ownerDocument.activeElement === input.current) replace.current?.focus();
  }, [full]);
  return (
    <li
      {...handlers}
      className={cx(
        "rounded-card border p-4 transition-colors duration-150",
        dropping ? "border-accent bg-accent-soft" : problem ? "border-bad" : "border-line",
      )}
    >
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <h3 id={`${id}-name`} className="min-w-0 break-words leading-6">
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
        {`${t("documents.accepted", { types: fileTypeList(document) })} · ${t("documents.maxSize", { size: size(maxFileSize) })}`}
        {document.multiple && ` · ${t("documents.several", { max: maxFilesOf(document) })}`}
        {files.map(({ id, name }) => (
          <span key={id} className="sr-only">{` · ${t("documents.chosen", { file: name })}`}</span>
        ))}
      </p>
      {files.length > 0 && (
        <ul className="mt-3 flex flex-col gap-2">
          {files.map((entry) => (
            <li key={entry.id} className="rounded-control border border-line bg-sunken p-3">
              <FileLine entry={entry}>
                <FileButtons
                  document={document}
                  entry={entry}
                  replaceRef={replace}
                  onReplace={() => input.current?.click()}
                  onRemove={() => {
                    onRemove(entry.id);
                    input.current?.focus();
                  }}
                />
              </FileLine>
            </li>
          ))}
        </ul>
      )}
      <div className={cx(!skipped && !full && "mt-3")}>
        <FilePicker
          ref={input}
          document={document}
          labelledBy={`${id}-name`}
          describedBy={[`${id}-about`, problem && `${id}-problem`].filter(Boolean).join(" ")}
          invalid={problem !== null}
          dropping={dropping}
          hidden={full || skipped}
          onFiles={onFiles}
        />
      </div>
      {problem && (
        <DocumentProblem
          id={`${id}-problem`}
          document={document}
          problem={problem}
          maxFileSize={maxFileSize}
        />
      )}
      {!document.required && files.length === 0 && (
        <SkipField
          document={document.name}
          skipped={skipped}
          skipReason={answer.skipReason}
          onChange={onSkip}
        />
      )}
    </li>
  );
}

type FileButtonsProps = {
  document: RequestedDocument;
  entry: FileEntry;
  replaceRef: RefObject<HTMLButtonElement | null>;
  onReplace: () => void;
  onRemove: () => void;
};

const TIGHT = "px-2.5 max-[359px]:px-1.5";

function FileButtons({ document, entry, replaceRef, onReplace, onRemove }: FileButtonsProps) {
  const { t } = useTexts();
  const { name, multiple } = document;
  const file = entry.name;
  const unfinished = entry.status === "unfinished";
  return (
    <>
      {(!multiple || unfinished) && (
        <Button
          ref={replaceRef}
          onClick={onReplace}
          className={TIGHT}
          aria-label={t(unfinished ? "documents.chooseAgainNamed" : "documents.replaceNamed", { name, file })}
        >
          <RefreshCw aria-hidden />
          {t(unfinished ? "documents.chooseAgain" : "documents.replace")}
        </Button>
      )}
      <Button
        variant="ghost"
        onClick={onRemove}
        className={TIGHT}
        aria-label={t(multiple ? "documents.removeFile" : "documents.removeNamed", { name, file })}
      >
        <X aria-hidden />
        {t("documents.remove")}
      </Button>
    </>
  );
}
