import { useInfiniteQuery } from "@tanstack/react-query";
import { Info } from "lucide-react";
import { Controller, useFormContext, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { DocumentList } from "../../../components/document-list";
import { Field } from "../../../components/ui/field";
import { Select } from "../../../components/ui/select";
import { toast } from "../../../components/ui/toast-store";
import { cx } from "../../../lib/cx";
import { type DocumentValues, editableDocuments, isUntouched } from "../../../lib/document-entries";
import { useAllPages } from "../../../lib/read-pages";
import { templatesQuery } from "../../templates/templates.queries";
import { useSelectedWorkspace } from "../../workspaces/workspaces.queries";
import type { WizardValues } from "./wizard.schema";

export function StepDocuments({ workspaceId }: { workspaceId: number | undefined }) {
  const workspace = useSelectedWorkspace();
  return (
    <div className="flex flex-col gap-4">
      <TemplateSelect workspaceId={workspaceId} />
      <DocumentList list="documents" autoFocus fileTypes={workspace?.defaultFileTypes} />
      <NothingRequired />
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

/** Replaces the requested documents with those of a template. This can be undone. */
function TemplateSelect({ workspaceId }: { workspaceId: number | undefined }) {
  const { t } = useTranslation(["envelopes", "common"]);
  const form = useFormContext<WizardValues>();
  const templates = useInfiniteQuery({
    ...templatesQuery(workspaceId ?? 0, "name"),
    enabled: workspaceId !== undefined,
  });
  useAllPages(templates);

  const chooseTemplate = (id: number | null) => {
    const template = templates.data?.find((candidate) => candidate.id === id);
    if (!template) return;
    const { templateId, documents } = form.getValues();
    const replace = (id: number | null, entries: DocumentValues[]) => {
      form.setValue("templateId", id, { shouldDirty: true });
      form.setValue("documents", entries, { shouldDirty: true });
      form.clearErrors("documents");
    };
    replace(template.id, editableDocuments(template.fields));
    if (documents.every(isUntouched)) return;
    toast({
      title: t("wizard.templateApplied"),
      text: t("wizard.templateAppliedText"),
      action: { label: t("common:undo"), onAction: () => replace(templateId, documents) },
    });
  };

  return (
    <Controller
      control={form.control}
      name="templateId"
      render={({ field }) => (
        <Field label={t("wizard.template")} hint={t("wizard.templateHint")}>
          <Select
            value={field.value}
            onChange={chooseTemplate}
            placeholder={t("wizard.chooseTemplate")}
            options={(templates.data ?? []).map(({ id, name, fields }) => ({
              value: id as number | null,
              label: name,
              detail: t("progress.asked", { count: fields.length }),
            }))}
            footer={
              templates.data?.length === 0 && (
                <p className="px-2 py-3 text-center text-ink-soft">{t("wizard.noTemplates")}</p>
              )
            }
          />
        </Field>
      )}
    />
  );
}
