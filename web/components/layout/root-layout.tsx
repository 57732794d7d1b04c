import { lazy, type ReactNode, Suspense } from "react";
import { useHasToasted } from "../ui/toast-store";
import { OfflineNotice } from "./offline-notice";

// Most visits show no toast at all.
const Toaster = lazy(async () => ({ default: (await import("../ui/toaster")).Toaster }));

type RootLayoutProps = {
  /** Whether a wide screen has a sidebar, whose free middle holds the toast. */
  sidebar?: boolean;
  children: ReactNode;
};

/** Surrounds every page: the offline notice and the toaster. */
export function RootLayout({ sidebar = false, children }: RootLayoutProps) {
  const hasToasted = useHasToasted();
  return (
    <>
      <OfflineNotice />
      {children}
      {hasToasted && (
        <Suspense>
          <Toaster sidebar={sidebar} />
        </Suspense>
      )}
    </>
  );
}
