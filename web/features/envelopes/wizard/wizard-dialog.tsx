import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { LoadingDialog } from "../../../components/ui/loading-dialog";
import { contactName, contactQuery } from "../../contacts/contacts.queries";
import { templatesQuery } from "../../templates/templates.queries";
import { useSelectedWorkspace, useWorkspaceOf } from "../../workspaces/workspaces.queries";
import { cachedEnvelope, envelopeQuery } from "../envelopes.queries";
import { WizardForm } from "./wizard-form";
import { initialValues, valuesFromEnvelope } from "./wizard-values";

type WizardDialogProps = {
  /** The envelope being edited. */
  editId: number | undefined;
  /** The template of a new envelope. */
  templateId: number | undefined;
  /** The contact that a new one is for. */
  contactId: number | undefined;
  onClose: () => void;
};

/** Loads the wizard's initial values, then shows it. */
export default function WizardDialog({ editId, templateId, contactId, onClose }: WizardDialogProps) {
  const { t } = useTranslation("envelopes");
  const client = useQueryClient();
  const workspace = useSelectedWorkspace();
  const editing = editId !== undefined;
  const envelope = useQuery({
    ...envelopeQuery(editId ?? 0),
    enabled: editing,
    initialData: () => (editing ? cachedEnvelope(client, editId) : undefined),
  });
  useWorkspaceOf(editing ? envelope.data : undefined);
  const fromTemplate = !editing && templateId !== undefined;
  const forContact = !editing && contactId !== undefined;
  const templates = useQuery({
    ...templatesQuery(workspace?.id ?? 0),
    enabled: fromTemplate && workspace !== undefined,
  });
  const contact = useQuery({ ...contactQuery(contactId ?? 0), enabled: forContact });
  const title = editing ? t("wizard.editTitle") : t("wizard.createTitle");

  if (editing && envelope.data) {
    return (
      <WizardForm
        title={title}
        initialValues={valuesFromEnvelope(envelope.data)}
        editId={editId}
        origin=""
        sent={!envelope.data.isDraft}
        workspaceId={envelope.data.workspaceId}
        onClose={onClose}
      />
    );
  }
  if (!editing && (!fromTemplate || templates.data) && (!forContact || contact.data)) {
    const template = templates.data?.find(({ id }) => id === templateId);
    return (
      <WizardForm
        title={title}
        initialValues={initialValues(workspace, template, contact.data)}
        contact={contact.data && contactName(contact.data)}
        origin={`${fromTemplate ? ` template ${templateId}` : ""}${forContact ? ` contact ${contactId}` : ""}`}
        workspaceId={contact.data?.workspaceId ?? workspace?.id}
        onClose={onClose}
      />
    );
  }
  const pending = editing ? envelope : fromTemplate && !templates.data ? templates : contact;
  return (
    <LoadingDialog
      title={title}
      query={pending}
      failedTitle={t("wizard.loadFailed")}
      width="lg"
      onClose={onClose}
    />
  );
}
