import { Inbox, Link2Off, Mail, RotateCw, TimerOff } from "lucide-react";
import { useEffect, useState } from "react";
import { Button, buttonClass } from "../../../components/ui/button";
import { failureText } from "../request/failure-text";
import type { RequestState } from "../request/request-state";
import { lastDay } from "../request/request-texts";
import type { ApiResponse } from "../request/submission-api";
import { useTexts } from "../translation/use-texts";
import { MessagePage } from "./message-page";

/** The link was used, and the server does not show what was submitted. */
export function CompletedPage() {
  const { t } = useTexts();
  return (
    <MessagePage icon={TimerOff} tone="warn" title={t("expired.title")} text={t("expired.completed")}>
      <p className="mx-auto mt-4 max-w-md text-balance text-ink-soft text-sm">{t("expired.completedHint")}</p>
    </MessagePage>
  );
}

export function ExpiredPage({ state }: { state: Extract<RequestState, { kind: "expired" }> }) {
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
          className={buttonClass({ size: "lg", className: "mt-6 max-w-full whitespace-normal" })}
        >
          <Mail aria-hidden />
          <span className="min-w-0 break-words">{t("expired.write", { name: name ?? email })}</span>
        </a>
      )}
    </MessagePage>
  );
}

export function InvalidPage({ response, onRetry }: { response: ApiResponse; onRetry: () => Promise<void> }) {
  const { t, texts } = useTexts();
  const [trying, setTrying] = useState(false);
  const temporary = response.status === 0 || response.status === 429 || response.status >= 500;
  const retry = async () => {
    setTrying(true);
    await onRetry();
    setTrying(false);
  };
  useEffect(() => {
    if (response.status !== 0) return;
    const retryWhenOnline = () => void onRetry();
    addEventListener("online", retryWhenOnline);
    return () => removeEventListener("online", retryWhenOnline);
  }, [response, onRetry]);
  return (
    <MessagePage icon={Link2Off} tone="bad" title={t("invalid.title")} text={t("invalid.text")}>
      <div className="mx-auto mt-4 max-w-md text-balance text-ink-soft text-sm">
        <p>{t("invalid.failed")}</p>
        <p className="mt-0.5">{temporary ? failureText(texts, response) : t("invalid.hint")}</p>
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
