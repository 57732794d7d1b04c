import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { startI18n } from "./app/i18n";
import { preloadPage } from "./app/preload";
import { createQueryClient } from "./app/query-client";
import { createAppRouter } from "./app/router";
import { redirectOnSessionEnd, reloadOnUserChange } from "./app/session-end";
import { onFirstInput } from "./lib/on-first-input";
import { watchTheme } from "./lib/theme";

async function start(root: HTMLElement): Promise<void> {
  watchTheme();
  const queryClient = createQueryClient();
  const router = createAppRouter(queryClient);
  const i18n = await startI18n(preloadPage(router, queryClient));
  redirectOnSessionEnd(queryClient, router);
  reloadOnUserChange(queryClient);
  // Preloads what messages need, since the network may be gone when one is shown.
  onFirstInput(() => {
    void i18n.loadNamespaces(["errors", "validation"]);
    void Promise.all([import("./components/ui/toaster"), import("./components/ui/confirm-dialog")]).catch(
      () => undefined,
    );
  });
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
}

// A page restored from the back/forward cache may show a user who has signed out since.
window.addEventListener("pageshow", ({ persisted }) => {
  if (persisted) location.reload();
});

const root = document.getElementById("root");
if (root) void start(root);
