import { Outlet } from "@tanstack/react-router";
import { Suspense } from "react";
import { PageRoot } from "../components/layout/root-layout";
import { LoadingRoute } from "./loading";

export function RootRoute() {
  return (
    <PageRoot>
      <Suspense fallback={<LoadingRoute />}>
        <Outlet />
      </Suspense>
    </PageRoot>
  );
}
