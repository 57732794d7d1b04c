import { useState } from "react";
import type { RecipientRequest, RequestedDocument } from "../request/submission-api";
import { checkFile, type FileProblem, fileProblem, isReadable } from "./check-file";

export type FileChoice = {
  /** By the name of the document. */
  files: ReadonlyMap<string, File>;
  problems: ReadonlyMap<string, FileProblem>;
  /** Takes the file for the document if nothing speaks against it, and returns it. */
  choose: (document: RequestedDocument, files: readonly File[]) => File | null;
  remove: (name: string) => void;
  /** Marks the required documents that have no file; tells whether there are any. */
  markMissing: (documents: readonly RequestedDocument[]) => boolean;
  /** Lets go of the document's file, which the server found a virus in; tells whether there is one. */
  removeInfected: (name: unknown) => boolean;
  /** Lets go of files that cannot be read any more; tells whether there are any. */
  removeUnreadable: () => Promise<boolean>;
};

export function useFiles(request: RecipientRequest | null): FileChoice {
  const [files, setFiles] = useState<ReadonlyMap<string, File>>(new Map());
  const [problems, setProblems] = useState<ReadonlyMap<string, FileProblem>>(new Map());
  return {
    files,
    problems,
    choose(document, [file, ...others]) {
      if (!file || !request) return null;
      const found =
        others.length > 0 ? fileProblem("several") : checkFile(file, document, request.maxFileSize);
      setProblems(found ? withEntry(problems, document.name, found) : without(problems, document.name));
      if (found) return null;
      setFiles(withEntry(files, document.name, file));
      return file;
    },
    remove(name) {
      setFiles(without(files, name));
      setProblems(without(problems, name));
    },
    markMissing(documents) {
      const missing = documents.filter(({ name, required }) => required && !files.has(name));
      const marks = missing.map(({ name }) => [name, problems.get(name) ?? fileProblem("missing")] as const);
      if (marks.length > 0) setProblems(new Map([...problems, ...marks]));
      return marks.length > 0;
    },
    removeInfected(name) {
      const file = typeof name === "string" && files.get(name);
      if (!file) return false;
      setFiles(without(files, name));
      setProblems(withEntry(problems, name, fileProblem("infected", file)));
      return true;
    },
    async removeUnreadable() {
      const checked = await Promise.all(
        [...files].map(async ([name, file]) => ({ name, file, readable: await isReadable(file) })),
      );
      const gone = checked.filter(({ readable }) => !readable);
      if (gone.length === 0) return false;
      setFiles(new Map(checked.filter(({ readable }) => readable).map(({ name, file }) => [name, file])));
      setProblems(new Map(gone.map(({ name, file }) => [name, fileProblem("gone", file)])));
      return true;
    },
  };
}

function withEntry<Value>(map: ReadonlyMap<string, Value>, name: string, value: Value) {
  return new Map([...map, [name, value] as const]);
}

function without<Value>(map: ReadonlyMap<string, Value>, name: string) {
  return new Map([...map].filter(([other]) => other !== name));
}
