import { Description, DialogPanel, DialogTitle, Dialog as HeadlessDialog } from "@headlessui/react";
import type { LucideIcon } from "lucide-react";
import type { ReactNode, RefObject } from "react";
import { RestoreFocus } from "./restore-focus";

type AlertDialogProps = {
  open: boolean;
  icon: LucideIcon;
  title: string;
  text: string;
  /** What it is about, such as the name of what is deleted. */
  detail?: string | undefined;
  buttons: ReactNode;
  initialFocus?: RefObject<HTMLElement | null>;
  /** On Escape or a click outside. */
  onClose: () => void;
};

/** A small dialog for a question or a failure that must not be missed. */
export function AlertDialog(props: AlertDialogProps) {
  const { open, icon: Icon, title, text, detail, buttons, initialFocus, onClose } = props;
  return (
    <HeadlessDialog
      role="alertdialog"
      open={open}
      onClose={onClose}
      {...(initialFocus && { initialFocus })}
      className="fixed inset-0 z-50"
    >
      <div aria-hidden className="appear absolute inset-0 bg-overlay" />
      <div className="absolute inset-0 flex overflow-y-auto p-4">
        <DialogPanel className="rise m-auto w-full max-w-md rounded-card bg-surface p-5 text-ink shadow-float sm:p-6">
          <RestoreFocus />
          <div className="flex gap-4">
            <span className="inline-flex size-10 shrink-0 items-center justify-center rounded-full bg-bad-soft text-bad">
              <Icon aria-hidden className="size-5" />
            </span>
            <div className="min-w-0">
              <DialogTitle as="h2" className="text-lg">
                {title}
              </DialogTitle>
              <Description className="mt-1 text-ink-soft">{text}</Description>
              {detail && <p className="mt-2 break-words font-medium">{detail}</p>}
            </div>
          </div>
          <div className="mt-6 flex flex-wrap justify-end gap-2 max-sm:*:grow">{buttons}</div>
        </DialogPanel>
      </div>
    </HeadlessDialog>
  );
}
