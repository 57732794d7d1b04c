import { lazy, type ReactNode, Suspense } from "react";
import { useHasToasted } from "../ui/toast-store";
import { OfflineNotice } from "./offline-notice";

// Most visits show no toast at all.
const Toaster = lazy(async () => ({ default: (await import("../ui/toaster")).Toaster }));

/** What every page has around it: the offline notice and the toaster. */
export function RootLayout({ children }: { children: ReactNode }) {
  const hasToasted = useHasToasted();
  return (
    <>
      <OfflineNotice />
      {children}
      {hasToasted && (
        <Suspense>
          <Toaster />
        </Suspense>
      )}
    </>
  );
}
