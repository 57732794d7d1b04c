import { valibotResolver } from "@hookform/resolvers/valibot";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import * as v from "valibot";
import { DEFAULT_FOLDER_RULE, isFolderRule } from "../../../../worker/contract/delivery-path";
import type { DestinationKind } from "../../../../worker/contract/destination-kinds";
import { LIMITS } from "../../../../worker/contract/limits";
import { fieldsOf } from "../../../components/form-fields";
import { selectFieldOf } from "../../../components/select-field";
import { FieldError } from "../../../components/ui/field";
import { FormDialog } from "../../../components/ui/form-dialog";
import { ApiError } from "../../../lib/api";
import { errorText } from "../../../lib/error-text";
import { changedValues, messageKey, optionalText, requiredText, showServerIssues } from "../../../lib/form";
import type { Workspace } from "../../workspaces/workspaces.queries";
import { lacksFolder } from "./destination-status";
import {
  type Destination,
  type NewDestination,
  useAddDestination,
  useChangeDestination,
} from "./destinations.queries";
import { FolderChoice } from "./folder-choice";
import { FolderRuleField } from "./folder-rule-field";

type Part = "settings" | "credentials";

/** What the form asks about each kind. Of Microsoft, the folder is chosen. */
const FIELDS = {
  microsoft: { settings: ["folderId"], credentials: [] },
  google: { settings: ["folderName"], credentials: [] },
  s3: {
    settings: ["endpoint", "bucket", "region", "prefix"],
    credentials: ["accessKeyId", "secretAccessKey"],
  },
  webdav: { settings: ["url"], credentials: ["user", "password"] },
  folder: { settings: ["path"], credentials: [] },
} as const satisfies Record<DestinationKind, Record<Part, readonly string[]>>;
type FieldName = (typeof FIELDS)[DestinationKind][Part][number];

/** Which a server takes of a name, and of a secret. */
const [MAX_NAME, MAX_SECRET] = [100, 1000];
const DELIVERY_TIMES = ["submitted", "accepted"] as const satisfies Destination["when"][];
const MAY_BE_BLANK: readonly string[] = ["prefix", "path"] satisfies FieldName[];
const SECRET: readonly string[] = ["password", "secretAccessKey"] satisfies FieldName[];
/** The hint of a field; that of the others is their name. */
const HINTED = [
  "folderName",
  "endpoint",
  "region",
  "prefix",
  "url",
  "password",
  "path",
] as const satisfies FieldName[];
const isHinted = (name: string): name is (typeof HINTED)[number] =>
  (HINTED as readonly string[]).includes(name);

type Values = {
  name: string;
  settings: Record<string, string>;
  credentials: Record<string, string>;
  folderRule: string;
  when: (typeof DELIVERY_TIMES)[number];
  includeAnswers: boolean;
};

const { TextField } = fieldsOf<Values>();
const SelectField = selectFieldOf<Values>();

/** The rules of a form; stored credentials stay if nothing is typed. */
function schemaOf(kind: DestinationKind, isNew: boolean) {
  const part = (names: readonly string[], mayBeBlank: (name: string) => boolean) =>
    v.intersect([
      v.record(v.string(), v.string()),
      v.object(
        Object.fromEntries(
          names.map((name) => [
            name,
            mayBeBlank(name)
              ? optionalText(LIMITS.webhookUrl)
              : requiredText(messageKey("answerRequired"), LIMITS.webhookUrl),
          ]),
        ),
      ),
    ]);
  return v.object({
    name: requiredText(messageKey("nameRequired"), MAX_NAME),
    settings: part(FIELDS[kind].settings, (name) => MAY_BE_BLANK.includes(name)),
    credentials: part(FIELDS[kind].credentials, () => !isNew),
    folderRule: v.pipe(v.string(), v.trim(), v.check(isFolderRule, messageKey("invalidFolderRule"))),
    when: v.picklist(DELIVERY_TIMES),
    includeAnswers: v.boolean(),
  });
}

