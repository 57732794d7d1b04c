import { Info, Plus } from "lucide-react";
import { useFieldArray, useFormContext, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../../worker/contract/limits";
import { DocumentFields } from "../../../components/document-fields";
import { Button } from "../../../components/ui/button";
import { cx } from "../../../lib/cx";
import { emptyDocument } from "../../../lib/document-entries";
import { TemplateSelect } from "./template-select";
import type { WizardValues } from "./wizard.schema";

export function StepDocuments({ workspaceId }: { workspaceId: number | undefined }) {
  const { t } = useTranslation(["envelopes", "common"]);
  const form = useFormContext<WizardValues>();
  const list = useFieldArray({ control: form.control, name: "documents" });
  return (
    <div className="flex flex-col gap-5">
      <TemplateSelect workspaceId={workspaceId} />
      <ul className="flex flex-col gap-3">
        {list.fields.map((entry, index) => (
          <DocumentFields
            list="documents"
            key={entry.id}
            index={index}
            onRemove={list.fields.length > 1 ? () => list.remove(index) : undefined}
          />
        ))}
      </ul>
      <NothingRequired />
      <Button
        className="self-start"
        disabled={list.fields.length >= LIMITS.documentsPerEnvelope}
        onClick={() => list.append(emptyDocument(), { focusName: `documents.${list.fields.length}.name` })}
      >
        <Plus aria-hidden />
        {t("common:document.add")}
      </Button>
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
