import { useClose } from "@headlessui/react";
import { Link, useLocation } from "@tanstack/react-router";
import { FileText, LifeBuoy, LogOut, Mail, Plug, Settings, Users } from "lucide-react";
import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Avatar } from "../ui/avatar";
import { Logo } from "../ui/logo";
import { SearchInput } from "../ui/search-input";

const ENTRIES = [
  { to: "/", key: "envelopes", icon: Mail },
  { to: "/templates", key: "templates", icon: FileText },
  { to: "/contacts", key: "contacts", icon: Users },
  { to: "/integrations", key: "integrations", icon: Plug },
  { to: "/profile", key: "settings", icon: Settings },
] as const;

/** Opened from Settings. Its path is not below that of Settings, so the router does not match it. */
const SETTINGS_SUBPAGE = "/administration";
const currentClass = "bg-accent-soft text-accent! font-medium";

const rowClass =
  "flex h-9 w-full items-center gap-2.5 rounded-control px-2.5 text-left text-ink-soft transition-colors duration-150 hover:bg-hover hover:text-ink";

export type SidebarUser = { name: string; company: string | null; avatarUrl: string | null };

type SidebarProps = {
  user: SidebarUser;
  workspaceSelector: ReactNode;
  supportOpen: boolean;
  onSupport: () => void;
  /** The current search text. */
  search: string;
  onSearch: (words: string) => void;
  onSignOut: () => void;
  signingOut: boolean;
};

export function Sidebar(props: SidebarProps) {
  const { t } = useTranslation("shell");
  // On a small screen the drawer would cover the panel.
  const closeDrawer = useClose();
  const { pathname } = useLocation();
  return (
    <div className="flex h-full flex-col gap-4 overflow-y-auto p-4">
      <Logo className="h-9 w-fit" />
      {props.workspaceSelector}
      <SearchBox
        search={props.search}
        onSearch={(words) => {
          closeDrawer();
          props.onSearch(words);
        }}
      />
      <nav aria-label={t("navigation")}>
        <ul className="space-y-0.5">
          {ENTRIES.map(({ to, key, icon: Icon }) => {
            const isParent = to === "/profile" && pathname === SETTINGS_SUBPAGE;
            return (
              <li key={to}>
                <Link
                  to={to}
                  activeOptions={{ exact: true, includeSearch: false }}
                  activeProps={{ className: currentClass }}
                  inactiveProps={isParent ? { className: currentClass, "aria-current": "true" } : {}}
                  className={rowClass}
                >
                  <Icon aria-hidden className="size-4.5" />
                  {t(`nav.${key}`)}
                </Link>
              </li>
            );
          })}
        </ul>
      </nav>
      <div className="mt-auto space-y-0.5">
        <button
          type="button"
          aria-expanded={props.supportOpen}
          onClick={() => {
            closeDrawer();
            props.onSupport();
          }}
          className={rowClass}
        >
          <LifeBuoy aria-hidden className="size-4.5" />
          {t("support")}
        </button>
        <button type="button" disabled={props.signingOut} onClick={props.onSignOut} className={rowClass}>
          <LogOut aria-hidden className="size-4.5" />
          {t("signOut")}
        </button>
        <UserBox user={props.user} />
      </div>
    </div>
  );
}

function SearchBox({ search, onSearch }: Pick<SidebarProps, "search" | "onSearch">) {
  const { t } = useTranslation("shell");
  const [words, setWords] = useState(search);
  useEffect(() => setWords(search), [search]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSearch(words.trim());
  };
  return (
    <search>
      <form onSubmit={submit}>
        <SearchInput label={t("search")} value={words} onChange={(event) => setWords(event.target.value)} />
      </form>
    </search>
  );
}

function UserBox({ user }: Pick<SidebarProps, "user">) {
  return (
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
  );
}
