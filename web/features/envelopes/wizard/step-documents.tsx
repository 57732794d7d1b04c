import { useQuery } from "@tanstack/react-query";
import { Info, Plus } from "lucide-react";
import { Controller, useFieldArray, useFormContext, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../../worker/contract/limits";
import { DocumentFields } from "../../../components/document-fields";
import { Button } from "../../../components/ui/button";
import { Field } from "../../../components/ui/field";
import { Select } from "../../../components/ui/select";
import { toast } from "../../../components/ui/toast-store";
import { cx } from "../../../lib/cx";
import {
  type DocumentValues,
  editableDocuments,
  emptyDocument,
  isUntouched,
} from "../../../lib/document-entries";
import { templatesQuery } from "../../templates/templates.queries";
import type { WizardValues } from "./wizard.schema";

export function StepDocuments({ workspaceId }: { workspaceId: number | undefined }) {
  const { t } = useTranslation(["envelopes", "common"]);
  const form = useFormContext<WizardValues>();
  const list = useFieldArray({ control: form.control, name: "documents" });
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
    <div className="flex flex-col gap-5">
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
