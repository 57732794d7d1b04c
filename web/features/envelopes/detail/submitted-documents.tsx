import { CalendarClock, FileArchive, FileX, ScanSearch } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button";
import { Card } from "../../../components/ui/card";
import { useFormat } from "../../../lib/use-format";
import type { Envelope } from "../envelopes.queries";
import { DocumentActions, DocumentReason, shownState } from "../review/document-actions";
import { answersOf, type DocumentAnswer, type EnvelopeDocument } from "../review/document-answers";
import { DocumentStateBadge } from "../review/document-state-badge";
import { SendReturns } from "../review/send-returns";
import type { Review } from "../review/use-review";
import { useDownload } from "../use-download";
import { SubmittedFile } from "./submitted-file";

export type ReviewActions = {
  review: Review;
  /** Opens a submitted file. */
  onView: (fileId: number) => void;
  /** Opens the review mode. */
  onReview: () => void;
  onAskAgain: (document: EnvelopeDocument) => void;
};

type SubmittedDocumentsProps = ReviewActions & { envelope: Envelope };

/** The submitted documents, each with its state and actions. */
export function SubmittedDocuments({ envelope, ...actions }: SubmittedDocumentsProps) {
  const { t } = useTranslation(["envelopes", "review"]);
  const top = useRef<HTMLDivElement>(null);
  const download = useDownload();
  const answers = answersOf(envelope);
  const available = envelope.submissions.some(({ url, superseded }) => url && !superseded);
  return (
    <Card title={t("detail.submitted")}>
      <div ref={top} tabIndex={-1} className="outline-none">
        {available && (
          <div className="mb-3 flex flex-wrap gap-2">
            <Button size="sm" variant="primary" onClick={actions.onReview}>
              <ScanSearch aria-hidden />
              {t("review:start")}
            </Button>
            <Button size="sm" onClick={() => download.archive(envelope.id)}>
              <FileArchive aria-hidden />
              {t("review:downloadAll")}
            </Button>
          </div>
        )}
        <RetentionNote envelope={envelope} />
        <RecipientNote note={envelope.note} />
        <ul className="-my-3 divide-y divide-line">
          {answers.map((answer) => (
            <Answer
              key={answer.document?.id ?? answer.name}
              answer={answer}
              envelope={envelope}
              {...actions}
            />
          ))}
        </ul>
        {actions.review.pendingReturns.size > 0 && (
          <div className="mt-5">
            <SendReturns review={actions.review} onDone={() => top.current?.focus({ preventScroll: true })} />
          </div>
        )}
      </div>
    </Card>
  );
}

/** When the files will be or were deleted, if the workspace limits how long they are kept. */
function RetentionNote({ envelope: { filesDeletionAt, filesDeletedAt } }: { envelope: Envelope }) {
  const { t } = useTranslation("envelopes");
  const format = useFormat();
  const at = filesDeletedAt ?? filesDeletionAt;
  if (!at) return null;
  const Icon = filesDeletedAt ? FileX : CalendarClock;
  return (
    <p className="mb-3 flex items-start gap-2 rounded-control bg-sunken p-3 text-ink-soft text-xs">
      <Icon aria-hidden className="size-4 shrink-0" />
      {t(filesDeletedAt ? "detail.filesDeleted" : "detail.deletion", { date: format.date(at) })}
    </p>
  );
}

function RecipientNote({ note }: { note: string | null }) {
  const { t } = useTranslation("review");
  if (!note) return null;
  return (
    <figure className="mb-3 rounded-control bg-sunken p-3">
      <figcaption className="text-ink-soft text-xs">{t("note")}</figcaption>
      <blockquote className="mt-1 whitespace-pre-wrap break-words">{note}</blockquote>
    </figure>
  );
}

type AnswerProps = SubmittedDocumentsProps & { answer: DocumentAnswer };

function Answer({ answer, envelope, review, onView, onAskAgain }: AnswerProps) {
  const { t } = useTranslation("review");
  const item = useRef<HTMLLIElement>(null);
  const { name, document, files, earlier } = answer;
  return (
    <li ref={item} tabIndex={-1} className="space-y-2 py-3 outline-none">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <p className="min-w-0 break-words font-medium">{name}</p>
        {document && <DocumentStateBadge state={shownState(document, review)} />}
      </div>
      {document && <DocumentReason document={document} review={review} />}
      {files.length > 0 && (
        <ul className="space-y-2">
          {files.map((file) => (
            <SubmittedFile key={file.id} submission={file} onView={() => onView(file.id)} />
          ))}
        </ul>
      )}
      {document && (
        <div className="flex flex-wrap gap-2 empty:hidden">
          <DocumentActions
            document={document}
            review={review}
            waiting={envelope.status === "pending"}
            readable={files.some(({ url }) => url)}
            onAskAgain={() => onAskAgain(document)}
            onDecided={() => item.current?.focus({ preventScroll: true })}
          />
        </div>
      )}
      {earlier.length > 0 && (
        <details>
          <summary className="w-fit cursor-pointer rounded-sm text-ink-soft text-xs">
            {t("earlier", { count: earlier.length })}
          </summary>
          <ul className="mt-2 space-y-2">
            {earlier.map((file) => (
              <SubmittedFile key={file.id} submission={file} onView={() => onView(file.id)} />
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}
