import { Outlet } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { OfflineNotice } from "../components/layout/offline-notice";
import { useToastsStarted } from "../components/ui/toast-store";
import { LoadingRoute } from "./loading";

// Most visits show no toast at all.
const Toaster = lazy(async () => ({ default: (await import("../components/ui/toaster")).Toaster }));

export function RootRoute() {
  const toasts = useToastsStarted();
  return (
    <>
      <OfflineNotice />
      <Suspense fallback={<LoadingRoute />}>
        <Outlet />
      </Suspense>
      {toasts && (
        <Suspense>
          <Toaster />
        </Suspense>
      )}
    </>
  );
}
