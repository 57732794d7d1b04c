import { CloudOff, Link2Off, RotateCw } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { retryDelay } from "../../../../worker/contract/retry-policy";
import { Button } from "../../../components/ui/button";
import { LOADING_RETRIES } from "../../../lib/retry";
import { failureText } from "../request/failure-text";
import { type ApiResponse, codeOf, isDeadLink } from "../request/submission-api";
import { useTexts } from "../translation/use-texts";
import { MessagePage } from "./message-page";

/** The request cannot be shown: the link is invalid, or the server fails or cannot be reached. */
export function FailedPage({ response, onRetry }: { response: ApiResponse; onRetry: () => Promise<void> }) {
  const { t, texts } = useTexts();
  const [trying, setTrying] = useState(false);
  const isReached = response.status !== 0;
  const retry = async () => {
    setTrying(true);
    await onRetry();
    setTrying(false);
  };
  const failures = useRef(0);
  useEffect(() => {
    if (response.status !== 0) return;
    failures.current += 1;
    const retryLater = () => void onRetry();
    const timer = setTimeout(retryLater, retryDelay(LOADING_RETRIES, failures.current) ?? 0);
    addEventListener("online", retryLater);
    return () => {
      clearTimeout(timer);
      removeEventListener("online", retryLater);
    };
  }, [response, onRetry]);
  const reason =
    codeOf(response) === "submission_not_found" ? t("invalid.hint") : failureText(texts, response);
  const details = isReached ? [t("invalid.failed"), reason] : [t("invalid.waiting")];
  return (
    <MessagePage
      icon={isReached ? Link2Off : CloudOff}
      tone={isReached ? "bad" : "warn"}
      title={t(isReached ? "invalid.title" : "invalid.failed")}
      text={isReached ? t("invalid.text") : reason}
    >
      <div className="mx-auto mt-4 max-w-md space-y-2 text-balance text-ink-soft text-sm">
        {details.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </div>
      {!isDeadLink(response) && (
        <Button size="lg" variant="primary" className="mt-6" loading={trying} onClick={retry}>
          {!trying && <RotateCw aria-hidden />}
          {t("invalid.retry")}
        </Button>
      )}
    </MessagePage>
  );
}
