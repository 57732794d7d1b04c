import { Download, RefreshCw, X } from "lucide-react";
import { type DragEvent, type RefObject, useEffect, useId, useRef, useState } from "react";
import { Badge } from "../../../components/ui/badge";
import { Button, buttonClass } from "../../../components/ui/button";
import { FileName } from "../../../components/ui/file-name";
import { Separated } from "../../../components/ui/separated";
import { cx } from "../../../lib/cx";
import { ValidUntil } from "../questions/valid-until";
import { type RequestedDocument, submissionUrl } from "../request/submission-api";
import { useTexts } from "../translation/use-texts";
import { fileTypeList } from "./check-file";
import { type DocumentFiles, type FileEntry, maxFilesOf, type SkipAnswer } from "./document-files";
import { DocumentProblem } from "./document-problem";
import { FileLine } from "./file-line";
import { FilePicker } from "./file-picker";
import { SkipField } from "./skip-field";

type DocumentCardProps = {
  token: string;
  document: RequestedDocument;
  answer: DocumentFiles;
  maxFileSize: number;
  /** Whom to ask about a document that the recipient does not have. */
  requestor: string;
  /** The name of the other document for which the file was chosen too. */
  otherWith: (entry: FileEntry) => string | undefined;
  onFiles: (files: readonly File[]) => void;
  onRemove: (id: string) => void;
  onSkip: (answer: SkipAnswer) => void;
  onAsk: () => void;
};

/** One requested document: what it is, what is accepted, and its files. */
export function DocumentCard(props: DocumentCardProps) {
  const { token, document, answer, maxFileSize, requestor, otherWith } = props;
  const { onFiles, onRemove, onSkip, onAsk } = props;
  const { t, size } = useTexts();
  const { files, problem, skipped } = answer;
  const id = useId();
  const full = files.length >= maxFilesOf(document);
  const input = useRef<HTMLInputElement>(null);
  const replace = useRef<HTMLButtonElement>(null);
  const { over: dropping, handlers } = useDrop(onFiles);
  useEffect(() => {
    // A chosen file hides the input; its Replace button takes the focus.
    if (full && input.current?.ownerDocument.activeElement === input.current) replace.current?.focus();
  }, [full]);
  const problemText = (
    <DocumentProblem id={`${id}-problem`} document={document} problem={problem} maxFileSize={maxFileSize} />
  );
  return (
    <li
      {...handlers}
      data-document={document.id}
      className={cx(
        "scroll-mt-14 rounded-card border p-4 transition-colors duration-150",
        dropping ? "border-accent bg-accent-soft" : problem ? "border-bad" : "border-line",
      )}
    >
      <DocumentAbout id={id} document={document} answer={answer} maxFileSize={maxFileSize} />
      {document.attachments.map(({ id, fileName, fileSize }) => (
        <p key={id} className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1">
          <a
            // Whoever only tries the page is a member.
            href={`${token ? submissionUrl(token) : "/api"}/attachments/${id}`}
            download={fileName}
            aria-label={t("labelled", { label: t("documents.form"), value: fileName })}
            className={buttonClass()}
          >
            <Download aria-hidden />
            {t("documents.form")}
          </a>
          <span className="min-w-0 text-ink-soft text-sm">
            <Separated>
              <FileName name={fileName} />
              {size(fileSize)}
            </Separated>
          </span>
        </p>
      ))}
      {files.length > 0 && (
        <ChosenFiles
          document={document}
          files={files}
          otherWith={otherWith}
          replaceRef={replace}
          onReplace={() => input.current?.click()}
          onRemove={(id) => {
            onRemove(id);
            input.current?.focus();
          }}
        />
      )}
      {files.length > 0 && document.asksValidUntil && <ValidUntil document={document} />}
      <div className={cx(!skipped && !full && "mt-3")}>
        <FilePicker
          ref={input}
          document={document}
          labelledBy={`${id}-name`}
          describedBy={[`${id}-help`, `${id}-about`, problem && `${id}-problem`].filter(Boolean).join(" ")}
          // A file that was refused beside others leads nobody back here from the Next button.
          invalid={problem !== null && (files.length === 0 || problem.kind === "unfinished") && !skipped}
          dropping={dropping}
          hidden={full || skipped}
          onFiles={onFiles}
        />
      </div>
      {!skipped && problemText}
      {files.length === 0 &&
        (document.required && !document.reasonAllowed ? (
          <button
            type="button"
            aria-describedby={`${id}-name`}
            onClick={onAsk}
            className="mt-3 max-w-full cursor-pointer py-1 text-left [overflow-wrap:anywhere] text-ink-soft text-sm underline underline-offset-2 hover:text-ink"
          >
            {t("skip.ask", { name: requestor })}
          </button>
        ) : (
          <SkipField
            document={document}
            describedBy={`${id}-name`}
            skipped={skipped}
            skipReason={answer.skipReason}
            problemId={problem && `${id}-problem`}
            onChange={onSkip}
          />
        ))}
      {skipped && problemText}
    </li>
  );
}

