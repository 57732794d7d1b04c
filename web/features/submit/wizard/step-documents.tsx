import { CircleCheck } from "lucide-react";
import { Badge } from "../../../components/ui/badge";
import { DocumentCard } from "../files/document-card";
import { type FilesByDocument, filesOf, type SkipAnswer } from "../files/document-files";
import { isReceived, type RecipientRequest, type RequestedDocument } from "../request/submission-api";
import { useTexts } from "../translation/use-texts";

type StepDocumentsProps = {
  request: RecipientRequest;
  documents: FilesByDocument;
  wizard: {
    chooseFiles: (document: RequestedDocument, files: readonly File[]) => void;
    removeFile: (document: RequestedDocument, id: string) => void;
    skipDocument: (document: RequestedDocument, answer: SkipAnswer) => void;
  };
};

export function StepDocuments({ request, documents, wizard }: StepDocumentsProps) {
  const { t } = useTexts();
  return (
    <>
      <p className="text-ink-soft">{t("documents.hint")}</p>
      <ul className="mt-5 flex flex-col gap-4">
        {request.documents.map((document) =>
          isReceived(document) ? (
            <ReceivedDocument key={document.id} document={document} />
          ) : (
            <DocumentCard
              key={document.id}
              document={document}
              answer={filesOf(documents, document.id)}
              maxFileSize={request.maxFileSize}
              onFiles={(files) => wizard.chooseFiles(document, files)}
              onRemove={(id) => wizard.removeFile(document, id)}
              onSkip={(answer) => wizard.skipDocument(document, answer)}
            />
          ),
        )}
      </ul>
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
