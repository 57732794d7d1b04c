import { Inbox, Mail, TimerOff } from "lucide-react";
import type { Brand } from "../../../../worker/contract/brand";
import { buttonClass } from "../../../components/ui/button";
import type { Receipt, RequestState } from "../request/request-state";
import { lastDay } from "../request/request-texts";
import { useTexts } from "../translation/use-texts";
import { CompletePage } from "./complete-page";
import { MessagePage } from "./message-page";

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
  if (receipt) return <CompletePage receipt={receipt} {...shown} />;
  if (state.kind === "expired") return <ExpiredPage state={state} />;
  return state.kind === "completed" ? <CompletedPage /> : <NoDocumentsPage />;
}

/** The link was used, and the server does not show what was submitted. */
function CompletedPage() {
  const { t } = useTexts();
  return (
    <MessagePage icon={TimerOff} tone="warn" title={t("expired.title")} text={t("expired.completed")}>
      <p className="mx-auto mt-4 max-w-md text-balance text-ink-soft text-sm">{t("expired.completedHint")}</p>
    </MessagePage>
  );
}

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
          className={buttonClass({ size: "lg", className: "mt-6 max-w-full whitespace-normal" })}
        >
          <Mail aria-hidden />
          <span className="min-w-0 break-words">{t("expired.write", { name: name ?? email })}</span>
        </a>
      )}
    </MessagePage>
  );
}

function NoDocumentsPage() {
  const { t } = useTexts();
  return (
    <MessagePage icon={Inbox} tone="plain" title={t("none.title")} text={t("none.text")}>
      <p className="mt-4 text-ink-soft text-sm">{t("none.close")}</p>
    </MessagePage>
  );
}
