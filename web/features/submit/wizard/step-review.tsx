import { CircleCheck, CircleDashed } from "lucide-react";
import type { ReactNode } from "react";
import { Badge } from "../../../components/ui/badge";
import { FileLine } from "../files/chosen-file";
import type { RequestedDocument } from "../request/submission-api";
import { useTexts } from "../translation/use-texts";
import { FileProgress, UploadProgress } from "../upload/upload-progress";
import type { UploadState } from "../upload/use-upload";
import type { Information } from "./step-information";

type StepReviewProps = {
  information: Information;
  documents: readonly RequestedDocument[];
  files: ReadonlyMap<string, File>;
  sending: UploadState | null;
};

export function StepReview({ information, documents, files, sending }: StepReviewProps) {
  const { t } = useTexts();
  return (
    <>
      <p className="text-ink-soft">{t("review.hint")}</p>
      {sending && <UploadProgress sending={sending} />}
      <h3 className="mt-6">{t("review.information")}</h3>
      <dl className="mt-2 rounded-card border border-line">
        <Entry term={t("information.name")}>{information.name}</Entry>
        <Entry term={t("information.email")}>{information.email}</Entry>
      </dl>
      <h3 className="mt-6">{t("review.documents")}</h3>
      <ul className="mt-2 divide-y divide-line rounded-card border border-line">
        {documents.map(({ name }) => (
          <ReviewedDocument
            key={name}
            name={name}
            file={files.get(name)}
            fraction={sending?.fractions.get(name)}
          />
        ))}
      </ul>
    </>
  );
}

function Entry({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="border-line px-4 py-3 sm:grid sm:grid-cols-[9rem_1fr] sm:gap-4 [&+&]:border-t">
      <dt className="text-ink-soft text-sm leading-6">{term}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  );
}

type ReviewedDocumentProps = { name: string; file: File | undefined; fraction: number | undefined };

function ReviewedDocument({ name, file, fraction }: ReviewedDocumentProps) {
  const { t } = useTexts();
  return (
    <li className="px-4 py-3.5">
      <div className="flex items-start justify-between gap-3">
        <h4 className="min-w-0 break-words font-medium leading-6">{name}</h4>
        {file ? (
          <Badge tone="good" icon={CircleCheck}>
            {t("review.uploaded")}
          </Badge>
        ) : (
          <Badge tone="secondary" icon={CircleDashed}>
            {t("review.notUploaded")}
          </Badge>
        )}
      </div>
      <div className="mt-2">
        {file ? <FileLine file={file} /> : <p className="text-ink-soft text-sm">{t("review.noFile")}</p>}
      </div>
      {file && fraction !== undefined && <FileProgress fileName={file.name} fraction={fraction} />}
    </li>
  );
}
