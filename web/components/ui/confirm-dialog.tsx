import { TriangleAlert } from "lucide-react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { AlertDialog } from "./alert-dialog";
import { Button } from "./button";

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
export function ConfirmDialog({
  confirmLabel,
  cancelLabel,
  pending = false,
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
      initialFocus={cancelRef}
      onClose={onCancel}
      buttons={
        <>
          <Button ref={cancelRef} onClick={onCancel}>
            {cancelLabel ?? t("cancel")}
          </Button>
          <Button variant="danger" loading={pending} onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </>
      }
    />
  );
}
