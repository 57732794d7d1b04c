import { Dialog, DialogPanel } from "@headlessui/react";
import { useLocation } from "@tanstack/react-router";
import { Menu, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../ui/icon-button";
import { Logo } from "../ui/logo";

type ShellProps = {
  /** What stands in the sidebar, and in the drawer on a small screen. */
  sidebar: ReactNode;
  /** Floats over the page, such as the help chat. */
  floating?: ReactNode;
  children: ReactNode;
};

export function Shell({ sidebar, floating, children }: ShellProps) {
  const { t } = useTranslation("shell");
  const { pathname } = useLocation();
  // Open on the page it was opened on: following a link in the drawer closes it.
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
        {sidebar}
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
      <Drawer open={openOn === pathname} onClose={close}>
        {sidebar}
      </Drawer>
      <main id="content" tabIndex={-1} className="min-w-0 flex-1 bg-surface px-4 py-6 sm:px-8 sm:py-8">
        <div className="mx-auto max-w-[1120px]">{children}</div>
      </main>
      {floating}
    </div>
  );
}

function Drawer({ open, onClose, children }: { open: boolean; onClose: () => void; children: ReactNode }) {
  const { t } = useTranslation(["shell", "common"]);
  return (
    <Dialog open={open} onClose={onClose} aria-label={t("menu")} className="fixed inset-0 z-30 lg:hidden">
      <div aria-hidden className="appear absolute inset-0 bg-veil" />
      <div className="absolute inset-0 flex">
        <DialogPanel className="slide relative h-dvh w-72 max-w-[85vw] bg-paper shadow-float">
          {children}
          <span className="absolute top-3 right-2">
            <IconButton
              icon={X}
              label={t("common:close")}
              side="bottom"
              onClick={onClose}
              className="size-9"
            />
          </span>
        </DialogPanel>
      </div>
    </Dialog>
  );
}
