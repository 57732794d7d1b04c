import { Outlet } from "@tanstack/react-router";
import { Suspense } from "react";
import { RootLayout } from "../components/layout/root-layout";
import { LoadingRoute } from "./loading";

export function RootRoute() {
  return (
    <RootLayout sidebar>
      <Suspense fallback={<LoadingRoute />}>
        <Outlet />
      </Suspense>
    </RootLayout>
  );
}
