import { CircleCheck, Info } from "lucide-react";
import { useState } from "react";
import { Badge } from "../../../components/ui/badge";
import { DocumentCard } from "../files/document-card";
import { type FilesByDocument, filesOf } from "../files/document-files";
import { isReceived, type RecipientRequest, type RequestedDocument } from "../request/submission-api";
import { useTexts } from "../translation/use-texts";

type StepDocumentsProps = {
  request: RecipientRequest;
  documents: FilesByDocument;
  filesLost: boolean;
  /** Returns the files if the document accepts them. */
  onChoose: (document: RequestedDocument, files: readonly File[]) => readonly File[];
  onRemove: (document: RequestedDocument, id: string) => void;
};

export function StepDocuments({ request, documents, filesLost, onChoose, onRemove }: StepDocumentsProps) {
  const { t } = useTexts();
  const [announcement, setAnnouncement] = useState("");
  return (
    <>
      <p className="text-ink-soft">{t("documents.hint")}</p>
      {filesLost && (
        <p className="mt-4 flex gap-3 rounded-card bg-sunken p-4">
          <Info aria-hidden className="mt-0.5 size-5 shrink-0 text-ink-soft" />
          {t("documents.chooseAgain")}
        </p>
      )}
      <ul className="mt-5 flex flex-col gap-4">
        {request.documents.map((document) => {
          const { name } = document;
          if (isReceived(document)) return <ReceivedDocument key={name} document={document} />;
          return (
            <DocumentCard
              key={name}
              document={document}
              maxFileSize={request.maxFileSize}
              {...filesOf(documents, name)}
              onFiles={(files) => {
                const accepted = onChoose(document, files);
                const file = accepted.map((file) => file.name).join(", ");
                setAnnouncement(file && t("documents.added", { file, name }));
              }}
              onRemove={(id) => {
                onRemove(document, id);
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

/** A document of an earlier submission, which cannot be changed. */
function ReceivedDocument({ document: { name } }: { document: RequestedDocument }) {
  const { t } = useTexts();
  return (
    <li className="flex items-start justify-between gap-3 rounded-card border border-line bg-sunken p-4">
      <h3 className="min-w-0 break-words leading-6">{name}</h3>
      <Badge tone="good" icon={CircleCheck}>
        {t("documents.stateReceived")}
      </Badge>
    </li>
  );
}
