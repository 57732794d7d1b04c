import { RotateCw, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "./button";

type ErrorStateProps = { title: string; text: string; onRetry?: () => void; retrying?: boolean };

/** Says that loading failed, and offers to try again. */
export function ErrorState({ title, text, onRetry, retrying }: ErrorStateProps) {
  const { t } = useTranslation();
  return (
    <div
      role="alert"
      className="flex flex-col items-center rounded-card border border-line bg-surface px-6 py-14 text-center"
    >
      <TriangleAlert aria-hidden className="mb-4 size-8 text-bad" />
      <h2 className="text-lg">{title}</h2>
      <p className="mt-1 max-w-md text-ink-soft">{text}</p>
      {onRetry && (
        <Button className="mt-6" onClick={onRetry} loading={retrying ?? false}>
          {!retrying && <RotateCw aria-hidden />}
          {t("tryAgain")}
        </Button>
      )}
    </div>
  );
}
