import { CircleCheck, CircleDashed, LoaderCircle, TriangleAlert } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { LIMITS } from "../../../../worker/contract/limits";
import { Badge } from "../../../components/ui/badge";
import { Button } from "../../../components/ui/button";
import { type DocumentFiles, type FileEntry, filesOf, type SkipAnswer } from "../files/document-files";
import { DocumentProblem } from "../files/document-problem";
import { FileLine } from "../files/file-line";
import { skipText, TEXTAREA } from "../files/skip-field";
import { hasDraft, takeDraft } from "../messages/message-form";
import {
  type AnswerEntry,
  answerOf,
  askedOf,
  changeNext,
  isQuestion,
  readTyped,
  useLoadedAnswers,
} from "../questions/answers";
import { useAnswerText } from "../questions/use-answer-text";
import { failureText } from "../request/failure-text";
import { requestorName } from "../request/request-state";
import {
  type ApiResponse,
  isReceived,
  type RecipientRequest,
  type RequestedDocument,
} from "../request/submission-api";
import { useTexts } from "../translation/use-texts";
import type { WizardState } from "./wizard-state";

type ReviewedAnswerProps = ChangeButtonProps & { entry: AnswerEntry; skip: SkipAnswer };

/** An answer as it will be sent, and the way back to it. */
function ReviewedAnswer({ document, entry, skip, onChange }: ReviewedAnswerProps) {
  const { t } = useTexts();
  const answerText = useAnswerText();
  const read = readTyped(document, entry.typed);
  const answer = "answer" in read ? read.answer : null;
  const isHidden = document.confidential && (answer !== null || entry.isKept);
  const none = skip.skipped ? skip.skipReason.trim() : t("questions.none");
  const text = answer === null ? none : answerText(document, answer);
  const shown = isHidden ? t("questions.answeredOnly") : text;
  return (
    <li className="flex items-start justify-between gap-3 px-4 py-3.5">
      <div className="min-w-0">
        <h4 className="hyphens-auto break-words font-medium leading-6">{document.name}</h4>
        <p className="mt-1 whitespace-pre-line break-words text-ink-soft">{shown}</p>
      </div>
      <ChangeButton document={document} onChange={onChange} />
    </li>
  );
}

type ChangeButtonProps = { document: RequestedDocument; onChange: () => void };

function ChangeButton({ document, onChange }: ChangeButtonProps) {
  const { t } = useTexts();
  return (
    <Button
      variant="ghost"
      className="shrink-0"
      aria-label={t("questions.changeNamed", { name: document.name })}
      onClick={() => {
        changeNext(document);
        onChange();
      }}
    >
      {t("questions.change")}
    </Button>
  );
}

type StepReviewProps = {
  token: string;
  state: WizardState;
  request: RecipientRequest;
  onNote: (note: string) => void;
  /** Leads back to a document or an answer. */
  onChange: () => void;
};

export function StepReview({ token, state, request, onNote, onChange }: StepReviewProps) {
  const { t, number } = useTexts();
  const id = useId();
  const { note } = state;
  useEffect(() => {
    // A message that was not sent would be lost with the submission.
    if (hasDraft(token)) onNote([note.trim(), takeDraft(token)].filter(Boolean).join("\n\n"));
  }, [token, note, onNote]);
  const { information, documents, sending } = state;
  const answers = useLoadedAnswers(token, request.documents);
  const asked = askedOf(request.documents, answers);
  const left = request.documents.filter(
    (document) =>
      !asked.has(document) &&
      !isReceived(document) &&
      (answerOf(answers, document).typed.length > 0 || filesOf(documents, document.id).files.length > 0),
  );
  return (
    <>
      <p className="text-ink-soft">{t("review.hint")}</p>
      <h3 className="mt-6">{t("review.information")}</h3>
      <dl className="mt-2 rounded-card border border-line">
        <Entry term={t("information.name")}>{information.name}</Entry>
        <Entry term={t("information.email")}>{information.email}</Entry>
      </dl>
      <h3 className="mt-6">{t("review.documents")}</h3>
      <ul className="mt-2 divide-y divide-line rounded-card border border-line">
        {request.documents
          .filter((document) => asked.has(document) && !isReceived(document))
          .map((document) =>
            isQuestion(document) ? (
              <ReviewedAnswer
                key={document.id}
                document={document}
                entry={answerOf(answers, document)}
                skip={filesOf(documents, document.id)}
                onChange={onChange}
              />
            ) : (
              <ReviewedDocument
                key={document.id}
                document={document}
                answer={filesOf(documents, document.id)}
                validUntil={String(answerOf(answers, document).typed)}
                maxFileSize={request.maxFileSize}
                onChange={onChange}
              />
            ),
          )}
      </ul>
      {left.length > 0 && (
        <p className="mt-3 break-words text-ink-soft">
          {t("questions.left", { names: left.map(({ name }) => t("questions.quoted", { name })).join(", ") })}
        </p>
      )}
      <div className="mt-6 flex flex-col gap-1.5">
        <label htmlFor={id} className="break-words font-semibold">
          {t("note.label", { name: requestorName(request.user) ?? request.user.email })}
        </label>
        <textarea
          id={id}
          rows={3}
          value={note}
          maxLength={LIMITS.submissionNote}
          disabled={sending}
          aria-describedby={`${id}-hint`}
          onChange={(event) => onNote(event.currentTarget.value)}
          className={TEXTAREA}
        />
        <p id={`${id}-hint`} className="text-ink-soft text-sm">
          {t("note.hint", { max: number(LIMITS.submissionNote) })}
        </p>
      </div>
      {state.failure && <Failure response={state.failure} />}
    </>
  );
}

