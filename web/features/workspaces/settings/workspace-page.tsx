import { valibotResolver } from "@hookform/resolvers/valibot";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { FormProvider, useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { PageHeader } from "../../../components/layout/page-header";
import { SectionLinks } from "../../../components/layout/section-links";
import { SettingsSection, useSection } from "../../../components/layout/settings-section";
import { Button } from "../../../components/ui/button";
import { QueryPlaceholder } from "../../../components/ui/query-placeholder";
import { UnsavedChangesDialog, useUnsavedChanges } from "../../../components/ui/unsaved-changes";
import { changedValues, showSaved, showServerIssues, textValues, useRestoredInput } from "../../../lib/form";
import { useShownName } from "../../../lib/shown-name";
import { type User, useDraftKey, userQuery } from "../../auth/auth.queries";
import { MembersSection } from "../members/members-section";
import { isWorkspaceField, WorkspaceFields, workspaceSchema } from "../workspace-fields";
import {
  useChangeWorkspace,
  useRole,
  useSelectedWorkspace,
  type Workspace,
  workspacesQuery,
} from "../workspaces.queries";
import { ActivityList } from "./activity-list";
import { BrandingSettings } from "./branding-settings";
import { DeleteWorkspace, LeaveWorkspace } from "./delete-workspace";
import { FileNameSettings, FileTypeSettings } from "./file-settings";
import { RetentionSettings } from "./retention-settings";

type WorkspacePageProps = {
  section: string;
  onGone: () => void;
};

/** Settings and members of the selected workspace. */
export function WorkspacePage(props: WorkspacePageProps) {
  const { t } = useTranslation(["workspace", "common"]);
  const { data: user } = useQuery(userQuery);
  const workspaces = useQuery(workspacesQuery);
  const workspace = useSelectedWorkspace();
  const shown = useShownName();
  return (
    <>
      <PageHeader
        title={t("title")}
        {...(workspace && { text: t("intro", { name: shown(workspace.name) }) })}
      />
      {user && workspace ? (
        <Sections key={`${workspace.id} ${workspace.role}`} user={user} workspace={workspace} {...props} />
      ) : (
        <QueryPlaceholder query={workspaces} failed={t("common:failed.title")} rowClass="h-28" />
      )}
    </>
  );
}

type SectionsProps = WorkspacePageProps & { user: User; workspace: Workspace };

function Sections({ user, workspace, section, onGone }: SectionsProps) {
  const { t } = useTranslation("workspace");
  const [unsaved, setUnsaved] = useState<Record<string, boolean>>({});
  const guard = useUnsavedChanges(Object.values(unsaved).some(Boolean));
  const watch = (part: string) => (dirty: boolean) =>
    setUnsaved((parts) => (parts[part] === dirty ? parts : { ...parts, [part]: dirty }));
  useSection(section);
  const gone = () => {
    guard.release();
    onGone();
  };
  const { isOwner } = useRole(workspace.id);
  const ofOwners = ["branding", "file-names", "file-types", "retention", "activity"] as const;
  const links = [
    ...(["general", "members"] as const),
    ...(isOwner ? ofOwners : []),
    ...(workspace.memberCount > 1 ? (["leave"] as const) : []),
    ...(isOwner ? (["delete"] as const) : []),
  ];
  return (
    <>
      <nav aria-label={t("sections")}>
        <SectionLinks to="/workspace" links={links.map((id) => ({ id, label: t(SECTIONS[id]) }))} />
      </nav>
      <SettingsSection id="general" title={t("general.title")} text={t("general.text")}>
        {isOwner ? (
          <GeneralForm workspace={workspace} onDirty={watch("general")} />
        ) : (
          <WorkspaceFacts workspace={workspace} />
        )}
      </SettingsSection>
      <SettingsSection id="members" title={t("members.title")} text={t("members.text")}>
        <MembersSection workspace={workspace} onDirty={watch("members")} />
      </SettingsSection>
      {isOwner && (
        <>
          <SettingsSection id="branding" title={t("branding.title")} text={t("branding.text")}>
            <BrandingSettings workspace={workspace} onDirty={watch("branding")} />
          </SettingsSection>
          <SettingsSection id="file-names" title={t("fileNames.title")} text={t("fileNames.text")}>
            <FileNameSettings workspace={workspace} onDirty={watch("file-names")} />
          </SettingsSection>
          <SettingsSection id="file-types" title={t("fileTypes.title")} text={t("fileTypes.text")}>
            <FileTypeSettings
              key={String(workspace.defaultFileTypes)}
              workspace={workspace}
              onDirty={watch("file-types")}
            />
          </SettingsSection>
          <SettingsSection id="retention" title={t("retention.title")} text={t("retention.text")}>
            <RetentionSettings workspace={workspace} />
          </SettingsSection>
          <SettingsSection id="activity" title={t("activity.title")} text={t("activity.text")}>
            <ActivityList workspaceId={workspace.id} />
          </SettingsSection>
        </>
      )}
      {workspace.memberCount > 1 && (
        <SettingsSection id="leave" title={t("leave.title")} text={t("leave.text")}>
          <LeaveWorkspace workspace={workspace} userId={user.id} onLeft={gone} />
        </SettingsSection>
      )}
      {isOwner && (
        <SettingsSection id="delete" title={t("delete.title")} text={t("delete.text")}>
          <DeleteWorkspace workspace={workspace} onDeleted={gone} />
        </SettingsSection>
      )}
      <UnsavedChangesDialog guard={guard} />
    </>
  );
}

/** Their titles, by their ids. */
const SECTIONS = {
  general: "general.title",
  members: "members.title",
  branding: "branding.title",
  "file-names": "fileNames.title",
  "file-types": "fileTypes.title",
  retention: "retention.title",
  activity: "activity.title",
  leave: "leave.title",
  delete: "delete.title",
} as const;

/** What members and viewers see of the settings. */
export function WorkspaceFacts({
  workspace: { name, description, retentionDays, role },
}: {
  workspace: Workspace;
}) {
  const { t } = useTranslation(["workspace", "common"]);
  return (
    <div className="space-y-2">
      <p className="break-words font-medium">{useShownName()(name)}</p>
      {description && <p className="whitespace-pre-wrap break-words text-ink-soft">{description}</p>}
      <p className="text-ink-soft">
        {t("common:labelled", { label: t(`common:roles.${role}`), value: t(`common:roleTexts.${role}`) })}
      </p>
      <p className="text-ink-soft">
        {retentionDays === null ? t("retention.off") : t("retention.on", { count: retentionDays })}
      </p>
    </div>
  );
}

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
  const submit = form.handleSubmit((values) => {
    const sent = form.getValues();
    rename.mutate(
      { id: workspace.id, ...changedValues(values, dirtyFields) },
      {
        onSuccess: (saved) => showSaved(form, sent, textValues(workspaceSchema, saved)),
        onError: (error) => showServerIssues(error, form.setError, isWorkspaceField),
      },
    );
  });
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
