import { CircleCheck, CircleDashed, LoaderCircle } from "lucide-react";
import type { ReactNode } from "react";
import { Badge } from "../../../components/ui/badge";
import { FileLine } from "../files/chosen-file";
import { type FileEntry, filesOf } from "../files/document-files";
import type { RequestedDocument } from "../request/submission-api";
import { useTexts } from "../translation/use-texts";
import { FileProgress, UploadProgress } from "../upload/upload-progress";
import type { WizardState } from "./wizard-state";

type StepReviewProps = { state: WizardState; requested: readonly RequestedDocument[] };

export function StepReview({ state, requested }: StepReviewProps) {
  const { t } = useTexts();
  const { information, documents, sending, failure } = state;
  return (
    <>
      <p className="text-ink-soft">{t("review.hint")}</p>
      {sending && <UploadProgress documents={documents} />}
      <h3 className="mt-6">{t("review.information")}</h3>
      <dl className="mt-2 rounded-card border border-line">
        <Entry term={t("information.name")}>{information.name}</Entry>
        <Entry term={t("information.email")}>{information.email}</Entry>
      </dl>
      <h3 className="mt-6">{t("review.documents")}</h3>
      <ul className="mt-2 divide-y divide-line rounded-card border border-line">
        {requested.map(({ name }) => (
          <ReviewedDocument
            key={name}
            name={name}
            files={filesOf(documents, name).files}
            sending={sending}
            failed={failure !== null}
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

type ReviewedDocumentProps = {
  name: string;
  files: readonly FileEntry[];
  sending: boolean;
  failed: boolean;
};

function ReviewedDocument({ name, files, sending, failed }: ReviewedDocumentProps) {
  const { t } = useTexts();
  return (
    <li className="px-4 py-3.5">
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <h4 className="min-w-0 break-words font-medium leading-6">{name}</h4>
        <DocumentBadge files={files} failed={failed} />
      </div>
      {files.length === 0 && <p className="mt-2 text-ink-soft text-sm">{t("review.noFile")}</p>}
      {files.map((entry) => (
        <div key={entry.id} className="mt-2">
          <FileLine file={entry.file} />
          {sending && <FileProgress entry={entry} />}
        </div>
      ))}
    </li>
  );
}

/** The specification calls a chosen file "Uploaded". During an upload and after a failed one, it is not. */
function DocumentBadge({ files, failed }: { files: readonly FileEntry[]; failed: boolean }) {
  const { t } = useTexts();
  if (files.length === 0)
    return (
      <Badge tone="secondary" icon={CircleDashed}>
        {t("review.notUploaded")}
      </Badge>
    );
  if (files.some(({ status }) => status === "uploading"))
    return (
      <Badge tone="secondary" icon={LoaderCircle}>
        {t("review.uploading")}
      </Badge>
    );
  if (failed)
    return (
      <Badge tone="secondary" icon={CircleDashed}>
        {t("review.ready")}
      </Badge>
    );
  return (
    <Badge tone="good" icon={CircleCheck}>
      {t("review.uploaded")}
    </Badge>
  );
}
