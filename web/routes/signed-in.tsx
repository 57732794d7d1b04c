import { useQuery } from "@tanstack/react-query";
import { Outlet, useLocation, useNavigate, useSearch } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import type { HomeSearch } from "../app/search";
import { Shell, Sidebar } from "../components/layout/shell";
import { lazyComponent } from "../components/ui/lazy-component";
import { type User, useLogout, userQuery } from "../features/auth/auth.queries";
import { authPath } from "../features/auth/auth-url";
import { Shortcuts } from "../features/search/shortcuts";
import { useAccountPreferences } from "../features/settings/use-account-preferences";
import { WorkspaceSelector } from "../features/workspaces/workspace-selector";
import { useSelectedWorkspace } from "../features/workspaces/workspaces.queries";
import { LoadingRoute } from "./root";

const PasskeyHint = lazyComponent(() => import("../features/settings/passkeys/passkey-hint"));
const SupportPanel = lazyComponent(() => import("../features/support/support-panel"));

/** The layout of every page that needs a signed-in user. */
export function SignedInRoute() {
  const { data: user } = useQuery(userQuery);
  // Without a user, the redirect to the sign-in page is under way.
  return user ? <SignedIn user={user} /> : <LoadingRoute />;
}

function SignedIn({ user }: { user: User }) {
  const navigate = useNavigate();
  const logout = useLogout();
  useAccountPreferences(user);
  const workspace = useSelectedWorkspace();
  const [support, setSupport] = useState(false);
  const { q: search = "", envelope, wizard, edit } = useSearch({ strict: false });
  const { pathname } = useLocation();
  const sidebar = (
    <Sidebar
      user={{
        name: user.firstName || user.email,
        company: user.companyName,
        avatarUrl: user.avatarUrl,
        isAdministrator: user.isAdministrator,
      }}
      workspaceSelector={<WorkspaceSelector />}
      hint={<PasskeyHint />}
      alone={workspace?.role === "owner" && workspace.memberCount === 1}
      supportOpen={support}
      onSupport={() => setSupport(!support)}
      search={search}
      onSearch={(words, typing) => {
        // While one is typing, the history has one entry for the search.
        if (words === search) return;
        const q = words || undefined;
        // What is open over the list stays: it may have been opened during a pause in typing.
        const everywhere = {
          ...{ tab: undefined, filter: undefined, bulkId: undefined },
          ...{ mine: undefined, assignee: undefined, opened: undefined, deliveries: undefined },
        };
        const onList = (now: HomeSearch) => ({ ...now, ...everywhere, q });
        void navigate({
          to: "/",
          search: typing && pathname === "/" ? onList : { q },
          replace: typing && [search || undefined, envelope, wizard, edit].some((open) => open !== undefined),
          ignoreBlocker: typing && pathname === "/",
        });
      }}
      onSignOut={() =>
        logout.mutate(undefined, {
          onSuccess: () => void navigate({ href: authPath(), reloadDocument: true, ignoreBlocker: true }),
        })
      }
      signingOut={logout.isPending}
    />
  );
  return (
    <Shell sidebar={sidebar} floating={support && <SupportPanel onClose={() => setSupport(false)} />}>
      <Suspense fallback={<LoadingRoute />}>
        <Outlet />
      </Suspense>
      <Shortcuts />
    </Shell>
  );
}
