import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  redirect,
} from "@tanstack/react-router";
import i18next, { type FlatNamespace } from "i18next";
import { userQuery } from "../features/auth/auth.queries";
import { authPath } from "../features/auth/auth-url";
import { selectWorkspace } from "../features/workspaces/workspaces.queries";
import { FailedRoute, LoadingRoute, NotFoundRoute, RootRoute } from "../routes/root";
import { SignedInRoute } from "../routes/signed-in";
import { COMMON_TEXTS, PAGE_TEXTS } from "./pages";
import {
  contactSearch,
  contactsSearch,
  type HomeSearch,
  homeSearch,
  nextSearch,
  schedulesSearch,
  templatesSearch,
  workspaceSearch,
} from "./search";

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
  ...texts(...COMMON_TEXTS),
  beforeLoad: async ({ context, location }) => {
    const user = await context.queryClient.ensureQueryData(userQuery);
    if (user) return;
    const next = location.href === "/" ? undefined : location.href;
    throw redirect({ href: authPath({ next }), reloadDocument: true });
  },
  component: SignedInRoute,
});

const loadHome = () => import("../routes/home");

async function loadBoard(): Promise<void> {
  const [{ Board }] = await Promise.all([loadHome(), loadTranslations("board")]);
  await Board.preload?.();
}

const homeRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/",
  validateSearch: homeSearch,
  ...texts(...PAGE_TEXTS.home),
  loader: ({ location }) =>
    Promise.all([
      loadTranslations(...PAGE_TEXTS.home),
      (location.search as HomeSearch).view === "board" && loadBoard(),
    ]),
  component: lazyRouteComponent(loadHome, "HomeRoute"),
});

const templatesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/templates",
  ...texts(...PAGE_TEXTS.templates),
  validateSearch: templatesSearch,
  component: lazyRouteComponent(() => import("../routes/templates"), "TemplatesRoute"),
});

const contactsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/contacts",
  ...texts(...PAGE_TEXTS.contacts),
  validateSearch: contactsSearch,
  component: lazyRouteComponent(() => import("../routes/contacts"), "ContactsRoute"),
});

const contactRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/contacts/$contactId",
  ...texts(...PAGE_TEXTS.contact),
  validateSearch: contactSearch,
  component: lazyRouteComponent(() => import("../routes/contact"), "ContactRoute"),
});

const schedulesRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/schedules",
  ...texts(...PAGE_TEXTS.schedules),
  validateSearch: schedulesSearch,
  component: lazyRouteComponent(() => import("../routes/schedules"), "SchedulesRoute"),
});

const integrationsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/integrations",
  ...texts(...PAGE_TEXTS["integrations-page"]),
  component: lazyRouteComponent(
    () => import("../features/integrations/integrations-page"),
    "IntegrationsPage",
  ),
});

const profileRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/profile",
  ...texts(...PAGE_TEXTS.profile),
  component: lazyRouteComponent(() => import("../routes/profile"), "ProfileRoute"),
});

const workspaceRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/workspace",
  ...texts(...PAGE_TEXTS.workspace),
  validateSearch: workspaceSearch,
  beforeLoad: async ({ context, search: { id }, location: { hash }, preload }) => {
    if (id === undefined || preload) return;
    await selectWorkspace(context.queryClient, id);
    throw redirect({ to: "/workspace", hash, replace: true });
  },
  component: lazyRouteComponent(() => import("../routes/workspace"), "WorkspaceRoute"),
});

const administrationRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: "/administration",
  beforeLoad: async ({ context }) => {
    const user = await context.queryClient.ensureQueryData(userQuery);
    if (!user?.isAdministrator) throw notFound();
  },
  ...texts(...PAGE_TEXTS["administration-page"]),
  component: lazyRouteComponent(
    () => import("../features/administration/administration-page"),
    "AdministrationPage",
  ),
});

/** Where the sign-in pages lead to set up a required second factor, which is asked for before any page; and back. */
const secondFactorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/second-factor",
  validateSearch: nextSearch,
  beforeLoad: ({ search: { next } }) => {
    throw redirect({ href: next ?? "/", reloadDocument: true, replace: true });
  },
});

const routeTree = rootRoute.addChildren([
  secondFactorRoute,
  signedInRoute.addChildren([
    homeRoute,
    templatesRoute,
    contactsRoute,
    contactRoute,
    schedulesRoute,
    integrationsRoute,
    profileRoute,
    workspaceRoute,
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

/** Loads a page's texts in its route's loader, so that the page does not flicker. */
async function loadTranslations(...namespaces: FlatNamespace[]): Promise<void> {
  await i18next.loadNamespaces(namespaces);
}
