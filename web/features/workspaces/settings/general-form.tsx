import { valibotResolver } from "@hookform/resolvers/valibot";
import { useEffect } from "react";
import { FormProvider, useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button";
import { changedValues, showServerIssues, textValues, useRestoredInput } from "../../../lib/form";
import { useDraftKey } from "../../auth/auth.queries";
import { isWorkspaceField, WorkspaceFields, workspaceSchema } from "../workspace-fields";
import { useChangeWorkspace, type Workspace } from "../workspaces.queries";

type GeneralFormProps = { workspace: Workspace; onDirty: (dirty: boolean) => void };

export function GeneralForm({ workspace, onDirty }: GeneralFormProps) {
  const { t } = useTranslation("common");
  const rename = useChangeWorkspace("workspace:general.saved");
  const form = useForm({
    resolver: valibotResolver(workspaceSchema),
    defaultValues: textValues(workspaceSchema, workspace),
  });
  const { isDirty, dirtyFields } = form.formState;
  useRestoredInput(form, isDirty, useDraftKey("workspace", workspace.id));
  useEffect(() => onDirty(isDirty), [onDirty, isDirty]);
  const submit = form.handleSubmit((values) =>
    rename.mutate(
      { id: workspace.id, ...changedValues(values, dirtyFields) },
      {
        onSuccess: (saved) => form.reset(textValues(workspaceSchema, saved)),
        onError: (error) => showServerIssues(error, form.setError, isWorkspaceField),
      },
    ),
  );
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <FormProvider {...form}>
        <WorkspaceFields />
      </FormProvider>
      <Button type="submit" variant="primary" loading={rename.isPending} className="self-start">
        {t("saveChanges")}
      </Button>
    </form>
  );
}
