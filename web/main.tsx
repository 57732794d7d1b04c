import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterContextProvider, RouterProvider } from "@tanstack/react-router";
import type { i18n as I18n } from "i18next";
import { StrictMode, startTransition } from "react";
import { createRoot } from "react-dom/client";
import { safeNextPath } from "../worker/contract/pages";
import { startI18n } from "./app/i18n";
import { Preconditions } from "./app/preconditions";
import { createQueryClient } from "./app/query-client";
import { type AppRouter, createAppRouter } from "./app/router";
import { showAppCrash } from "./app/show-app-crash";
import { RecipientPage } from "./components/recipient-page";
import { lazyComponent } from "./components/ui/lazy-component";
import { userQuery } from "./features/auth/auth.queries";
import { authPath } from "./features/auth/auth-url";
import { bulkSendsQuery } from "./features/envelopes/bulk-sends.queries";
import { rowsQuery } from "./features/envelopes/envelopes.queries";
import { loadSelectedWorkspace } from "./features/workspaces/workspaces.queries";
import { onSessionEnd } from "./lib/api";
import { dropEarlyReads } from "./lib/early-reads";
import { onFirstInput } from "./lib/on-first-input";
import { onUserElsewhere } from "./lib/session-draft";
import { watchTheme } from "./lib/theme";

const PagePreview = lazyComponent(() => import("./features/submit/page-preview"));

async function start(root: HTMLElement): Promise<void> {
  watchTheme();
  const needsSecondFactor = readNeedsSecondFactor();
  const queryClient = createQueryClient();
  const router = createAppRouter(queryClient);
  const page = preloadPage(router, queryClient);
  const i18n = await startI18n(page.namespaces);
  redirectOnSessionEnd(queryClient, router);
  reloadOnUserChange(queryClient);
  // After the input is handled, which this would delay.
  onFirstInput(() => setTimeout(() => preloadMessages(i18n)));
  if (!(await needsSecondFactor)) await firstPage(router, page.data);
  // A transition, which React renders in short tasks, so that the page responds meanwhile.
  startTransition(() => {
    createRoot(root, { onUncaughtError: showAppCrash(root) }).render(
      <StrictMode>
        <QueryClientProvider client={queryClient}>
          {/* Their dialogs, too, are closed by the back button. */}
          <RouterContextProvider router={router}>
            <Preconditions needsSecondFactor={needsSecondFactor}>
              <RecipientPage value={PagePreview}>
                <RouterProvider router={router} />
              </RecipientPage>
            </Preconditions>
          </RouterContextProvider>
        </QueryClientProvider>
      </StrictMode>,
    );
  });
}

/** Preloads what messages need, since the network may be gone when one is shown. */
function preloadMessages(i18n: I18n): void {
  void i18n.loadNamespaces(["errors", "validation"]);
  void Promise.all([
    import("./components/ui/toaster"),
    import("./components/ui/alert-dialog"),
    import("./lib/error-text"),
  ]).catch(() => undefined);
}

/** How long the logo stays before the page says that it is loading. */
const PATIENCE_MS = 300;

/** Waits for the first page's code, texts and data, so that it is rendered once; on a slow connection not for long. */
async function firstPage(router: AppRouter, data: Promise<void>): Promise<void> {
  const patience = new Promise<void>((resolve) => setTimeout(resolve, PATIENCE_MS));
  await Promise.race([Promise.all([router.load(), data]), patience]);
}

async function readNeedsSecondFactor(): Promise<boolean> {
  return (await window.sessionCheck)?.needsSecondFactor === true;
}

/**
 * Starts to load the code and the data of the page in the address. Each part would otherwise wait for the one before
 * it. If that fails, the page loads the missing part itself and shows the failure.
 */
function preloadPage(router: AppRouter, client: QueryClient) {
  const { pathname } = router.latestLocation;
  const [routes] = router.getMatchedRoutes(pathname);
  for (const route of routes) void router.loadRouteChunk(route);
  const data = preloadData(client, pathname)
    .catch(() => undefined)
    .finally(dropEarlyReads);
  return { data, namespaces: routes.flatMap(({ options }) => options.staticData?.namespaces ?? []) };
}

async function preloadData(client: QueryClient, pathname: string): Promise<void> {
  const session = window.sessionCheck;
  void client.prefetchQuery(userQuery);
  // Without a session the other calls would fail with 401, without a required second factor with 403.
  const state = await session;
  if (!state?.signedIn || state.needsSecondFactor) return;
  const workspace = await loadSelectedWorkspace(client);
  await window.allReadsStarted;
  if (!workspace || pathname !== "/") return;
  await Promise.all([
    client.prefetchQuery(bulkSendsQuery(workspace.id)),
    client.prefetchInfiniteQuery(rowsQuery({ workspaceId: workspace.id })),
  ]);
}

/** Redirects to the sign-in page when the session has ended, and back to the current page afterwards. */
function redirectOnSessionEnd(client: QueryClient, router: AppRouter): void {
  onSessionEnd(() => {
    // The read of the current user responds with 401 to every visitor; only a known user had a session to lose.
    if (!client.getQueryData(userQuery.queryKey)) return;
    client.setQueryData(userQuery.queryKey, null);
    const next = safeNextPath(router.state.location.href);
    void router.navigate({ href: authPath({ next }), reloadDocument: true, ignoreBlocker: true });
  });
}

/** Reloads when another tab has signed out, or has signed in a different user, whose account this page would change from now on. */
function reloadOnUserChange(client: QueryClient): void {
  onUserElsewhere((id) => {
    const user = client.getQueryData(userQuery.queryKey);
    if (!user || user.id === id) return;
    // Whoever stays, because of what they have typed, must not act in the other account.
    client.setQueryData(userQuery.queryKey, null);
    location.reload();
  });
}

// A page restored from the back/forward cache may show a user who has signed out since.
window.addEventListener("pageshow", ({ persisted }) => {
  if (persisted) location.reload();
});

// WebKit scrolls only the caret of a field into view: a header or a footer may cover the field. It has no `key` for Shift+Tab.
window.addEventListener("keyup", ({ code, target }) => {
  if (code === "Tab") (target as Element).scrollIntoView({ block: "nearest" });
});

const root = document.getElementById("root");
if (root) void start(root);

/** Small modules that several pages share: each would be a request of its own. */
export * as days from "../worker/contract/days";
export * as header from "./components/layout/page-header";
export * as notice from "./components/ui/notice";
export * as passkeys from "./features/settings/passkeys/passkeys.queries";
export * as templates from "./features/templates/templates.queries";
export * as members from "./features/workspaces/members/members.queries";
export * as format from "./lib/use-format";
