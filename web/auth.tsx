import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { createQueryClient } from "./app/query-client";
import { showAppCrash } from "./app/show-app-crash";
import { AuthApp } from "./features/auth/auth-app";
import { bootstrap } from "./features/auth/bootstrap";
import { checks } from "./features/auth/load-checks";
import { pages } from "./features/auth/load-pages";
import { initEnglish } from "./features/auth/translation";
import { onPrecondition } from "./lib/api";
import { onFirstInput } from "./lib/on-first-input";
import { onUserElsewhere } from "./lib/session-draft";
import { watchTheme } from "./lib/theme";

/** Hydrates the prerendered page, which is in English. */
function hydrate(root: HTMLElement): void {
  watchTheme();
  const bootstrapped = window.authBootstrap ?? bootstrap();
  initEnglish();
  leadToSetUp();
  followOtherTabs();
  const app = (
    <StrictMode>
      <QueryClientProvider client={createQueryClient()}>
        <AuthApp bootstrap={bootstrapped} />
      </QueryClientProvider>
    </StrictMode>
  );
  // A transition, so that the page stays responsive while it hydrates.
  startTransition(() => {
    hydrateRoot(root, app, { onUncaughtError: showAppCrash(root) });
  });
  bootstrapped.press.stop();
  onFirstInput(() => {
    void checks.load();
    void pages.load();
    fetchApp();
    void Promise.all([import("./components/ui/toaster"), import("./lib/error-text")]).catch(() => undefined);
  });
}

/** Leads an account that must set up a second factor to the app, which asks for it, and back to this page. */
function leadToSetUp(): void {
  onPrecondition("second_factor_setup_required", () => {
    location.assign(`/second-factor?${new URLSearchParams({ next: location.pathname })}`);
    return new Promise(() => undefined);
  });
}

/** Once another tab has signed in, this one goes back to where it was, too. */
function followOtherTabs(): void {
  onUserElsewhere((id) => {
    if (id !== 0 && location.pathname === "/auth") location.reload();
  });
}

/** Preloads the app while the visitor types. */
function fetchApp(): void {
  const href = document.documentElement.dataset.app;
  if (href)
    document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
}

const root = document.getElementById("root");
if (root) hydrate(root);
