import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { startI18n } from "./app/i18n";
import { createQueryClient } from "./app/query-client";
import { createAppRouter } from "./app/router";
import { redirectOnSessionEnd } from "./app/session-end";
import { userQuery } from "./features/auth/auth.queries";
import { onFirstInput } from "./lib/on-first-input";
import { watchTheme } from "./lib/theme";

async function start(root: HTMLElement): Promise<void> {
  watchTheme();
  const queryClient = createQueryClient();
  // The texts and the user are asked for at the same time; a failed read shows on the page that needs it.
  void queryClient.prefetchQuery(userQuery);
  const i18n = await startI18n();
  const router = createAppRouter(queryClient);
  redirectOnSessionEnd(queryClient, router);
  // Whoever does something may have to be told something, perhaps with no network any more.
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

// Brought back as it was left, the page may show somebody who has signed out since.
window.addEventListener("pageshow", ({ persisted }) => {
  if (persisted) location.reload();
});

const root = document.getElementById("root");
if (root) void start(root);
