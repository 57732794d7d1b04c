import type { RefObject } from "react";
import type { RequestedDocument } from "../request/submission-api";
import type { FileEntry } from "./document-files";
import { FileButtons } from "./file-buttons";
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
