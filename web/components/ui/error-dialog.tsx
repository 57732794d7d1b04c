import { Description, DialogPanel, DialogTitle, Dialog as HeadlessDialog } from "@headlessui/react";
import { CircleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "./button";
import { RestoreFocus } from "./restore-focus";

type ErrorDialogProps = { title: string; text: string; onClose: () => void };

/** A failure that must be confirmed, where a toast would disappear too soon. */
export function ErrorDialog({ title, text, onClose }: ErrorDialogProps) {
  const { t } = useTranslation();
  return (
    <HeadlessDialog role="alertdialog" open onClose={onClose} className="fixed inset-0 z-50">
      <div aria-hidden className="appear absolute inset-0 bg-overlay" />
      <div className="absolute inset-0 flex overflow-y-auto p-4">
        <DialogPanel className="rise m-auto w-full max-w-md rounded-card bg-surface p-5 text-ink shadow-float sm:p-6">
          <RestoreFocus />
          <div className="flex gap-4">
            <span className="inline-flex size-10 shrink-0 items-center justify-center rounded-full bg-bad-soft text-bad">
              <CircleAlert aria-hidden className="size-5" />
            </span>
            <div className="min-w-0">
              <DialogTitle as="h2" className="text-lg">
                {title}
              </DialogTitle>
              <Description className="mt-1 text-ink-soft">{text}</Description>
            </div>
          </div>
          <div className="mt-6 flex justify-end">
            <Button onClick={onClose}>{t("close")}</Button>
          </div>
        </DialogPanel>
      </div>
    </HeadlessDialog>
  );
}
