import { type DragEvent, useEffect, useId, useRef, useState } from "react";
import { extensionOf } from "../../../../worker/contract/files";
import { Badge } from "../../../components/ui/badge";
import { cx } from "../../../lib/cx";
import type { RequestedDocument } from "../request/submission-api";
import { useTexts } from "../translation/use-texts";
import { Problem } from "../wizard/text-field";
import { type FileProblem, fileTypeList } from "./check-file";
import { ChosenFile } from "./chosen-file";
import { type FileEntry, maxFilesOf } from "./document-files";
import { FilePicker } from "./file-picker";

type DocumentCardProps = {
  document: RequestedDocument;
  maxFileSize: number;
  files: readonly FileEntry[];
  problem: FileProblem | null;
  onFiles: (files: readonly File[]) => void;
  onRemove: (id: string) => void;
};

/** One requested document: what it is, what is accepted, and the files chosen for it. */
export function DocumentCard(props: DocumentCardProps) {
  const { document, maxFileSize, files, problem, onFiles, onRemove } = props;
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
  const describedBy = [`${id}-about`, problem && `${id}-problem`].filter(Boolean).join(" ");
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
      <p id={`${id}-about`} className="mt-1 break-words text-ink-soft text-sm">
        {`${t("documents.accepted", { types: fileTypeList(document) })} · ${t("documents.maxSize", { size: size(maxFileSize) })}`}
        {files.map((entry) => (
          <span
            key={entry.id}
            className="sr-only"
          >{` · ${t("documents.chosen", { file: entry.file.name })}`}</span>
        ))}
      </p>
      <div className="mt-3">
        <FilePicker
          ref={input}
          document={document}
          labelledBy={`${id}-name`}
          describedBy={describedBy}
          invalid={problem !== null}
          dropping={dropping}
          hidden={full}
          onFiles={onFiles}
        />
        {files.map((entry) => (
          <ChosenFile
            key={entry.id}
            ref={replace}
            document={document.name}
            file={entry.file}
            onReplace={() => input.current?.click()}
            onRemove={() => {
              onRemove(entry.id);
              input.current?.focus();
            }}
          />
        ))}
      </div>
      {problem && (
        <div className="mt-2">
          <Problem id={`${id}-problem`} announced={problem.kind !== "missing"}>
            {t(`problems.${problem.kind}`, {
              file: problem.fileName,
              size: size(problem.fileSize),
              max: size(maxFileSize),
              types: fileTypeList(document),
              type: extensionOf(problem.fileName).toUpperCase(),
            })}
          </Problem>
        </div>
      )}
    </li>
  );
}

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
