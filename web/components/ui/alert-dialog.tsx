import { Description, DialogPanel, DialogTitle, Dialog as HeadlessDialog } from "@headlessui/react";
import { CircleAlert, type LucideIcon, TriangleAlert } from "lucide-react";
import { type ReactNode, type RefObject, useRef } from "react";
import { useTranslation } from "react-i18next";
import { cx } from "../../lib/cx";
import { Button } from "./button";
import { RestoreFocus } from "./restore-focus";
import { addToastContainer } from "./toast-store";

type AlertDialogProps = {
  open: boolean;
  icon: LucideIcon;
  title: string;
  text: string;
  /** What it is about, such as the name of what is deleted. */
  detail?: string | undefined;
  /** Fields, or a list, under the text. */
  children?: ReactNode;
  buttons: ReactNode;
  wide?: boolean;
  initialFocus?: RefObject<HTMLElement | null>;
  /** On Escape or a click outside. */
  onClose: () => void;
};

/** A small dialog for a question or a failure that must not be missed. */
function AlertDialog(props: AlertDialogProps) {
  const { open, icon: Icon, title, text, detail, children, buttons, wide, initialFocus, onClose } = props;
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
        <DialogPanel
          className={cx(
            "rise relative m-auto w-full rounded-card bg-surface p-5 text-ink shadow-float sm:p-6",
            wide ? "max-w-xl" : "max-w-md",
          )}
        >
          <RestoreFocus />
          <div className="flex gap-4">
            <span className="inline-flex size-10 shrink-0 items-center justify-center rounded-full bg-bad-soft text-bad">
              <Icon aria-hidden className="size-5" />
            </span>
            <div className="min-w-0 flex-1">
              <DialogTitle as="h2" className="text-lg">
                {title}
              </DialogTitle>
              <Description className="mt-1 text-ink-soft">{text}</Description>
              {detail && <p className="mt-2 break-words font-medium">{detail}</p>}
              {children && <div className="mt-4">{children}</div>}
            </div>
          </div>
          <div className="mt-6 flex flex-wrap justify-end gap-2 max-sm:*:grow">{buttons}</div>
          <div ref={addToastContainer} className="pointer-events-none absolute inset-x-0 top-full" />
        </DialogPanel>
      </div>
    </HeadlessDialog>
  );
}

type ConfirmDialogProps = {
  open: boolean;
  title: string;
  text: string;
  /** What the question is about, such as the name of what is deleted. */
  detail?: string | undefined;
  /** The label of the destructive button: a verb, such as "Delete envelope". */
  confirmLabel: string;
  cancelLabel?: string;
  /** A third button, between the other two. */
  alternative?: ReactNode;
  pending?: boolean;
  /** Whether it cannot be confirmed yet. */
  disabled?: boolean;
  children?: ReactNode;
  onConfirm: () => void;
  onCancel: () => void;
};

/** Asks before something is lost. The cancel button has the initial focus. */
export function ConfirmDialog({
  confirmLabel,
  cancelLabel,
  alternative,
  pending = false,
  disabled = false,
  onConfirm,
  onCancel,
  ...question
}: ConfirmDialogProps) {
  const { t } = useTranslation();
  const cancelRef = useRef<HTMLButtonElement>(null);
  return (
    <AlertDialog
      {...question}
      icon={TriangleAlert}
      wide={Boolean(alternative)}
      initialFocus={cancelRef}
      onClose={onCancel}
      buttons={
        <>
          <Button ref={cancelRef} onClick={onCancel}>
            {cancelLabel ?? t("cancel")}
          </Button>
          {alternative}
          <Button variant="danger" loading={pending} disabled={disabled} onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </>
      }
    />
  );
}

/** A failure that must be confirmed, where a toast would disappear too soon. */
export function ErrorDialog({ onClose, ...texts }: { title: string; text: string; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <AlertDialog
      {...texts}
      open
      icon={CircleAlert}
      onClose={onClose}
      buttons={<Button onClick={onClose}>{t("close")}</Button>}
    />
  );
}
