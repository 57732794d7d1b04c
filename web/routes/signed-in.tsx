import { useQuery } from "@tanstack/react-query";
import { Outlet, useNavigate } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { Shell, Sidebar } from "../components/layout/shell";
import { lazyComponent } from "../components/ui/lazy-component";
import { type User, useLogout, userQuery } from "../features/auth/auth.queries";
import { authPath } from "../features/auth/auth-url";
import { SearchDialog, Shortcuts } from "../features/search/shortcuts";
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
  const [search, setSearch] = useState<string>();
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
      onSearch={setSearch}
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
      {search !== undefined && <SearchDialog words={search} onClose={() => setSearch(undefined)} />}
    </Shell>
  );
}
