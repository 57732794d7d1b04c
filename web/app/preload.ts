import type { QueryClient } from "@tanstack/react-query";
import type { FlatNamespace } from "i18next";
import { userQuery } from "../features/auth/auth.queries";
import { envelopesQuery } from "../features/envelopes/envelopes.queries";
import { loadSelectedWorkspace } from "../features/workspaces/workspaces.queries";
import type { AppRouter } from "./router";

/**
 * Starts to load the code and the data of the page in the address. Each part would otherwise wait for the one before
 * it. If that fails, the page loads the missing part itself and shows the failure.
 * @returns the namespaces of its texts
 */
export function preloadPage(router: AppRouter, client: QueryClient): FlatNamespace[] {
  const { pathname } = router.latestLocation;
  const [routes] = router.getMatchedRoutes(pathname);
  for (const route of routes) void router.loadRouteChunk(route);
  void preloadData(client, pathname).catch(() => undefined);
  return routes.flatMap(({ options }) => options.staticData?.namespaces ?? []);
}

async function preloadData(client: QueryClient, pathname: string): Promise<void> {
  const session = window.sessionCheck;
  void client.prefetchQuery(userQuery);
  // Without a session the other calls would fail with 401.
  if (!(await session)?.signedIn) return;
  const workspace = await loadSelectedWorkspace(client);
  if (workspace && pathname === "/") await client.prefetchQuery(envelopesQuery(workspace.id));
}
