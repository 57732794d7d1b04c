import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../components/ui/confirm-dialog";
import { focusContent } from "../../lib/focus-content";
import { useCloseOnBack } from "../../lib/use-close-on-back";
import { type Contact, useDeleteContact } from "./contacts.queries";

type DeleteContactDialogProps = { contact: Contact | null; onClose: () => void };

export function DeleteContactDialog({ contact, onClose }: DeleteContactDialogProps) {
  const { t } = useTranslation("contacts");
  const remove = useDeleteContact();
  useCloseOnBack(contact !== null, onClose);
  return (
    <ConfirmDialog
      open={contact !== null}
      title={t("delete.title")}
      text={t("delete.text")}
      confirmLabel={t("delete.confirm")}
      pending={remove.isPending}
      onConfirm={() => contact && remove.mutate(contact.id, { onSuccess: focusContent, onSettled: onClose })}
      onCancel={onClose}
    />
  );
}
