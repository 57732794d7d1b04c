import { Dialog, DialogPanel } from "@headlessui/react";
import { X } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useCloseOnBack } from "../../lib/use-close-on-back";
import { IconButton } from "../ui/icon-button";

/** Slides in from the left on a small screen, over the page. */
export default function Drawer({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const { t } = useTranslation(["shell", "common"]);
  useCloseOnBack(true, onClose);
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      // Headless UI returns the focus too, but not if this code was loaded after the click.
      setTimeout(() => {
        if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus();
      });
    },
    [opener],
  );
  return (
    <Dialog open onClose={onClose} aria-label={t("menu")} className="fixed inset-0 z-30 lg:hidden">
      <div aria-hidden className="appear absolute inset-0 bg-overlay" />
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
