import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../../components/ui/dialog";
import { ErrorState } from "../../../components/ui/error-state";
import { Skeleton, Waiting } from "../../../components/ui/skeleton";
import { errorText } from "../../../lib/error-text";
import { templatesQuery } from "../../templates/templates.queries";
import { useSelectedWorkspace } from "../../workspaces/workspaces.queries";
import { cachedEnvelope, envelopeQuery } from "../envelopes.queries";
import { WizardForm } from "./wizard-form";
import { newValues, valuesOf } from "./wizard-values";

type WizardDialogProps = {
  /** The envelope that is edited. */
  editId: number | undefined;
  /** The template a new one starts from. */
  templateId: number | undefined;
  onClose: () => void;
};

/** Loads what the wizard starts from, then shows it. */
export default function WizardDialog({ editId, templateId, onClose }: WizardDialogProps) {
  const { t, i18n } = useTranslation(["envelopes", "common", "errors", "validation"]);
  const client = useQueryClient();
  const workspace = useSelectedWorkspace();
  const editing = editId !== undefined;
  const envelope = useQuery({
    ...envelopeQuery(editId ?? 0),
    enabled: editing,
    initialData: () => (editing ? cachedEnvelope(client, editId) : undefined),
  });
  const fromTemplate = !editing && templateId !== undefined;
  const templates = useQuery({
    ...templatesQuery(workspace?.id ?? 0),
    enabled: fromTemplate && workspace !== undefined,
  });
  const title = editing ? t("wizard.editTitle") : t("wizard.createTitle");

  if (editing && envelope.data) {
    return (
      <WizardForm
        title={title}
        start={valuesOf(envelope.data)}
        editId={editId}
        sent={!envelope.data.isDraft}
        workspaceId={envelope.data.workspaceId}
        onClose={onClose}
      />
    );
  }
  if (!editing && (!fromTemplate || templates.data)) {
    const template = templates.data?.find(({ id }) => id === templateId);
    return (
      <WizardForm title={title} start={newValues(template)} workspaceId={workspace?.id} onClose={onClose} />
    );
  }
  const waiting = editing ? envelope : templates;
  return (
    <Dialog open onClose={onClose} width="lg" title={title}>
      {waiting.isError ? (
        <ErrorState
          title={t("wizard.loadFailed")}
          text={errorText(waiting.error, i18n.t)}
          onRetry={() => void waiting.refetch()}
          retrying={waiting.isFetching}
        />
      ) : (
        <Waiting label={t("common:loading")} className="space-y-4">
          <Skeleton className="h-9" />
          <Skeleton className="h-9" />
          <Skeleton className="h-9" />
        </Waiting>
      )}
    </Dialog>
  );
}
