import { useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { DocumentList } from "../../../components/document-list";
import { SwitchField } from "../../../components/question-fields";
import { useSelectedWorkspace } from "../../workspaces/workspaces.queries";
import { TemplateSelect } from "./template-select";
import type { WizardValues } from "./wizard.schema";

type StepDocumentsProps = {
  workspaceId: number | undefined;
  /** For several recipients, of whom some may be contacts. */
  several?: boolean;
};

export function StepDocuments({ workspaceId, several = false }: StepDocumentsProps) {
  const workspace = useSelectedWorkspace();
  return (
    <div className="flex flex-col gap-4">
      <TemplateSelect workspaceId={workspaceId} fills="documents" />
      <DocumentList
        list="documents"
        autoFocus
        fileTypes={workspace?.defaultFileTypes}
        workspaceId={workspaceId}
      />
      <Prefill several={several} />
    </div>
  );
}

/** Whether a contact is offered what they have answered before. */
function Prefill({ several }: { several: boolean }) {
  const { t } = useTranslation("questions");
  const [documents, contactId] = useWatch<WizardValues, ["documents", "contactId"]>({
    name: ["documents", "contactId"],
  });
  if ((contactId === null && !several) || documents.every(({ kind }) => kind === "file")) return null;
  return (
    <div className="flex flex-col gap-1">
      <SwitchField name="prefill" label={t("prefill")} />
      <p className="text-ink-soft text-xs">{t("prefillHint")}</p>
    </div>
  );
}
