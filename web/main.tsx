import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { startI18n } from "./app/i18n";
import { createQueryClient } from "./app/query-client";
import { createAppRouter } from "./app/router";
import { keepSession } from "./app/session";
import { AUTH_TEXTS, findUser, userQuery } from "./features/auth/auth.queries";
import { watchTheme } from "./lib/theme";

/** Pages that need no user. */
const FOR_VISITORS = /^\/(?:reset|verify)\//;

async function start(root: HTMLElement): Promise<void> {
  watchTheme();
  const queryClient = createQueryClient();
  // The texts and the user are asked for at the same time; a failed read shows on the page that needs it.
  const signingIn = location.pathname === "/auth";
  if (signingIn) void Promise.all([findUser(queryClient), import("./routes/auth")]).catch(() => undefined);
  else if (!FOR_VISITORS.test(location.pathname)) void queryClient.prefetchQuery(userQuery);
  const i18n = await startI18n(signingIn ? AUTH_TEXTS : []);
  const router = createAppRouter(queryClient);
  keepSession(queryClient, router);
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

/** Who begins to do something may soon need to be told something, perhaps with no network any more. */
function onFirstInput(prepare: () => void): void {
  const once = () => {
    removeEventListener("pointerdown", once);
    removeEventListener("keydown", once);
    prepare();
  };
  addEventListener("pointerdown", once);
  addEventListener("keydown", once);
}

const root = document.getElementById("root");
if (root) void start(root);
