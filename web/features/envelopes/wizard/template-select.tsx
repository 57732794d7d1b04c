import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { type Path, type PathValue, useController, useFormContext } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Field } from "../../../components/ui/field";
import { Select } from "../../../components/ui/select";
import { toast } from "../../../components/ui/toast-store";
import { editableDocuments, isUntouched } from "../../../lib/document-entries";
import { useAllPages } from "../../../lib/read-pages";
import { today } from "../../../lib/time-zone";
import { useEntryCount } from "../../../lib/use-format";
import { useAccountTimeZone } from "../../auth/auth.queries";
import { type Template, templateQuery, templatesQuery } from "../../templates/templates.queries";
import { useSelectedWorkspace } from "../../workspaces/workspaces.queries";
import type { WizardValues } from "./wizard.schema";
import { withTemplate } from "./wizard-values";

type TemplateSelectProps = {
  workspaceId: number | undefined;
  /** Whether it fills in everything that the template has, or the list of documents alone. */
  fills: "everything" | "documents";
};

/** Fills the form with what a template has. This can be undone. */
export function TemplateSelect({ workspaceId, fills }: TemplateSelectProps) {
  const { t } = useTranslation(["envelopes", "templates", "common"]);
  const { countOf } = useEntryCount();
  const client = useQueryClient();
  const form = useFormContext<WizardValues>();
  const { field } = useController({ control: form.control, name: "templateId" });
  const timeZone = useAccountTimeZone();
  const workspace = useSelectedWorkspace();
  const templates = useInfiniteQuery(templatesQuery({ workspaceId, sort: "name" }));
  useAllPages(templates);
  const isWhole = fills === "everything";

  const set = (values: Partial<WizardValues>) => {
    for (const [field, value] of Object.entries(values) as [
      Path<WizardValues>,
      PathValue<WizardValues, Path<WizardValues>>,
    ][])
      form.setValue(field, value, { shouldDirty: true });
    form.clearErrors(Object.keys(values) as Path<WizardValues>[]);
  };
  const choose = (id: number | null) => {
    const find = (id: number | null) => templates.data?.find((candidate) => candidate.id === id);
    const template = find(id);
    if (!template) return;
    client.setQueryData(templateQuery(template.id).queryKey, template);
    const before = form.getValues();
    const day = before.sendOn || today(timeZone);
    const filled = isWhole
      ? withTemplate(before, template, { workspace, former: find(before.templateId), day })
      : documentsOf(template);
    const replaced = Object.fromEntries(
      Object.keys(filled).map((field) => [field, before[field as keyof WizardValues]]),
    );
    set(filled);
    if (before.documents.every(isUntouched) && !(isWhole && (before.subject || before.message))) return;
    toast({
      title: t("wizard.templateApplied"),
      text: t(isWhole ? "templates:wizard.templateFilled" : "wizard.templateAppliedText"),
      action: { label: t("common:undo"), onAction: () => set(replaced) },
    });
  };

  return (
    <Field
      label={t("wizard.template")}
      hint={t(isWhole ? "templates:wizard.templateFills" : "wizard.templateHint")}
    >
      <Select
        value={field.value}
        onChange={choose}
        placeholder={t("wizard.chooseTemplate")}
        options={(templates.data ?? []).map(({ id, name, fields }) => ({
          value: id as number | null,
          label: name,
          detail: countOf(fields),
        }))}
        footer={
          templates.data?.length === 0 && (
            <p className="px-2 py-3 text-center text-ink-soft">{t("wizard.noTemplates")}</p>
          )
        }
      />
    </Field>
  );
}

const documentsOf = ({ id, fields }: Template): Partial<WizardValues> => ({
  templateId: id,
  documents: editableDocuments(fields),
});
