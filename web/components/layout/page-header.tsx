import type { ReactNode } from "react";
import { usePageTitle } from "../../lib/use-page-title";

type PageHeaderProps = {
  title: string;
  text?: string | undefined;
  action?: ReactNode;
  /** The way back to the list that the page belongs to. */
  back?: ReactNode;
};

/** The page's h1, which is the document's title too, a short description, and its main action at the right. */
export function PageHeader({ title, text, action, back }: PageHeaderProps) {
  usePageTitle(title);
  return (
    <header className={text ? "mb-6" : "mb-5"}>
      {back}
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-3 gap-y-3">
        <h1 className="min-w-0 break-words text-2xl max-[359px]:text-xl">{title}</h1>
        {action}
      </div>
      {text && <p className="mt-1.5 break-words max-sm:mt-3 text-ink-soft">{text}</p>}
    </header>
  );
}
