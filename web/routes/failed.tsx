import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ErrorState } from "../components/ui/error-state";
import { ApiError } from "../lib/api";
import { errorText } from "../lib/error-text";

/** Shown if a page could not be loaded. */
export function FailedRoute({ error, reset }: ErrorComponentProps) {
  const { t, i18n } = useTranslation(["common", "errors", "validation"]);
  const router = useRouter();
  const retry = () => {
    // Not an API error: perhaps a chunk that a newer deployment has removed.
    if (!(error instanceof ApiError)) return location.reload();
    reset();
    void router.invalidate();
  };
  return (
    <main className="mx-auto max-w-xl p-6">
      <h1 className="sr-only">{t("failed.title")}</h1>
      <ErrorState title={t("failed.title")} text={errorText(error, i18n.t)} onRetry={retry} />
    </main>
  );
}