type DocumentAboutProps = {
  /** The prefix of the ids of its name and its conditions. */
  id: string;
  document: RequestedDocument;
  answer: DocumentFiles;
  maxFileSize: number;
};

/** What is requested, why it is requested again, and which files are accepted. */
function DocumentAbout({ id, document, answer, maxFileSize }: DocumentAboutProps) {
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
      <div id={`${id}-help`}>
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
      </div>
      <p id={`${id}-about`} className="mt-1 text-ink-soft text-sm">
        <Separated>
          {t("documents.accepted", { types: fileTypeList(document) })}
          {t("documents.maxSize", { size: size(maxFileSize) })}
          {document.multiple && t("documents.several", { max: maxFilesOf(document) })}
        </Separated>
        {files.map(({ id, name }) => (
          <span key={id} className="sr-only">{` · ${t("documents.chosen", { file: name })}`}</span>
        ))}
      </p>
    </>
  );
}

/** Handlers for an element that files can be dropped on, and whether files are held over it. */
function useDrop(onFiles: (files: readonly File[]) => void) {
  const [depth, setDepth] = useState(0);
  // A child is entered before its parent is left, so enter and leave events are counted.
  const handlers = {
    onDragEnter: (event: DragEvent) => {
      if (hasFiles(event)) setDepth((depth) => depth + 1);
    },
    onDragLeave: (event: DragEvent) => {
      if (hasFiles(event)) setDepth((depth) => Math.max(0, depth - 1));
    },
    onDragOver: (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "copy";
    },
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setDepth(0);
      if (event.dataTransfer.files.length > 0) onFiles([...event.dataTransfer.files]);
    },
  };
  return { over: depth > 0, handlers };
}

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes("Files");

type ChosenFilesProps = {
  document: RequestedDocument;
  files: readonly FileEntry[];
  otherWith: DocumentCardProps["otherWith"];
  replaceRef: RefObject<HTMLButtonElement | null>;
  onReplace: () => void;
  onRemove: (id: string) => void;
};

const TIGHT = "px-2.5 max-[359px]:px-1.5";

/** The chosen files of a document, each with what replaces or removes it. */
function ChosenFiles({ document, files, otherWith, replaceRef, onReplace, onRemove }: ChosenFilesProps) {
  const { t } = useTexts();
  const { name, multiple } = document;
  return (
    <ul className="mt-3 flex flex-col gap-2">
      {files.map((entry) => {
        const other = otherWith(entry);
        const unfinished = entry.status === "unfinished";
        const named = { name, file: entry.name };
        return (
          <li key={entry.id} className="rounded-control border border-line bg-sunken p-3">
            <FileLine entry={entry}>
              {(!multiple || unfinished) && (
                <Button
                  ref={replaceRef}
                  onClick={onReplace}
                  className={TIGHT}
                  aria-label={t(unfinished ? "documents.chooseAgainNamed" : "documents.replaceNamed", named)}
                >
                  <RefreshCw aria-hidden />
                  {t(unfinished ? "documents.chooseAgain" : "documents.replace")}
                </Button>
              )}
              <Button
                variant="ghost"
                onClick={() => onRemove(entry.id)}
                className={TIGHT}
                aria-label={t(multiple ? "documents.removeFile" : "documents.removeNamed", named)}
              >
                <X aria-hidden />
                {t("documents.remove")}
              </Button>
            </FileLine>
            <p role="status" className="not-empty:mt-2 break-words text-sm text-warn">
              {other !== undefined && t("documents.same", { file: entry.name, document: other })}
            </p>
          </li>
        );
      })}
    </ul>
  );
}
