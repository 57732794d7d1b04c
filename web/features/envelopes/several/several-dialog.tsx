import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { LoadingDialog } from "../../../components/ui/loading-dialog";
import { today } from "../../../lib/time-zone";
import { useAccountTimeZone } from "../../auth/auth.queries";
import { contactQuery } from "../../contacts/contacts.queries";
import { templatesQuery } from "../../templates/templates.queries";
import { useSelectedWorkspace, useWorkspaceOf } from "../../workspaces/workspaces.queries";
import { bulkSendQuery } from "../bulk-sends.queries";
import { cachedEnvelope, envelopeQuery } from "../envelopes.queries";
import { initialValues, valuesOfCopy, valuesOfUnsent } from "../wizard/wizard-values";
import { EMPTY_LIST, listOfUnsent, rowOfContact } from "./recipient-list";
import { SeveralForm } from "./several-form";

type SeveralDialogProps = {
  /** What the envelope is begun with, as in the wizard. */
  templateId: number | undefined;
  contactId: number | undefined;
  copyId: number | undefined;
  /** The bulk send whose failed recipients are tried again. */
  retryId: number | undefined;
  onSent: (id: number) => void;
  onClose: () => void;
};

/** Loads what an envelope for several recipients is begun with, then shows its form. */
export default function SeveralDialog(props: SeveralDialogProps) {
  const { templateId, contactId, copyId, retryId, onSent, onClose } = props;
  const { t } = useTranslation(["several", "envelopes"]);
  const client = useQueryClient();
  const workspace = useSelectedWorkspace();
  const timeZone = useAccountTimeZone();
  const envelope = useQuery({
    ...envelopeQuery(copyId ?? 0),
    enabled: copyId !== undefined,
    initialData: () => (copyId === undefined ? undefined : cachedEnvelope(client, copyId)),
  });
  const retried = useQuery({ ...bulkSendQuery(retryId ?? 0), enabled: retryId !== undefined });
  useWorkspaceOf(envelope.data);
  const fromTemplate = copyId === undefined && templateId !== undefined;
  const templates = useQuery({
    ...templatesQuery(workspace?.id ?? 0),
    enabled: fromTemplate && workspace !== undefined,
  });
  const forContact = copyId === undefined && contactId !== undefined;
  const contact = useQuery({ ...contactQuery(contactId ?? 0), enabled: forContact });
  const origin = `${copyId ? ` copy ${copyId}` : ""}${fromTemplate ? ` template ${templateId}` : ""}${forContact ? ` contact ${contactId}` : ""}`;
  const common = { origin, onSent, onClose };
  if (retryId !== undefined && retried.data?.unsent) {
    const { unsent, workspaceId } = retried.data;
    return (
      <SeveralForm
        {...common}
        origin={` retry ${retryId}`}
        initialValues={valuesOfUnsent(unsent, today(timeZone))}
        initialList={listOfUnsent(unsent)}
        workspaceId={workspaceId}
      />
    );
  }
  if (copyId !== undefined && envelope.data)
    return (
      <SeveralForm
        {...common}
        initialValues={valuesOfCopy(envelope.data, today(timeZone))}
        initialList={EMPTY_LIST}
        workspaceId={envelope.data.workspaceId}
      />
    );
  const isBlank = copyId === undefined && (retryId === undefined || retried.data !== undefined);
  if (isBlank && (!fromTemplate || templates.data) && (!forContact || contact.data)) {
    const template = templates.data?.find(({ id }) => id === templateId);
    return (
      <SeveralForm
        {...common}
        initialValues={initialValues(workspace, template, undefined, today(timeZone))}
        initialList={contact.data ? { ...EMPTY_LIST, rows: [rowOfContact(contact.data)] } : EMPTY_LIST}
        workspaceId={contact.data?.workspaceId ?? workspace?.id}
      />
    );
  }
  const pending =
    isBlank || retryId === undefined
      ? copyId !== undefined
        ? envelope
        : fromTemplate && !templates.data
          ? templates
          : contact
      : retried;
  return (
    <LoadingDialog
      title={t("title")}
      query={pending}
      failedTitle={t("envelopes:wizard.loadFailed")}
      width="xl"
      onClose={onClose}
    />
  );
}
