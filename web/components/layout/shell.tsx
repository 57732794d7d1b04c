import { useClose } from "@headlessui/react";
import { Link, useLocation } from "@tanstack/react-router";
import {
  CircleQuestionMark,
  FileText,
  LogOut,
  Mail,
  Menu,
  Plug,
  Settings,
  ShieldCheck,
  UserPlus,
  Users,
} from "lucide-react";
import { createContext, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { useMediaQuery } from "../../lib/use-media-query";
import { pageTitle } from "../../lib/use-page-title";
import { Avatar } from "../ui/avatar";
import { IconButton } from "../ui/icon-button";
import { SearchInput } from "../ui/input";
import { lazyComponent } from "../ui/lazy-component";
import { Logo } from "../ui/logo";

// Loaded when it is first opened, on a small screen.
const Drawer = lazyComponent(() => import("./drawer"));

type ShellProps = {
  /** Shown in the sidebar, and in the drawer on a small screen. */
  sidebar: ReactNode;
  /** Floats over the page, such as the help chat. */
  floating?: ReactNode;
  children: ReactNode;
};

/** Whether it is in the shell's `main`. */
export const InShell = createContext(false);

export function Shell({ sidebar, floating, children }: ShellProps) {
  const { t } = useTranslation("shell");
  const { pathname } = useLocation();
  // Rendered once it is visible, because it takes a third of the first render.
  const visible = useMediaQuery("(min-width: 64rem)");
  const [docked, setDocked] = useState(visible);
  if (visible && !docked) setDocked(true);
  // The path on which it was opened: following a link in the drawer closes it.
  const [openOn, setOpenOn] = useState<string | null>(null);
  const close = () => setOpenOn(null);
  return (
    <div className="flex min-h-dvh flex-col lg:flex-row">
      <a
        href="#content"
        className="sr-only z-30 rounded-control bg-surface px-3 py-2 text-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {t("skip")}
      </a>
      <aside className="sticky top-(--offline) hidden h-[calc(100dvh-var(--offline))] w-64 shrink-0 border-line border-r bg-paper lg:block">
        {docked && sidebar}
      </aside>
      <header className="sticky top-0 z-20 flex h-14 items-center gap-2 border-line border-b bg-paper px-3 lg:hidden">
        <IconButton
          icon={Menu}
          label={t("openMenu")}
          side="bottom"
          onClick={() => setOpenOn(pathname)}
          className="size-10"
        />
        <Logo />
      </header>
      {openOn === pathname && <Drawer onClose={close}>{sidebar}</Drawer>}
      <main
        id="content"
        tabIndex={-1}
        className="min-w-0 flex-1 bg-surface px-4 py-6 sm:px-8 sm:py-8 [body:has([role=alert]>div)_&]:pb-28"
      >
        <div className="mx-auto max-w-[1120px] min-[100rem]:has-data-wide:max-w-none beside:has-data-wide:pr-[684px]">
          <InShell value>{children}</InShell>
        </div>
      </main>
      {floating}
      <PageStatus />
    </div>
  );
}

/** Says to screen readers that a link has led to another page: the focus stays on the link. */
function PageStatus() {
  const title = pageTitle.use();
  const [page, setPage] = useState({ title, isFirst: true });
  if (title !== page.title) setPage({ title, isFirst: page.title === "" });
  return (
    <p role="status" className="sr-only">
      {!page.isFirst && page.title}
    </p>
  );
}

const ENTRIES = [
  { to: "/", key: "envelopes", icon: Mail },
  { to: "/templates", key: "templates", icon: FileText },
  { to: "/contacts", key: "contacts", icon: Users },
  { to: "/integrations", key: "integrations", icon: Plug },
  { to: "/profile", key: "settings", icon: Settings },
] as const;

const ADMINISTRATION = { to: "/administration", key: "administration", icon: ShieldCheck } as const;

const currentClass = "bg-accent-soft text-accent! font-medium";

const rowClass =
  "flex h-9 touch:h-10 w-full items-center gap-2.5 rounded-control px-2.5 text-left text-ink-soft transition-colors duration-150 hover:bg-hover hover:text-ink";

export type SidebarUser = {
  name: string;
  company: string | null;
  avatarUrl: string | null;
  isAdministrator: boolean;
};

type SidebarProps = {
  user: SidebarUser;
  workspaceSelector: ReactNode;
  /** A suggestion above the last entries. */
  hint: ReactNode;
  /** Whether to suggest inviting people: nobody else is in the workspace yet. */
  alone: boolean;
  supportOpen: boolean;
  onSupport: () => void;
  /** Opens the search with these words. */
  onSearch: (words: string) => void;
  onSignOut: () => void;
  signingOut: boolean;
};

export function Sidebar(props: SidebarProps) {
  const { user } = props;
  const { t } = useTranslation("shell");
  // On a small screen the drawer would cover the panel.
  const closeDrawer = useClose();
  return (
    <div className="flex h-full flex-col gap-4 overflow-y-auto p-4">
      <Logo className="h-9 w-fit" />
      {props.workspaceSelector}
      <search>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const form = event.currentTarget;
            const words = String(new FormData(form).get("words"));
            form.reset();
            closeDrawer();
            // The drawer has then given the focus back.
            setTimeout(() => props.onSearch(words));
          }}
        >
          <SearchInput label={t("search")} name="words" />
        </form>
      </search>
      <nav aria-label={t("navigation")}>
        <ul className="space-y-0.5">
          {[...ENTRIES, ...(user.isAdministrator ? [ADMINISTRATION] : [])].map(({ to, key, icon: Icon }) => (
            <li key={to}>
              <Link
                to={to}
                activeOptions={{ exact: to === "/", includeSearch: false }}
                activeProps={{ className: currentClass }}
                onClick={closeDrawer}
                className={rowClass}
              >
                <Icon aria-hidden className="size-4" />
                {t(`nav.${key}`)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="mt-auto space-y-0.5">
        {props.hint}
        {props.alone && (
          <Link to="/workspace" hash="members" onClick={closeDrawer} className={rowClass}>
            <UserPlus aria-hidden className="size-4" />
            {t("invitePeople")}
          </Link>
        )}
        <button
          type="button"
          aria-expanded={props.supportOpen}
          onClick={() => {
            closeDrawer();
            props.onSupport();
          }}
          className={rowClass}
        >
          <CircleQuestionMark aria-hidden className="size-4" />
          {t("support")}
        </button>
        <button type="button" disabled={props.signingOut} onClick={props.onSignOut} className={rowClass}>
          <LogOut aria-hidden className="size-4" />
          {t("signOut")}
        </button>
        <div className="mt-3 flex items-center gap-2.5 border-line border-t pt-3">
          <Avatar name={user.name} url={user.avatarUrl} />
          <div className="min-w-0 flex-1">
            <p className="truncate font-medium" title={user.name}>
              {user.name}
            </p>
            {user.company && (
              <p className="line-clamp-2 break-words text-ink-soft text-xs" title={user.company}>
                {user.company}
              </p>
            )}
          </div>
        </div>
      </div>
    </div>
  );
}
