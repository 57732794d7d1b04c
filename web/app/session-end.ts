import type { QueryClient } from "@tanstack/react-query";
import { userQuery } from "../features/auth/auth.queries";
import { authPath, safeNextPath } from "../features/auth/auth-url";
import { onSessionEnd } from "../lib/api";
import { onUserElsewhere } from "../lib/signed-in-user";
import type { AppRouter } from "./router";

/** Redirects to the sign-in page when the session has ended, and back to the current page afterwards. */
export function redirectOnSessionEnd(client: QueryClient, router: AppRouter): void {
  onSessionEnd(() => {
    // The read of the current user answers 401 to every visitor; only a known user had a session to lose.
    if (!client.getQueryData(userQuery.queryKey)) return;
    client.setQueryData(userQuery.queryKey, null);
    const next = safeNextPath(router.state.location.href);
    void router.navigate({ href: authPath({ next }), reloadDocument: true, ignoreBlocker: true });
  });
}

/** Reloads when another tab has signed in a different user, whose account this page would change from now on. */
export function reloadOnUserChange(client: QueryClient): void {
  onUserElsewhere((id) => {
    const user = client.getQueryData(userQuery.queryKey);
    if (user && user.id !== id) location.reload();
  });
}
