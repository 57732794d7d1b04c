import { RefreshCw, X } from "lucide-react";
import type { RefObject } from "react";
import { Button } from "../../../components/ui/button";
import type { RequestedDocument } from "../request/submission-api";
import { useTexts } from "../translation/use-texts";
import type { FileEntry } from "./document-files";
import { FileLine } from "./file-line";

type ChosenFilesProps = {
  document: RequestedDocument;
  files: readonly FileEntry[];
  replaceRef: RefObject<HTMLButtonElement | null>;
  onReplace: () => void;
  onRemove: (id: string) => void;
};

/** The chosen files of a document. */
export function ChosenFiles({ document, files, replaceRef, onReplace, onRemove }: ChosenFilesProps) {
  return (
    <ul className="mt-3 flex flex-col gap-2">
      {files.map((entry) => (
        <li key={entry.id} className="rounded-control border border-line bg-sunken p-3">
          <FileLine entry={entry}>
            <FileButtons
              document={document}
              entry={entry}
              replaceRef={replaceRef}
              onReplace={onReplace}
              onRemove={() => onRemove(entry.id)}
            />
          </FileLine>
        </li>
      ))}
    </ul>
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

/** Replaces or removes a chosen file. */
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
