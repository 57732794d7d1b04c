import { useLocation } from "@tanstack/react-router";
import { Menu } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { useMediaQuery } from "../../lib/use-media-query";
import { IconButton } from "../ui/icon-button";
import { Logo } from "../ui/logo";

// Loaded when it is first opened, on a small screen.
const Drawer = lazy(() => import("./drawer"));

type ShellProps = {
  /** Shown in the sidebar, and in the drawer on a small screen. */
  sidebar: ReactNode;
  /** Floats over the page, such as the help chat. */
  floating?: ReactNode;
  children: ReactNode;
};

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
      <aside className="sticky top-0 hidden h-dvh w-64 shrink-0 border-line border-r bg-paper lg:block">
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
      {openOn === pathname && (
        <Suspense>
          <Drawer onClose={close}>{sidebar}</Drawer>
        </Suspense>
      )}
      <main id="content" tabIndex={-1} className="min-w-0 flex-1 bg-surface px-4 py-6 sm:px-8 sm:py-8">
        <div className="mx-auto max-w-[1120px]">{children}</div>
      </main>
      {floating}
    </div>
  );
}
