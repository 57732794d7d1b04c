import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import { ErrorState } from "../../components/ui/error-state";
import { Skeleton, SkeletonGroup } from "../../components/ui/skeleton";
import { errorText } from "../../lib/error-text";

type SectionProps = { title: string; text?: string; children: ReactNode };

/** A part of the page with its heading. */
export function Section({ title, text, children }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="text-lg">
        {title}
      </h2>
      {text && <p className="mt-1 text-ink-soft">{text}</p>}
      <div className="mt-4">{children}</div>
    </section>
  );
}

type Read = { error: Error | null; isFetching: boolean; refetch: () => unknown };

/** Shown in place of rows that are loading or failed to load. */
export function SectionPlaceholder({ query: { error, isFetching, refetch } }: { query: Read }) {
  const { t, i18n } = useTranslation(["administration", "common", "errors", "validation"]);
  if (error)
    return (
      <ErrorState
        title={t("loadFailed")}
        text={errorText(error, i18n.t)}
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    );
  return (
    <SkeletonGroup label={t("common:loading")} className="space-y-2">
      <Skeleton className="h-12" />
      <Skeleton className="h-12" />
      <Skeleton className="h-12" />
    </SkeletonGroup>
  );
}
