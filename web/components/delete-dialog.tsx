import type { UseMutationResult } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { focusContent } from "../lib/focus";
import { ConfirmDialog } from "./ui/confirm-dialog";

type DeleteDialogProps = {
  kind: "contacts" | "templates";
  /** The entry to delete; the dialog is open while there is one. */
  entry: { id: number } | null;
  remove: UseMutationResult<unknown, Error, number>;
  onDeleted?: () => void;
  onClose: () => void;
};

/** Asks before an entry is deleted. */
export function DeleteDialog(props: DeleteDialogProps) {
  const { kind, entry, remove, onDeleted = focusContent, onClose } = props;
  const { t } = useTranslation(kind);
  return (
    <ConfirmDialog
      open={entry !== null}
      title={t("delete.title")}
      text={t("delete.text")}
      confirmLabel={t("delete.confirm")}
      pending={remove.isPending}
      onConfirm={() => entry && remove.mutate(entry.id, { onSuccess: onDeleted, onSettled: onClose })}
      onCancel={onClose}
    />
  );
}
