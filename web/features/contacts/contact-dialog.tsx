import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { LoadingDialog } from "../../components/ui/loading-dialog";
import { useSelectedWorkspace } from "../workspaces/workspaces.queries";
import { ContactForm } from "./contact-form";
import { type Contact, contactQuery, contactsQuery } from "./contacts.queries";

type ContactDialogProps = {
  /** The contact that is edited; absent for a new one. */
  editId: number | undefined;
  onClose: () => void;
};

/** Takes the initial values from the cached list or loads them, then shows the form. */
export default function ContactDialog({ editId, onClose }: ContactDialogProps) {
  const { t } = useTranslation("contacts");
  const client = useQueryClient();
  const workspace = useSelectedWorkspace();
  const editing = editId !== undefined;
  const listed = client
    .getQueryData<Contact[]>(contactsQuery(workspace?.id ?? 0).queryKey)
    ?.find(({ id }) => id === editId);
  const single = useQuery({ ...contactQuery(editId ?? 0), enabled: editing && !listed });
  const contact = listed ?? single.data;
  const title = editing ? t("dialog.editTitle") : t("dialog.createTitle");
  if (!editing) return <ContactForm title={title} workspaceId={workspace?.id} onClose={onClose} />;
  if (contact)
    return (
      <ContactForm
        key={contact.id}
        title={title}
        contact={contact}
        workspaceId={contact.workspaceId}
        onClose={onClose}
      />
    );
  return (
    <LoadingDialog
      title={title}
      query={single}
      failedTitle={t("dialog.loadFailed")}
      missing={{ title: t("dialog.missing"), text: t("dialog.missingText") }}
      onClose={onClose}
    />
  );
}
