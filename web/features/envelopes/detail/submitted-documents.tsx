import {
  CalendarClock,
  CheckCheck,
  Eye,
  File,
  FileArchive,
  FileImage,
  FileX,
  type LucideIcon,
  ScanSearch,
  ShieldAlert,
  ShieldQuestionMark,
} from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge, type BadgeTone } from "../../../components/ui/badge";
import { Button } from "../../../components/ui/button";
import { Disclosure } from "../../../components/ui/disclosure";
import { FileName } from "../../../components/ui/file-name";
import { lazyComponent } from "../../../components/ui/lazy-component";
import { useFormat } from "../../../lib/use-format";
import { DownloadButton, fileTitle, useDownload } from "../download";
import type { Envelope, Submission } from "../envelopes.queries";
import {
  acceptableDocuments,
  answersOf,
  type DocumentAnswer,
  type EnvelopeDocument,
} from "../review/document-answers";
import { DocumentActions, DocumentReason, DocumentStateBadge, shownState } from "../review/document-state";
import { QuestionAnswer } from "../review/question-answer";
import type { Review } from "../review/use-review";
import { Validity } from "../review/validity";
import { LONG_LIST, Section } from "./section";

export type ReviewActions = {
  review: Review;
  onView: (fileId: number) => void;
  onReview: () => void;
  onAskAgain: (document: EnvelopeDocument) => void;
};

type SubmittedDocumentsProps = ReviewActions & { envelope: Envelope };

/** The submitted documents, each with its state and actions. */
export function SubmittedDocuments({ envelope, ...actions }: SubmittedDocumentsProps) {
  const { t } = useTranslation(["envelopes", "review"]);
  const { note } = envelope;
  const isAbove = envelope.status === "completed";
  const answers = answersOf(envelope);
  // What is accepted from now on stays where it is, with its Undo.
  const [folded] = useState(
    () =>
      new Set(
        answers.length > LONG_LIST
          ? answers.flatMap(({ document }) => (document?.state === "accepted" ? document.id : []))
          : [],
      ),
  );
  const isFolded = ({ document }: DocumentAnswer) => document !== undefined && folded.has(document.id);
  const list = (shown: readonly DocumentAnswer[]) => (
    <ul className="divide-y divide-line *:last:pb-0">
      {shown.map((answer) => (
        <Answer key={answer.document?.id ?? answer.name} answer={answer} envelope={envelope} {...actions} />
      ))}
    </ul>
  );
  return (
    <Section
      title={t("detail.submitted")}
      aside={
        !isAbove && (
          <div className="flex flex-wrap gap-2">
            <SubmittedActions envelope={envelope} {...actions} />
          </div>
        )
      }
    >
      <RetentionNote envelope={envelope} />
      {note && (
        <figure className="mb-3 rounded-control bg-sunken p-3">
          <figcaption className="text-ink-soft text-xs">{t("review:note")}</figcaption>
          <blockquote className="mt-1 whitespace-pre-wrap break-words">{note}</blockquote>
        </figure>
      )}
      {list(answers.filter((answer) => !isFolded(answer)))}
      {folded.size > 0 && (
        <Disclosure
          className="mt-3 border-line border-t pt-3"
          summary={t("review:acceptedAll", { count: folded.size })}
        >
          {list(answers.filter(isFolded))}
        </Disclosure>
      )}
    </Section>
  );
}

/** What is done with all submitted documents together. */
export function SubmittedActions({ envelope, review, onReview }: SubmittedDocumentsProps) {
  const { t } = useTranslation("review");
  const first = useRef<HTMLButtonElement>(null);
  const download = useDownload();
  const acceptable = review.open ? acceptableDocuments(answersOf(envelope), review.pendingReturns) : [];
  const files = envelope.submissions.filter(({ url, superseded }) => url && !superseded).length;
  const answered = envelope.documents.some(({ answered }) => answered);
  if (files === 0 && !answered) return null;
  const isPrimary = envelope.status === "completed" && review.pendingReturns.size === 0;
  return (
    <>
      <Button ref={first} size="sm" variant={isPrimary ? "primary" : "secondary"} onClick={onReview}>
        <ScanSearch aria-hidden />
        {t("start")}
      </Button>
      {acceptable.length > 1 && (
        <Button
          size="sm"
          onClick={() => {
            // This button is removed.
            first.current?.focus({ preventScroll: true });
            review.acceptAll(acceptable);
          }}
        >
          <CheckCheck aria-hidden />
          {t("acceptAll")}
        </Button>
      )}
      {(files > 1 || answered) && (
        <Button size="sm" className="touch:min-w-10" onClick={() => download.archive(envelope.id)}>
          <FileArchive aria-hidden />
          <span className="@max-md:sr-only">{t("downloadAll")}</span>
        </Button>
      )}
    </>
  );
}

const RETENTION_NOTES = {
  files: { before: "envelopes:detail.deletion", after: "envelopes:detail.filesDeleted" },
  answers: { before: "questions:answersDeletion", after: "questions:answersDeleted" },
} as const;

