import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ErrorState } from "../components/ui/error-state";
import { errorText } from "../lib/error-text";

/** What shows where a page could not be loaded at all. */
export function FailedRoute({ error, reset }: ErrorComponentProps) {
  const { t, i18n } = useTranslation(["common", "errors", "validation"]);
  const router = useRouter();
  const retry = () => {
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
