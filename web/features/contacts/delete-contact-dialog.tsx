import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../components/ui/confirm-dialog";
import { focusContent } from "../../lib/focus";
import { type Contact, useDeleteContact } from "./contacts.queries";

type DeleteContactDialogProps = {
  /** The contact to delete; the dialog is open while there is one. */
  contact: Contact | null;
  onDeleted?: () => void;
  onClose: () => void;
};

export function DeleteContactDialog({
  contact,
  onDeleted = focusContent,
  onClose,
}: DeleteContactDialogProps) {
  const { t } = useTranslation("contacts");
  const remove = useDeleteContact();
  return (
    <ConfirmDialog
      open={contact !== null}
      title={t("delete.title")}
      text={t("delete.text")}
      confirmLabel={t("delete.confirm")}
      pending={remove.isPending}
      onConfirm={() => contact && remove.mutate(contact.id, { onSuccess: onDeleted, onSettled: onClose })}
      onCancel={onClose}
    />
  );
}
