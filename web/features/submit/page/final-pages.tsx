import { CircleCheck, Download, FileText, Inbox, Mail, TimerOff } from "lucide-react";
import type { Brand } from "../../../../worker/contract/brand";
import { Button, buttonClass } from "../../../components/ui/button";
import { FileName } from "../../../components/ui/file-name";
import { skipText } from "../files/skip-field";
import { useAnswerText } from "../questions/use-answer-text";
import { type Receipt, type RequestState, requestorName } from "../request/request-state";
import { lastDay } from "../request/request-texts";
import { useTexts } from "../translation/use-texts";
import { MessagePage } from "./message-page";
import { downloadReceipt, type NamedText } from "./receipt-file";

type FinalPageProps = {
  state: RequestState;
  /** What was submitted, if known. */
  receipt: Receipt | null;
  /** Whether it was submitted on an earlier visit. */
  again: boolean;
  brand: Brand | null;
};

/** The page of a link that needs nothing more, or no longer works. */
export function FinalPage({ state, receipt, ...shown }: FinalPageProps) {
  const { t } = useTexts();
  if (receipt) return <CompletePage receipt={receipt} {...shown} />;
  if (state.kind === "expired") return <ExpiredPage state={state} />;
  // The link was used, and the server does not show what was submitted.
  if (state.kind === "completed")
    return (
      <MessagePage icon={TimerOff} tone="warn" title={t("expired.title")} text={t("expired.completed")}>
        <p className="mx-auto mt-4 max-w-md text-balance text-ink-soft text-sm">
          {t("expired.completedHint")}
        </p>
      </MessagePage>
    );
  return (
    <MessagePage icon={Inbox} tone="plain" title={t("none.title")} text={t("none.text")}>
      <p className="mt-4 text-ink-soft text-sm">{t("none.close")}</p>
    </MessagePage>
  );
}

/** A label of several lines on a narrow phone. */
const WRAPPING = "mt-6 h-auto min-h-11 max-w-full whitespace-normal py-2";

function ExpiredPage({ state }: { state: Extract<RequestState, { kind: "expired" }> }) {
  const texts = useTexts();
  const { t } = texts;
  const { date, name, email } = state;
  const text =
    date && name
      ? t("expired.past", { date: lastDay(texts, { ...state, date }), name })
      : t("expired.pastUnknown");
  return (
    <MessagePage icon={TimerOff} tone="warn" title={t("expired.title")} text={text}>
      {email && (
        <a
          href={`mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(t("expired.writeSubject"))}`}
          className={buttonClass({ size: "lg", className: WRAPPING })}
        >
          <Mail aria-hidden />
          <span className="min-w-0 break-words">{t("expired.write", { name: name ?? email })}</span>
        </a>
      )}
    </MessagePage>
  );
}

/** The list of the submitted files: with thanks after the submission, or for who opens the link again. */
function CompletePage({ receipt, brand, again }: { receipt: Receipt; brand: Brand | null; again?: boolean }) {
  const texts = useTexts();
  const { t, size, dateTime } = texts;
  const answerText = useAnswerText();
  const answers = (receipt.answers ?? []).map(({ answer, ...question }) => ({
    name: question.name,
    text: answer === null ? t("questions.answeredOnly") : answerText(question, answer),
  }));
  const left = (receipt.left ?? []).map(({ name, kind, skipped, skipReason }) => ({
    name,
    text: skipped ? skipText(t, skipReason) : t(kind === "file" ? "review.noFile" : "questions.none"),
  }));
  const user = receipt.request?.user;
  const name = user && (requestorName(user) ?? user.email);
  const date = dateTime(new Date(receipt.submittedAt));
  return (
    <MessagePage
      icon={CircleCheck}
      tone="good"
      title={t(again ? "expired.title" : "complete.title")}
      text={t(again ? "expired.completed" : "complete.text")}
    >
      {!again && name && receipt.files.length > 0 && (
        <p className="mx-auto mt-2 max-w-md text-balance break-words text-ink-soft">
          {t("complete.next", { name })}
        </p>
      )}
      <div className="mt-8 rounded-card border border-line text-left">
        <div className="px-4 py-3">
          {receipt.files.length + answers.length > 0 && <h2>{t("complete.receipt")}</h2>}
          <p className="text-ink-soft text-sm">
            {name ? t("complete.to", { name, date }) : t("complete.on", { date })}
          </p>
        </div>
        <ul className="divide-y divide-line border-line not-empty:border-t">
          {receipt.files.map(({ documentName, fileName, fileSize, sha256 }) => (
            <li key={`${documentName} ${fileName} ${sha256}`} className="flex items-center gap-3 px-4 py-3">
              <FileText aria-hidden className="size-5 shrink-0 text-ink-soft" />
              <span className="flex min-w-0 flex-1 flex-col sm:flex-row sm:items-center sm:gap-3">
                <span className="min-w-0 sm:flex-1">
                  <span className="block hyphens-auto break-words font-medium leading-6">{documentName}</span>
                  <span className="block text-ink-soft text-sm leading-5 [overflow-wrap:anywhere]">
                    <FileName name={fileName} />
                  </span>
                </span>
                <span className="shrink-0 text-ink-soft text-sm tabular-nums">{size(fileSize)}</span>
              </span>
            </li>
          ))}
          {answers.map((answer) => (
            <NameAndText key={answer.name} {...answer} />
          ))}
        </ul>
        {left.length > 0 && (
          <>
            <h2 className="border-line border-t px-4 pt-3">{t("complete.left")}</h2>
            <ul className="divide-y divide-line">
              {left.map((entry) => (
                <NameAndText key={entry.name} {...entry} />
              ))}
            </ul>
          </>
        )}
      </div>
      <Button
        size="lg"
        className={WRAPPING}
        onClick={() => downloadReceipt(receipt, { answers, left }, brand, texts)}
      >
        <Download aria-hidden />
        {t("complete.save")}
      </Button>
      <p className="mx-auto mt-4 max-w-md text-balance text-ink-soft text-sm">
        {t(again ? "expired.completedHint" : "complete.close")}
      </p>
    </MessagePage>
  );
}

function NameAndText({ name, text }: NamedText) {
  return (
    <li className="px-4 py-3">
      <span className="block hyphens-auto break-words font-medium leading-6">{name}</span>
      <span className="block whitespace-pre-line break-words text-ink-soft text-sm leading-5">{text}</span>
    </li>
  );
}
