import { Description, DialogPanel, DialogTitle, Dialog as HeadlessDialog } from "@headlessui/react";
import { TriangleAlert } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "./button";
import { RestoreFocus } from "./restore-focus";

type ConfirmDialogProps = {
  open: boolean;
  title: string;
  text: string;
  /** What the question is about, such as the name of what is deleted. */
  detail?: string | undefined;
  /** The label of the destructive button: a verb, such as "Delete envelope". */
  confirmLabel: string;
  cancelLabel?: string;
  pending?: boolean;
  onConfirm: () => void;
  onCancel: () => void;
};

/** Asks before something is lost. The cancel button has the initial focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    open,
    title,
    text,
    detail,
    confirmLabel,
    cancelLabel,
    pending = false,
    onConfirm,
    onCancel,
  } = props;
  const { t } = useTranslation();
  const cancelRef = useRef<HTMLButtonElement>(null);
  return (
    <HeadlessDialog
      role="alertdialog"
      open={open}
      onClose={onCancel}
      initialFocus={cancelRef}
      className="fixed inset-0 z-50"
    >
      <div aria-hidden className="appear absolute inset-0 bg-overlay" />
      <div className="absolute inset-0 flex overflow-y-auto p-4">
        <DialogPanel className="rise m-auto w-full max-w-md rounded-card bg-surface p-5 text-ink shadow-float sm:p-6">
          <RestoreFocus />
          <div className="flex gap-4">
            <span className="inline-flex size-10 shrink-0 items-center justify-center rounded-full bg-bad-soft text-bad">
              <TriangleAlert aria-hidden className="size-5" />
            </span>
            <div className="min-w-0">
              <DialogTitle as="h2" className="text-lg">
                {title}
              </DialogTitle>
              <Description className="mt-1 text-ink-soft">{text}</Description>
              {detail && <p className="mt-2 break-words font-medium">{detail}</p>}
            </div>
          </div>
          <div className="mt-6 flex flex-wrap justify-end gap-2">
            <Button ref={cancelRef} onClick={onCancel}>
              {cancelLabel ?? t("cancel")}
            </Button>
            <Button variant="danger" loading={pending} onClick={onConfirm}>
              {confirmLabel}
            </Button>
          </div>
        </DialogPanel>
      </div>
    </HeadlessDialog>
  );
}