const isField = (path: string): path is keyof Values =>
  /^(?:name|folderRule|when|settings\.\w+|credentials\.\w+)$/.test(path);

type DestinationFormProps = {
  workspace: Workspace;
  kind: DestinationKind;
  /** The one that is changed; absent for a new one. */
  destination: Destination | undefined;
  onClose: () => void;
};

/** Adds a destination, or changes one. Its credentials are replaced, never read. */
export function DestinationForm({ workspace, kind, destination, onClose }: DestinationFormProps) {
  const { t, i18n } = useTranslation(["destinations", "common", "errors", "validation"]);
  const add = useAddDestination();
  const change = useChangeDestination(destination?.id ?? 0);
  const form = useForm<Values>({
    resolver: valibotResolver(schemaOf(kind, !destination)),
    defaultValues: {
      name: destination?.name ?? "",
      settings: {
        ...Object.fromEntries(FIELDS[kind].settings.map((name) => [name, ""])),
        ...destination?.settings,
      },
      credentials: Object.fromEntries(FIELDS[kind].credentials.map((name) => [name, ""])),
      folderRule: destination?.folderRule ?? DEFAULT_FOLDER_RULE,
      when: destination?.when ?? "submitted",
      includeAnswers: destination?.includeAnswers ?? true,
    },
  });
  const { dirtyFields } = form.formState;
  const callbacks = {
    onSuccess: onClose,
    onError: (error: unknown) => showServerIssues(error, form.setError, isField),
  };
  const submit = form.handleSubmit((values) => {
    if (!destination)
      return add.mutate({ workspaceId: workspace.id, kind, ...values } as NewDestination, callbacks);
    const first = lacksFolder(destination) && { settings: values.settings };
    change.mutate({ ...changedValues(values, dirtyFields), ...first }, callbacks);
  });
  const { error } = destination ? change : add;
  const when = form.watch("when");
  const edit = destination && t(lacksFolder(destination) ? "chooseFolder" : "edit");
  const title = edit ?? t("addKind", { kind: t(`kinds.${kind}.name`) });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={title}
      submitLabel={destination ? t("common:saveChanges") : t("add")}
      pending={add.isPending || change.isPending}
      onSubmit={submit}
    >
      <TextField
        name="name"
        label={t("form.name")}
        hint={t("form.nameHint")}
        required
        autoFocus
        maxLength={MAX_NAME}
      />
      {(kind === "microsoft" ? [] : FIELDS[kind].settings).map((name) => (
        <TextField
          key={name}
          name={`settings.${name}`}
          label={t(`form.${name}`)}
          hint={isHinted(name) && <span className="[overflow-wrap:anywhere]">{t(`form.hints.${name}`)}</span>}
          required={!MAY_BE_BLANK.includes(name)}
          maxLength={LIMITS.webhookUrl}
        />
      ))}
      {FIELDS[kind].credentials.map((name) => (
        <TextField
          key={name}
          name={`credentials.${name}`}
          label={t(`form.${name}`)}
          type={SECRET.includes(name) ? "password" : "text"}
          hint={destination ? t("form.keep") : isHinted(name) && t(`form.hints.${name}`)}
          required={!destination}
          autoComplete="off"
          maxLength={MAX_SECRET}
        />
      ))}
      {kind === "microsoft" && destination && <FolderChoice destinationId={destination.id} />}
      <FolderRuleField workspace={workspace} />
      <SelectField
        name="when"
        label={t("form.when")}
        hint={when === "accepted" && t("form.acceptedHint")}
        options={DELIVERY_TIMES.map((value) => ({ value, label: t(`form.times.${value}`) }))}
      />
      <label className="flex min-h-8 touch:min-h-10 cursor-pointer items-start gap-2.5 text-sm">
        <input type="checkbox" className="mt-0.5 size-4 shrink-0" {...form.register("includeAnswers")} />
        {t("form.includeAnswers")}
      </label>
      {error instanceof ApiError && error.issues.length === 0 && (
        <FieldError>{errorText(error, i18n.t)}</FieldError>
      )}
    </FormDialog>
  );
}
