import { Outlet } from "@tanstack/react-router";
import { Suspense } from "react";
import { OfflineNotice } from "../components/layout/offline-notice";
import { Toaster } from "../components/ui/toaster";
import { LoadingRoute } from "./loading";

export function RootRoute() {
  return (
    <>
      <OfflineNotice />
      <Suspense fallback={<LoadingRoute />}>
        <Outlet />
      </Suspense>
      <Toaster />
    </>
  );
}