/** Why the last attempt failed. It takes the focus, which the disabled button has lost. */
function Failure({ response }: { response: ApiResponse }) {
  const { t, texts } = useTexts();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (response) box.current?.focus();
  }, [response]);
  return (
    <div
      ref={box}
      tabIndex={-1}
      role="alert"
      className="mt-6 flex gap-3 rounded-card border border-bad bg-bad-soft p-4 outline-none"
    >
      <TriangleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-bad" />
      <div className="min-w-0 break-words">
        <p className="font-semibold text-bad">{t("failure.title")}</p>
        <p className="mt-1">{failureText(texts, response)}</p>
        <p className="mt-1 text-ink-soft text-sm">{t("failure.kept")}</p>
      </div>
    </div>
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

type ReviewedDocumentProps = ChangeButtonProps & {
  answer: DocumentFiles;
  /** Empty if it is not asked, or not given. */
  validUntil: string;
  maxFileSize: number;
};

function ReviewedDocument(props: ReviewedDocumentProps) {
  const { document, answer, validUntil, maxFileSize, onChange } = props;
  const { t, day } = useTexts();
  const id = useId();
  const { files, problem, skipped, skipReason } = answer;
  const { word, ...look } = uploadOf(files);
  return (
    <li className="px-4 py-3.5">
      <div className="flex items-start justify-between gap-3">
        <h4 className="min-w-0 hyphens-auto break-words font-medium leading-6">{document.name}</h4>
        <ChangeButton document={document} onChange={onChange} />
      </div>
      <Badge {...look}>{t(`review.${word}`)}</Badge>
      {files.length === 0 && <p className="mt-2 text-ink-soft text-sm">{t("review.noFile")}</p>}
      {document.state === "skipped" && !skipped && files.length === 0 && (
        <p className="text-ink-soft text-sm">{t("documents.skippedBefore")}</p>
      )}
      {skipped && (
        <p className="whitespace-pre-line break-words text-ink-soft text-sm">
          {skipText(t, skipReason.trim())}
        </p>
      )}
      {files.map((entry) => (
        <div key={entry.id} className="mt-2">
          <FileLine entry={entry} />
        </div>
      ))}
      {validUntil && files.length > 0 && (
        <p className="mt-2 text-ink-soft text-sm">
          {t("labelled", { label: t("validity.validUntil"), value: day(validUntil) })}
        </p>
      )}
      <DocumentProblem id={id} document={document} problem={problem} maxFileSize={maxFileSize} />
    </li>
  );
}

/** "Uploaded" only of files that are on the server. */
function uploadOf(files: readonly FileEntry[]) {
  if (files.length === 0 || files.some(({ status }) => status === "unfinished"))
    return { word: "notUploaded", tone: "secondary", icon: CircleDashed } as const;
  if (files.some(({ status }) => status !== "uploaded"))
    return { word: "uploading", tone: "secondary", icon: LoaderCircle } as const;
  return { word: "uploaded", tone: "good", icon: CircleCheck } as const;
}
