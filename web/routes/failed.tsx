import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ErrorState } from "../components/ui/error-state";
import { ApiError } from "../lib/api";
import { errorText } from "../lib/error-text";

/** What shows where a page could not be loaded at all. */
export function FailedRoute({ error, reset }: ErrorComponentProps) {
  const { t, i18n } = useTranslation(["common", "errors", "validation"]);
  const router = useRouter();
  const retry = () => {
    // Not a call of ours: perhaps a part of the app that a newer version has replaced.
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
