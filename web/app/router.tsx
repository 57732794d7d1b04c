import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  redirect,
} from "@tanstack/react-router";
import type { FlatNamespace } from "i18next";
import { userQuery } from "../features/auth/auth.queries";
import { authPath } from "../features/auth/auth-url";
import { loadTranslations } from "../lib/load-translations";
import { FailedRoute } from "../routes/failed";
import { LoadingRoute } from "../routes/loading";
import { NotFoundRoute } from "../routes/not-found";
import { RootRoute } from "../routes/root";
import { SignedInRoute } from "../routes/signed-in";
import { homeSearch, listSearch } from "./search";

type RouterContext = { queryClient: QueryClient };

const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: RootRoute,
  notFoundComponent: NotFoundRoute,
});

/** The texts of a page, loaded before it shows. */
const texts = (...namespaces: FlatNamespace[]) => ({
  staticData: { namespaces },
  loader: () => loadTranslations(...namespaces),
});

/** Everything that needs a signed-in user, inside the shell. */
const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "signed-in",
  ...texts("shell"),
  beforeLoad: async ({ context, location }) => {
    const user = await context.queryClient.ensureQueryData(userQuery);
    if (user) return;
    const next = location.href === "/" ? undefined : location.href;
    throw redirect({ href: authPath({ next }), reloadDocument: true });
  },
  component: SignedInRoute,
});

const homeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/",
  validateSearch: homeSearch,
  ...texts("envelopes"),
  component: lazyRouteComponent(() => import("../routes/home"), "HomeRoute"),
});

const templatesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/templates",
  ...texts("templates", "validation", "errors"),
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import("../routes/templates"), "TemplatesRoute"),
});

const contactsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/contacts",
  ...texts("contacts", "validation", "errors"),
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import("../routes/contacts"), "ContactsRoute"),
});

const integrationsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/integrations",
  ...texts("integrations", "validation", "errors"),
  component: lazyRouteComponent(() => import("../routes/integrations"), "IntegrationsRoute"),
});

const profileRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/profile",
  ...texts("profile", "validation", "errors"),
  component: lazyRouteComponent(() => import("../routes/profile"), "ProfileRoute"),
});

const administrationRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/administration",
  beforeLoad: async ({ context }) => {
    const user = await context.queryClient.ensureQueryData(userQuery);
    if (!user?.isAdministrator) throw notFound();
  },
  ...texts("administration", "validation", "errors"),
  component: lazyRouteComponent(() => import("../routes/administration"), "AdministrationRoute"),
});

const routeTree = rootRoute.addChildren([
  signedInRoute.addChildren([
    homeRoute,
    templatesRoute,
    contactsRoute,
    integrationsRoute,
    profileRoute,
    administrationRoute,
  ]),
]);

export function createAppRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    defaultPreload: "intent",
    defaultPendingMs: 0,
    defaultPendingMinMs: 0,
    defaultPendingComponent: LoadingRoute,
    defaultErrorComponent: FailedRoute,
    defaultNotFoundComponent: NotFoundRoute,
    scrollRestoration: true,
  });
}

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module "@tanstack/react-router" {
  interface StaticDataRouteOption {
    namespaces?: FlatNamespace[];
  }
  interface Register {
    router: AppRouter;
  }
}
