import { CircleCheck, FileText, Inbox, Link2Off, RotateCw, TimerOff } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "../../../components/ui/button";
import { failureText } from "../request/failure-text";
import { type RequestState, requestorName } from "../request/request-state";
import type { Answer, RecipientRequest } from "../request/submission-api";
import { useTexts } from "../translation/use-texts";
import type { ChosenFile } from "../upload/send-files";
import { MessagePage } from "./message-page";

/** After a submission: thanks, and a list of the files that were sent. */
export function CompletePage({ request, sent }: { request: RecipientRequest; sent: readonly ChosenFile[] }) {
  const { t, size, dateTime } = useTexts();
  const [submittedAt] = useState(() => new Date());
  const name = requestorName(request.user) ?? request.user.email;
  return (
    <MessagePage icon={CircleCheck} tone="good" title={t("complete.title")} text={t("complete.text")}>
      <div className="mt-8 rounded-card border border-line text-left">
        <div className="border-line border-b px-4 py-3">
          <h2>{t("complete.receipt")}</h2>
          <p className="text-ink-soft text-sm">{t("complete.to", { name, date: dateTime(submittedAt) })}</p>
        </div>
        <ul className="divide-y divide-line">
          {sent.map(({ name, file }) => (
            <li key={name} className="flex items-center gap-3 px-4 py-3">
              <FileText aria-hidden className="size-5 shrink-0 text-ink-soft" />
              <span className="min-w-0 flex-1">
                <span className="block break-words font-medium leading-5">{name}</span>
                <span className="block text-ink-soft text-sm leading-5 [overflow-wrap:anywhere]">
                  {file.name}
                </span>
              </span>
              <span className="shrink-0 text-ink-soft text-sm tabular-nums">{size(file.size)}</span>
            </li>
          ))}
        </ul>
      </div>
      <p className="mt-6 text-ink-soft text-sm">{t("complete.close")}</p>
    </MessagePage>
  );
}

export function ExpiredPage({ state }: { state: Extract<RequestState, { kind: "completed" | "expired" }> }) {
  const { t, day } = useTexts();
  if (state.kind === "completed")
    return (
      <MessagePage icon={TimerOff} tone="warn" title={t("expired.title")} text={t("expired.completed")}>
        <p className="mx-auto mt-4 max-w-md text-balance text-ink-soft text-sm">
          {t("expired.completedHint")}
        </p>
      </MessagePage>
    );
  const { date, name } = state;
  const text = date && name ? t("expired.past", { date: day(date), name }) : t("expired.pastUnknown");
  return <MessagePage icon={TimerOff} tone="warn" title={t("expired.title")} text={text} />;
}

export function InvalidPage({ answer, onRetry }: { answer: Answer; onRetry: () => Promise<void> }) {
  const { t, texts } = useTexts();
  const [trying, setTrying] = useState(false);
  const temporary = answer.status === 0 || answer.status === 429 || answer.status >= 500;
  const retry = async () => {
    setTrying(true);
    await onRetry();
    setTrying(false);
  };
  useEffect(() => {
    if (answer.status !== 0) return;
    const retryWhenOnline = () => void onRetry();
    addEventListener("online", retryWhenOnline);
    return () => removeEventListener("online", retryWhenOnline);
  }, [answer, onRetry]);
  return (
    <MessagePage icon={Link2Off} tone="bad" title={t("invalid.title")} text={t("invalid.text")}>
      {!temporary && (
        <p className="mx-auto mt-4 max-w-md text-balance text-ink-soft text-sm">{t("invalid.hint")}</p>
      )}
      <div className="mx-auto mt-6 max-w-md rounded-card bg-sunken px-4 py-3 text-sm">
        <p className="font-medium">{t("invalid.failed")}</p>
        {temporary && <p className="mt-0.5 text-ink-soft">{failureText(texts, answer)}</p>}
      </div>
      {temporary && (
        <Button size="lg" variant="primary" className="mt-6" loading={trying} onClick={retry}>
          {!trying && <RotateCw aria-hidden />}
          {t("invalid.retry")}
        </Button>
      )}
    </MessagePage>
  );
}

export function NoDocumentsPage() {
  const { t } = useTexts();
  return (
    <MessagePage icon={Inbox} tone="plain" title={t("none.title")} text={t("none.text")}>
      <p className="mt-4 text-ink-soft text-sm">{t("none.close")}</p>
    </MessagePage>
  );
}
