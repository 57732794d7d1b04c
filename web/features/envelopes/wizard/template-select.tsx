import { useQuery } from "@tanstack/react-query";
import { Controller, useFormContext } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Field } from "../../../components/ui/field";
import { Select } from "../../../components/ui/select";
import { toast } from "../../../components/ui/toast-store";
import { type DocumentValues, editableDocuments, isUntouched } from "../../../lib/document-entries";
import { templatesQuery } from "../../templates/templates.queries";
import type { WizardValues } from "./wizard.schema";

/** Replaces the requested documents with those of a template. This can be undone. */
export function TemplateSelect({ workspaceId }: { workspaceId: number | undefined }) {
  const { t } = useTranslation(["envelopes", "common"]);
  const form = useFormContext<WizardValues>();
  const templates = useQuery({ ...templatesQuery(workspaceId ?? 0), enabled: workspaceId !== undefined });

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
