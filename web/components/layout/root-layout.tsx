import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "#translation";
import { useOnline } from "../../lib/use-online";
import { lazyComponent } from "../ui/lazy-component";
import { useHasToasted } from "../ui/toast-store";

// Most visits show no toast at all.
const Toaster = lazyComponent(() => import("../ui/toaster"));

/** Surrounds every page: the offline notice and the toaster. */
export function RootLayout({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const hasToasted = useHasToasted();
  return (
    <>
      <OfflineNotice />
      {children}
      {hasToasted && (
        <Toaster
          labels={{ region: t("notifications"), dismiss: t("dismiss") }}
          // On a phone below the header, over the page's heading: at the bottom it would cover buttons. On a wide screen
          // at the edge of the content, where the actions of its rows are; over the headings that settings have at the left.
          className="top-14 sm:top-auto sm:bottom-0 sm:w-fit sm:max-w-92 sm:p-4 lg:[body:has([data-section])_&]:right-auto lg:[body:has([data-section])_&]:left-64 lg:[body:has([data-section])_&]:max-w-78"
        />
      )}
    </>
  );
}

/** A notice at the top while the browser is offline. */
function OfflineNotice() {
  const { t } = useTranslation();
  const online = useOnline();
  return (
    <div role="status" className="lg:sticky lg:top-0 lg:z-20">
      {!online && (
        <p className="offline flex items-center justify-center gap-2 bg-warn-soft px-4 py-2 text-center text-warn lg:h-9">
          <TriangleAlert aria-hidden className="size-4 shrink-0" />
          {t("offline")}
        </p>
      )}
    </div>
  );
}
