import { Inbox, Link2Off, type LucideIcon, Mail, RotateCw, TimerOff } from "lucide-react";
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Button, buttonClass } from "../../../components/ui/button";
import { cx } from "../../../lib/cx";
import { failureText } from "../request/failure-text";
import type { RequestState } from "../request/request-state";
import { lastDay } from "../request/request-texts";
import type { ApiResponse } from "../request/submission-api";
import { useTexts } from "../translation/use-texts";

const TONES = {
  good: "bg-good-soft text-good",
  warn: "bg-warn-soft text-warn",
  bad: "bg-bad-soft text-bad",
  plain: "bg-manila-soft text-ink",
} as const;

type MessagePageProps = {
  icon: LucideIcon;
  tone: keyof typeof TONES;
  title: string;
  text: string;
  children?: ReactNode;
};

/** A page with one message. Its heading takes the focus, since the focused element was removed. */
export function MessagePage({ icon: Icon, tone, title, text, children }: MessagePageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    heading.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, []);
  return (
    <section className="appear border-line border-y bg-surface px-5 py-10 text-center sm:rounded-card sm:border sm:px-10 sm:py-14">
      <span className={cx("mx-auto flex size-14 items-center justify-center rounded-full", TONES[tone])}>
        <Icon aria-hidden className="size-7" />
      </span>
      <h1 ref={heading} tabIndex={-1} className="mt-5 text-2xl leading-8 outline-none">
        {title}
      </h1>
      <p className="mx-auto mt-2 max-w-md text-balance text-ink-soft">{text}</p>
      {children}
    </section>
  );
}

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
        <p className="mt-0.5">
          {temporary || response.status === 410 ? failureText(texts, response) : t("invalid.hint")}
        </p>
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
