import { useEffect, useState } from "react";
import { FormProvider, useForm, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { DEFAULT_FILE_TYPES } from "../../../../worker/contract/options";
import { ExtensionsField, FileTypesSelect, presetOf } from "../../../components/file-types-field";
import { Button } from "../../../components/ui/button";
import { useChangeWorkspace, type Workspace } from "../workspaces.queries";

type FileTypeSettingsProps = { workspace: Workspace; onDirty: (dirty: boolean) => void };

/** Which file types a new document accepts at first, in words or as any extensions. */
export function FileTypeSettings({ workspace: { id, defaultFileTypes }, onDirty }: FileTypeSettingsProps) {
  const { t } = useTranslation(["workspace", "common"]);
  const save = useChangeWorkspace("workspace:fileTypes.saved");
  const stored = defaultFileTypes ?? [...DEFAULT_FILE_TYPES];
  const form = useForm({ defaultValues: { fileTypes: stored } });
  const fileTypes = useWatch({ control: form.control, name: "fileTypes" });
  const { isDirty } = form.formState;
  useEffect(() => onDirty(isDirty), [onDirty, isDirty]);
  const [other, setOther] = useState(presetOf(stored) === undefined);
  const submit = form.handleSubmit((values) =>
    save.mutate({
      id,
      defaultFileTypes: presetOf(values.fileTypes) === "document" ? null : values.fileTypes,
    }),
  );
  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={submit} className="flex flex-col items-start gap-2.5">
        <p className="mb-1.5 text-ink-soft">{t("fileTypes.what")}</p>
        <div className="w-full sm:max-w-sm">
          <FileTypesSelect name="fileTypes" label={t("fileTypes.title")} onOther={() => setOther(true)} />
        </div>
        {(other || presetOf(fileTypes) === undefined) && <ExtensionsField name="fileTypes" />}
        <Button type="submit" variant="primary" loading={save.isPending} disabled={fileTypes.length === 0}>
          {t("common:save")}
        </Button>
      </form>
    </FormProvider>
  );
}
