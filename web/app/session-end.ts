import type { QueryClient } from "@tanstack/react-query";
import { userQuery } from "../features/auth/auth.queries";
import { authPath, safeNextPath } from "../features/auth/auth-url";
import { onSessionEnd } from "../lib/api";
import type { AppRouter } from "./router";

/** When the server says that the session is over: to the sign-in page, and afterwards back to this place. */
export function redirectOnSessionEnd(client: QueryClient, router: AppRouter): void {
  onSessionEnd(() => {
    // The user's own read answers 401 for everybody who is not signed in; only a known user has lost something.
    if (!client.getQueryData(userQuery.queryKey)) return;
    client.setQueryData(userQuery.queryKey, null);
    const next = safeNextPath(router.state.location.href);
    void router.navigate({ href: authPath({ next }), reloadDocument: true, ignoreBlocker: true });
  });
}
