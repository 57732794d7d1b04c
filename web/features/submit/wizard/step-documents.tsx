import { CircleCheck } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Badge } from "../../../components/ui/badge";
import { Button } from "../../../components/ui/button";
import { DocumentCard } from "../files/document-card";
import { type FilesByDocument, filesOf, otherWithFile, type SkipAnswer } from "../files/document-files";
import { hasDraft, MessageForm } from "../messages/message-form";
import {
  acceptOffered,
  answerOf,
  askedOf,
  isQuestion,
  offeredIn,
  takeChanged,
  useLoadedAnswers,
} from "../questions/answers";
import { QuestionCard } from "../questions/question-card";
import { requestorName } from "../request/request-state";
import { isReceived, type RecipientRequest, type RequestedDocument } from "../request/submission-api";
import { useTexts } from "../translation/use-texts";

type StepDocumentsProps = {
  token: string;
  request: RecipientRequest;
  documents: FilesByDocument;
  wizard: {
    chooseFiles: (document: RequestedDocument, files: readonly File[]) => void;
    removeFile: (document: RequestedDocument, id: string) => void;
    refresh: () => void;
    skipDocument: (document: RequestedDocument, answer: SkipAnswer) => void;
  };
};

export function StepDocuments({ token, request, documents, wizard }: StepDocumentsProps) {
  const { t } = useTexts();
  const answers = useLoadedAnswers(token, request.documents);
  const asked = askedOf(request.documents, answers);
  const offered = offeredIn(asked, answers).filter(({ id }) => !filesOf(documents, id).skipped);
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    // After the step's heading, which has the focus otherwise.
    const card = list.current?.querySelector(`[data-document="${takeChanged()}"]`);
    // The input of a document that takes no more files is hidden: its Replace button takes the focus.
    const candidates = [":checked", "input:not([tabindex='-1']), textarea", "button"];
    candidates
      .map((candidate) => card?.querySelector<HTMLElement>(candidate))
      .find(Boolean)
      ?.focus();
  }, []);
  const [writing, setWriting] = useState(() => hasDraft(token));
  const messageField = useRef<HTMLTextAreaElement>(null);
  const requestor = requestorName(request.user) ?? request.user.email;
  const write = () => {
    flushSync(() => setWriting(true));
    messageField.current?.focus();
    // WebKit leaves it half below the bar at the bottom of a phone; with its card, the button is in view too.
    messageField.current?.parentElement?.scrollIntoView({ block: "nearest" });
  };
  return (
    <>
      <p className="text-ink-soft">{t("documents.hint")}</p>
      {offered.length > 1 && (
        <Button
          className="mt-4"
          onClick={() => {
            offered.forEach(acceptOffered);
            // The pressed button is gone.
            list.current?.focus();
          }}
        >
          {t("questions.allStillCorrect")}
        </Button>
      )}
      <ul ref={list} tabIndex={-1} className="mt-5 flex flex-col gap-4 outline-none">
        {request.documents
          .filter((document) => asked.has(document) || isReceived(document))
          // What is left to do comes first.
          .toSorted((a, b) => Number(isReceived(a)) - Number(isReceived(b)))
          .map((document) =>
            isReceived(document) ? (
              <ReceivedDocument key={document.id} document={document} />
            ) : isQuestion(document) ? (
              <QuestionCard
                key={document.id}
                document={document}
                entry={answerOf(answers, document)}
                skip={filesOf(documents, document.id)}
                onSkip={wizard.skipDocument}
              />
            ) : (
              <DocumentCard
                key={document.id}
                token={token}
                document={document}
                answer={filesOf(documents, document.id)}
                maxFileSize={request.maxFileSize}
                requestor={requestor}
                otherWith={(entry) => otherWithFile(documents, request.documents, document.id, entry)?.name}
                onFiles={(files) => wizard.chooseFiles(document, files)}
                onRemove={(id) => wizard.removeFile(document, id)}
                onSkip={(answer) => wizard.skipDocument(document, answer)}
                onAsk={write}
              />
            ),
          )}
      </ul>
      {/* Once the answers are loaded: what they open is nothing new. */}
      {answers.entries.size > 0 && <AnswersStatus asked={asked} saved={answers.saved} />}
      <MessageForm
        token={token}
        name={requestor}
        open={writing}
        fieldRef={messageField}
        onOpen={write}
        onClosed={wizard.refresh}
      />
    </>
  );
}

/** Says to screen readers that answers are kept, which their cards show, and what an answer has opened. */
function AnswersStatus({ asked, saved }: { asked: ReadonlySet<RequestedDocument>; saved: boolean }) {
  const { t } = useTexts();
  const ids = [...asked].map(({ id }) => id).join();
  const [before, setBefore] = useState(ids);
  const [opened, setOpened] = useState<RequestedDocument[]>([]);
  if (ids !== before) {
    setBefore(ids);
    setOpened([...asked].filter(({ id }) => !before.split(",").includes(String(id))));
  }
  const [first, ...more] = opened;
  const isOneQuestion = first && isQuestion(first) && more.length === 0;
  return (
    <div className="sr-only">
      <p role="status">{saved && t("questions.saved")}</p>
      <p role="status">
        {first && (
          // The same words again are about another entry.
          <span key={ids}>
            {isOneQuestion
              ? t("questions.openedQuestion")
              : t("questions.opened", { number: String(opened.length) })}
          </span>
        )}
      </p>
    </div>
  );
}

/** A document of an earlier submission, which cannot be changed. */
function ReceivedDocument({ document: { name } }: { document: RequestedDocument }) {
  const { t } = useTexts();
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1 rounded-card border border-line bg-sunken p-4">
      <h3 className="min-w-0 hyphens-auto break-words leading-6">{name}</h3>
      <Badge tone="good" icon={CircleCheck}>
        {t("documents.stateReceived")}
      </Badge>
    </li>
  );
}
