import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { FormProvider, useForm, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import {
  DEFAULT_FILE_NAME_RULE,
  FILE_NAME_FIELDS,
  nameFiles,
  unknownFields,
} from "../../../../worker/contract/file-name-rule";
import { LIMITS } from "../../../../worker/contract/limits";
import { DEFAULT_FILE_TYPES } from "../../../../worker/contract/options";
import { ExtensionsField, FileTypesSelect } from "../../../components/file-types-field";
import { RuleField } from "../../../components/rule-field";
import { Button } from "../../../components/ui/button";
import { presetOf } from "../../../lib/file-types";
import { focusSection } from "../../../lib/focus";
import { userQuery } from "../../auth/auth.queries";
import { useChangeWorkspace, type Workspace } from "../workspaces.queries";

type FileNameSettingsProps = { workspace: Workspace; onDirty: (dirty: boolean) => void };

/** The rule that names the files of ZIP archives, with the names it gives, as it is typed. */
export function FileNameSettings({ workspace: { id, fileNameRule }, onDirty }: FileNameSettingsProps) {
  const { t } = useTranslation(["workspace", "common", "validation"]);
  const save = useChangeWorkspace("workspace:fileNames.saved");
  const stored = fileNameRule ?? DEFAULT_FILE_NAME_RULE;
  const [changed, setChanged] = useState<string | null>(null);
  const typed = changed ?? stored;
  const rule = typed.trim() || DEFAULT_FILE_NAME_RULE;
  const [unknown] = unknownFields(rule);
  const tooLong = rule.length > LIMITS.name ? t("validation:tooLong") : undefined;
  const error = unknown === undefined ? tooLong : t("fileNames.unknown", { placeholder: `{${unknown}}` });
  useEffect(() => onDirty(rule !== stored), [onDirty, rule, stored]);
  const store = (chosen: string) =>
    save.mutate(
      { id, fileNameRule: chosen === DEFAULT_FILE_NAME_RULE ? null : chosen },
      // What was typed meanwhile stays.
      { onSuccess: () => setChanged((now) => (now?.trim() === chosen ? null : now)) },
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!error && rule !== stored) store(rule);
  };
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-2.5">
      <p className="mb-1.5 text-ink-soft">{t("fileNames.what")}</p>
      <RuleField
        label={t("fileNames.label")}
        hint={t("fileNames.hint")}
        error={error}
        value={typed}
        onChange={setChanged}
        placeholder={DEFAULT_FILE_NAME_RULE}
        maxLength={LIMITS.name}
        fields={FILE_NAME_FIELDS.map((name) => ({ name, label: t(`fileNames.fields.${name}`) }))}
        fieldsLabel={t("fileNames.placeholders")}
      />
      <Preview rule={error ? undefined : rule} />
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          variant="primary"
          loading={save.isPending}
          disabled={Boolean(error) || rule === stored}
        >
          {t("common:save")}
        </Button>
        {rule !== DEFAULT_FILE_NAME_RULE || fileNameRule !== null ? (
          <Button
            disabled={save.isPending}
            onClick={(event) => {
              setChanged(DEFAULT_FILE_NAME_RULE);
              focusSection(event);
              if (fileNameRule !== null) store(DEFAULT_FILE_NAME_RULE);
            }}
          >
            {t("fileNames.reset")}
          </Button>
        ) : null}
      </div>
    </form>
  );
}

/** A preview of the names of three files, two of them of one document; nothing while the rule is invalid. */
function Preview({ rule }: { rule: string | undefined }) {
  const { t } = useTranslation("workspace");
  const { data: user } = useQuery(userQuery);
  const recipient = [user?.firstName, user?.lastName].filter(Boolean).join(" ") || user?.email || "";
  const facts = { recipient, subject: t("fileNames.sample.subject"), date: "2026-11-22" };
  const [passport, statement] = [t("fileNames.sample.passport"), t("fileNames.sample.statement")];
  const names =
    rule === undefined
      ? []
      : nameFiles(rule, [
          { ...facts, document: passport, original: "IMG_2041.JPG" },
          { ...facts, document: statement, original: "scan 1.pdf" },
          { ...facts, document: statement, original: "scan 2.pdf" },
        ]);
  return (
    <div className="rounded-control bg-sunken px-3 py-2 text-sm">
      <p className="font-medium text-ink-soft text-xs">{t("fileNames.preview")}</p>
      <output aria-live="off" className="mt-1 block min-h-15">
        {names.map((file) => (
          <span key={file} className="block break-words">
            {file}
          </span>
        ))}
      </output>
    </div>
  );
}

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
