import { Info } from "lucide-react";
import { useState } from "react";
import { DocumentCard } from "../files/document-card";
import type { FileChoice } from "../files/use-files";
import type { RecipientRequest } from "../request/submission-api";
import { useTexts } from "../translation/use-texts";

type StepDocumentsProps = {
  request: RecipientRequest;
  choice: FileChoice;
  lostFiles: boolean;
};

export function StepDocuments({ request, choice, lostFiles }: StepDocumentsProps) {
  const { t } = useTexts();
  const [announcement, setAnnouncement] = useState("");
  return (
    <>
      <p className="text-ink-soft">{t("documents.hint")}</p>
      {lostFiles && (
        <p className="mt-4 flex gap-3 rounded-card bg-sunken p-4">
          <Info aria-hidden className="mt-0.5 size-5 shrink-0 text-ink-soft" />
          {t("documents.chooseAgain")}
        </p>
      )}
      <ul className="mt-5 flex flex-col gap-4">
        {request.documents.map((document) => {
          const { name } = document;
          return (
            <DocumentCard
              key={name}
              document={document}
              maxFileSize={request.maxFileSize}
              file={choice.files.get(name)}
              problem={choice.problems.get(name)}
              onFiles={(files) => {
                const taken = choice.choose(document, files);
                setAnnouncement(taken ? t("documents.added", { file: taken.name, name }) : "");
              }}
              onRemove={() => {
                choice.remove(name);
                setAnnouncement(t("documents.removed", { name }));
              }}
            />
          );
        })}
      </ul>
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </>
  );
}
