import { Info } from "lucide-react";
import { useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { DocumentList } from "../../../components/document-list";
import { SwitchField } from "../../../components/question-fields";
import { cx } from "../../../lib/cx";
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
      <NothingRequired />
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

/** With no required document, any one file completes the envelope, which is rarely intended. */
function NothingRequired() {
  const { t } = useTranslation("envelopes");
  const documents = useWatch<WizardValues, "documents">({ name: "documents" });
  const shown = documents.length > 0 && documents.every(({ required }) => !required);
  return (
    <p role="status" className={cx("flex gap-2 text-ink-soft text-sm", !shown && "sr-only")}>
      {shown && (
        <>
          <Info aria-hidden className="mt-0.5 size-4 shrink-0" />
          {t("wizard.nothingRequired")}
        </>
      )}
    </p>
  );
}
