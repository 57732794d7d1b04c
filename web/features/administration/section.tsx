import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import { QueryPlaceholder, type RetryableQuery } from "../../components/ui/query-placeholder";

/** A part of the page with its heading. */
export function Section({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
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

/** Shown in place of rows that are loading or failed to load. */
export function SectionPlaceholder({ query }: { query: RetryableQuery }) {
  const { t } = useTranslation("administration");
  return <QueryPlaceholder query={query} failed={t("loadFailed")} rows={3} rowClass="h-12" />;
}
