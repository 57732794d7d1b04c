import { useClose } from "@headlessui/react";
import { Link, useLocation } from "@tanstack/react-router";
import { FileText, LifeBuoy, LogOut, Mail, Plug, Settings, ShieldCheck, UserPlus, Users } from "lucide-react";
import { type FormEvent, type ReactNode, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useMediaQuery } from "../../lib/use-media-query";
import { useUrlInput } from "../../lib/use-url-input";
import { Avatar } from "../ui/avatar";
import { SearchInput } from "../ui/input";
import { Logo } from "../ui/logo";

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
  /** Whether to suggest inviting people: nobody else is in the workspace yet. */
  alone: boolean;
  supportOpen: boolean;
  onSupport: () => void;
  /** The current search text. */
  search: string;
  onSearch: (words: string, typing: boolean) => void;
  onSignOut: () => void;
  signingOut: boolean;
};

export function Sidebar(props: SidebarProps) {
  const { t } = useTranslation("shell");
  // On a small screen the drawer would cover the panel.
  const closeDrawer = useClose();
  const { pathname } = useLocation();
  const docked = useMediaQuery("(min-width: 64rem)");
  return (
    <div className="flex h-full flex-col gap-4 overflow-y-auto p-4">
      <Logo className="h-9 w-fit" />
      {props.workspaceSelector}
      <SearchBox
        search={props.search}
        page={pathname}
        onType={(words) => {
          // Another page would close the drawer in which one is typing.
          if (docked || pathname === "/") props.onSearch(words, true);
        }}
        onSubmit={(words) => {
          closeDrawer();
          props.onSearch(words, false);
        }}
      />
      <nav aria-label={t("navigation")}>
        <ul className="space-y-0.5">
          {[...ENTRIES, ...(props.user.isAdministrator ? [ADMINISTRATION] : [])].map(
            ({ to, key, icon: Icon }) => (
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
            ),
          )}
        </ul>
      </nav>
      <div className="mt-auto space-y-0.5">
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
          <LifeBuoy aria-hidden className="size-4" />
          {t("support")}
        </button>
        <button type="button" disabled={props.signingOut} onClick={props.onSignOut} className={rowClass}>
          <LogOut aria-hidden className="size-4" />
          {t("signOut")}
        </button>
        <UserBox user={props.user} />
      </div>
    </div>
  );
}

type SearchBoxProps = {
  search: string;
  page: string;
  /** After a pause in typing, unless another page was opened meanwhile. */
  onType: (words: string) => void;
  onSubmit: (words: string) => void;
};

function SearchBox({ search, page, onType, onSubmit }: SearchBoxProps) {
  const { t } = useTranslation("shell");
  const typedOn = useRef(page);
  const [words, setWords] = useUrlInput(search, (typed) => {
    if (typedOn.current === page) onType(typed);
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(words.trim());
  };
  return (
    <search>
      <form onSubmit={submit}>
        <SearchInput
          label={t("search")}
          value={words}
          onChange={(event) => {
            typedOn.current = page;
            setWords(event.target.value);
          }}
        />
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
