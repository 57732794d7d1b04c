import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { LoadingDialog } from "../../../components/ui/loading-dialog";
import { today } from "../../../lib/time-zone";
import { useAccountTimeZone } from "../../auth/auth.queries";
import { contactQuery } from "../../contacts/contacts.queries";
import { templatesQuery } from "../../templates/templates.queries";
import { useSelectedWorkspace, useWorkspaceOf } from "../../workspaces/workspaces.queries";
import { cachedEnvelope, envelopeQuery } from "../envelopes.queries";
import { WizardForm } from "./wizard-form";
import { initialValues, valuesFromEnvelope, valuesOfCopy } from "./wizard-values";

type WizardDialogProps = {
  /** The envelope being edited. */
  editId: number | undefined;
  /** The template of a new envelope. */
  templateId: number | undefined;
  /** The contact that a new one is for. */
  contactId: number | undefined;
  /** The envelope that a new one copies. */
  copyId: number | undefined;
  /** Continues with a list of recipients. */
  onSeveral: () => void;
  onClose: () => void;
};

/** Loads the wizard's initial values, then shows it. */
export default function WizardDialog(props: WizardDialogProps) {
  const { editId, templateId, contactId, copyId, onSeveral, onClose } = props;
  const { t } = useTranslation("envelopes");
  const client = useQueryClient();
  const workspace = useSelectedWorkspace();
  const editing = editId !== undefined;
  const sourceId = editId ?? copyId;
  const envelope = useQuery({
    ...envelopeQuery(sourceId ?? 0),
    enabled: sourceId !== undefined,
    initialData: () => (sourceId === undefined ? undefined : cachedEnvelope(client, sourceId)),
  });
  useWorkspaceOf(envelope.data);
  const timeZone = useAccountTimeZone();
  const copying = !editing && copyId !== undefined;
  const fromTemplate = sourceId === undefined && templateId !== undefined;
  const forContact = sourceId === undefined && contactId !== undefined;
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
  if (copying && envelope.data) {
    return (
      <WizardForm
        title={title}
        initialValues={valuesOfCopy(envelope.data, today(timeZone))}
        origin={` copy ${copyId}`}
        workspaceId={envelope.data.workspaceId}
        onSeveral={onSeveral}
        onClose={onClose}
      />
    );
  }
  if (sourceId === undefined && (!fromTemplate || templates.data) && (!forContact || contact.data)) {
    const template = templates.data?.find(({ id }) => id === templateId);
    return (
      <WizardForm
        title={title}
        initialValues={initialValues(workspace, template, contact.data, today(timeZone))}
        origin={`${fromTemplate ? ` template ${templateId}` : ""}${forContact ? ` contact ${contactId}` : ""}`}
        workspaceId={contact.data?.workspaceId ?? workspace?.id}
        onSeveral={onSeveral}
        onClose={onClose}
      />
    );
  }
  const pending = sourceId !== undefined ? envelope : fromTemplate && !templates.data ? templates : contact;
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
