import { useState } from "react";
import { extensionOf } from "../../../../worker/contract/files";
import { failureText } from "../request/failure-text";
import type { RequestedDocument } from "../request/submission-api";
import { useTexts } from "../translation/use-texts";
import { Problem } from "../wizard/text-field";
import { fileTypeList } from "./check-file";
import { type FileProblem, maxFilesOf } from "./document-files";

type DocumentProblemProps = {
  id: string;
  document: RequestedDocument;
  problem: FileProblem | null;
  maxFileSize: number;
};

/** What is wrong with the answer to a document, and what to do. */
export function DocumentProblem({ id, document, problem, maxFileSize }: DocumentProblemProps) {
  const { t, texts, size } = useTexts();
  // What was there before this step was heard then.
  const [earlier] = useState(problem);
  if (!problem) return null;
  const { kind } = problem;
  const textOf = ({ kind, fileName, fileSize, response, picture = "", more }: FileProblem): string => {
    const text =
      kind === "rejected"
        ? t("problems.rejected", { file: fileName, reason: response ? failureText(texts, response) : "" })
        : t(`problems.${kind}`, {
            file: fileName,
            size: size(fileSize),
            max: kind === "tooMany" ? maxFilesOf(document) : size(maxFileSize),
            types: fileTypeList(document),
            type: extensionOf(fileName).toUpperCase(),
            extension: extensionOf(fileName),
            picture,
          });
    return more ? `${text}\n${textOf(more)}` : text;
  };
  return (
    <div className="mt-2">
      <Problem id={id} announced={problem !== earlier && kind !== "missing" && kind !== "noReason"}>
        {textOf(problem)}
      </Problem>
    </div>
  );
}
