import { useEffect, useId, useRef } from "react";
import { cx } from "../../../lib/cx";
import type { RequestedDocument } from "../request/submission-api";
import { ChosenFiles } from "./chosen-files";
import { DocumentAbout } from "./document-about";
import { type DocumentFiles, maxFilesOf, type SkipAnswer } from "./document-files";
import { DocumentProblem } from "./document-problem";
import { FilePicker } from "./file-picker";
import { SkipField } from "./skip-field";
import { useDrop } from "./use-drop";

type DocumentCardProps = {
  document: RequestedDocument;
  answer: DocumentFiles;
  maxFileSize: number;
  onFiles: (files: readonly File[]) => void;
  onRemove: (id: string) => void;
  onSkip: (answer: SkipAnswer) => void;
};

/** One requested document: what it is, what is accepted, and its files. */
export function DocumentCard(props: DocumentCardProps) {
  const { document, answer, maxFileSize, onFiles, onRemove, onSkip } = props;
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
  return (
    <li
      {...handlers}
      className={cx(
        "rounded-card border p-4 transition-colors duration-150",
        dropping ? "border-accent bg-accent-soft" : problem ? "border-bad" : "border-line",
      )}
    >
      <DocumentAbout id={id} document={document} answer={answer} maxFileSize={maxFileSize} />
      {files.length > 0 && (
        <ChosenFiles
          document={document}
          files={files}
          replaceRef={replace}
          onReplace={() => input.current?.click()}
          onRemove={(id) => {
            onRemove(id);
            input.current?.focus();
          }}
        />
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
