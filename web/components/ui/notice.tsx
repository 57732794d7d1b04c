import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

type NoticeProps = {
  icon: LucideIcon;
  title: string;
  /** A button at the right, under the text on a phone. */
  action?: ReactNode;
  children: ReactNode;
};

/** Something that the account has to know or do, above a page's content. */
export function Notice({ icon: Icon, title, action, children }: NoticeProps) {
  return (
    <section className="mb-5 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-card bg-warn-soft p-4">
      <div className="flex min-w-0 flex-[1_1_20rem] items-start gap-3">
        <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
        <div className="min-w-0 space-y-1">
          <h2 className="text-base">{title}</h2>
          {children}
        </div>
      </div>
      {action}
    </section>
  );
}