/** When the files, or the answers without files, will be or were deleted, if the workspace limits how long they are kept. */
function RetentionNote({ envelope }: { envelope: Envelope }) {
  const { t } = useTranslation(["envelopes", "questions"]);
  const format = useFormat();
  const { filesDeletionAt, filesDeletedAt, submissions } = envelope;
  const at = filesDeletedAt ?? filesDeletionAt;
  if (!at) return null;
  const notes = RETENTION_NOTES[submissions.length > 0 ? "files" : "answers"];
  const text = t(filesDeletedAt ? notes.after : notes.before, { date: format.date(at) });
  const waits = submissions.some(({ deliveries }) => deliveries.some(({ state }) => state === "waiting"));
  const Icon = filesDeletedAt ? FileX : CalendarClock;
  return (
    <p className="mb-3 flex items-start gap-2 rounded-control bg-sunken p-3 text-ink-soft text-xs">
      <Icon aria-hidden className="size-4 shrink-0" />
      <span>{waits ? `${text} ${t("deletionNotice.waiting")}` : text}</span>
    </p>
  );
}

type AnswerProps = SubmittedDocumentsProps & { answer: DocumentAnswer };

function Answer({ answer, envelope, review, onView, onAskAgain }: AnswerProps) {
  const { t } = useTranslation("review");
  const item = useRef<HTMLLIElement>(null);
  const { name, document, files, earlier } = answer;
  const actions = document && (
    <div className="flex flex-wrap gap-2 empty:hidden">
      <DocumentActions
        document={document}
        review={review}
        waiting={envelope.status === "pending"}
        files={files}
        onAskAgain={() => onAskAgain(document)}
        onDecided={() => item.current?.focus({ preventScroll: true })}
      />
    </div>
  );
  return (
    <li ref={item} tabIndex={-1} className="space-y-2 py-3 outline-none">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <p className="min-w-0 break-words font-medium">{name}</p>
        {document && <DocumentStateBadge state={shownState(document, review)} />}
      </div>
      {document && <DocumentReason document={document} review={review} />}
      {files.length > 0 && <SubmittedFiles envelope={envelope} files={files} onView={onView} />}
      {document && <Validity envelope={envelope} document={document} mayChange={review.mayDecide} />}
      {/* A short answer and what is decided about it share a line. */}
      {document && document.kind !== "file" ? (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <div className="min-w-0 grow">
            <QuestionAnswer envelope={envelope} document={document} />
          </div>
          {actions}
        </div>
      ) : (
        actions
      )}
      {earlier.length > 0 && (
        <Disclosure summary={t("earlier", { count: earlier.length })}>
          <div className="mt-2">
            <SubmittedFiles envelope={envelope} files={earlier} onView={onView} />
          </div>
        </Disclosure>
      )}
    </li>
  );
}

// Most people have no destination.
export const FileDeliveries = lazyComponent(() => import("./file-deliveries"));

type SubmittedFilesProps = {
  envelope: Envelope;
  files: readonly Submission[];
  /** How the size of a file is shown, if not in megabytes. */
  sizeOf?: (bytes: number) => string;
  onView: (id: number) => void;
};

/** Files of an answer: of each its name and size, View and Download. */
export function SubmittedFiles({ files, ...rest }: SubmittedFilesProps) {
  return (
    <ul className="space-y-2">
      {files.map((file) => (
        <SubmittedFile key={file.id} file={file} {...rest} />
      ))}
    </ul>
  );
}

type SubmittedFileProps = Omit<SubmittedFilesProps, "files"> & { file: Submission };

function SubmittedFile({ envelope, file, sizeOf, onView }: SubmittedFileProps) {
  const { t } = useTranslation("envelopes");
  const { megabytes } = useFormat();
  const { id, fileName, fileSize, mimeType, deliveries, withheld } = file;
  const Icon = mimeType.startsWith("image/") ? FileImage : File;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <Icon aria-hidden className="size-4 shrink-0 text-ink-soft" />
      <p className="min-w-40 flex-1 text-ink-soft text-xs">
        <FileName name={fileName} />
        <span aria-hidden> · </span>
        <span className="whitespace-nowrap tabular-nums">{(sizeOf ?? megabytes)(fileSize)}</span>
      </p>
      {file.url && (
        <div className="flex flex-wrap gap-1">
          <Button
            size="sm"
            variant="ghost"
            onClick={() => onView(id)}
            aria-label={t("detail.viewNamed", { name: fileTitle(file) })}
          >
            <Eye aria-hidden />
            {t("detail.view")}
          </Button>
          <DownloadButton submission={file} />
        </div>
      )}
      {/* Deleted files are covered by the note above the list. */}
      {withheld && withheld !== "deleted" && (
        <Badge {...QUARANTINE[withheld]}>{t(`detail.withheld.${withheld}`)}</Badge>
      )}
      {deliveries.length > 0 && <FileDeliveries envelope={envelope} deliveries={deliveries} />}
    </li>
  );
}

/** Why a file cannot be opened. */
const QUARANTINE = {
  checking: { tone: "warn", icon: ShieldQuestionMark },
  unscannable: { tone: "warn", icon: ShieldQuestionMark },
  infected: { tone: "bad", icon: ShieldAlert },
} satisfies Record<
  Exclude<NonNullable<Submission["withheld"]>, "deleted">,
  { tone: BadgeTone; icon: LucideIcon }
>;
