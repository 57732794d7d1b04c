import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Copy, Grid3x3, Pencil, Plus, Trash2 } from "lucide-react";
import { memo, type ReactNode, useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { parse } from "valibot";
import { LIMITS } from "../../../worker/contract/limits";
import { DeleteDialog } from "../../components/delete-dialog";
import { PageHeader } from "../../components/layout/page-header";
import { useReminderDay } from "../../components/reminder-fields";
import { Button } from "../../components/ui/button";
import { CardGrid, CardGridSkeleton, CardItem } from "../../components/ui/card-grid";
import { EmptyState } from "../../components/ui/empty-state";
import { IconButton } from "../../components/ui/icon-button";
import { SearchInput } from "../../components/ui/input";
import { QueryError } from "../../components/ui/query-placeholder";
import { Separated } from "../../components/ui/separated";
import { freeName } from "../../lib/document-entries";
import { useMore } from "../../lib/read-pages";
import { useEntryCount } from "../../lib/use-format";
import { trimmedTo, useUrlInput } from "../../lib/use-url-input";
import { useRole, useSelectedWorkspace, workspacesQuery } from "../workspaces/workspaces.queries";
import { templateForm, templateValues } from "./template.schema";
import { type Template, templatesQuery, useDeleteTemplate, useSaveTemplate } from "./templates.queries";

/** A list that one screen shows needs no filter. */
const UNFILTERED = 12;

type TemplatesPageProps = {
  filter: string | undefined;
  onFilter: (filter: string | undefined) => void;
  onNew: () => void;
  onUse: (id: number) => void;
  onEdit: (id: number) => void;
  /** Shows who owes what of the requests that were created from it. */
  onBoard: (id: number) => void;
};

export function TemplatesPage(props: TemplatesPageProps) {
  const { filter, onFilter, onNew, onUse, onEdit, onBoard } = props;
  const { t } = useTranslation(["templates", "errors", "validation"]);
  const workspace = useSelectedWorkspace();
  const { mayEdit } = useRole();
  const workspaces = useQuery(workspacesQuery);
  const [typed, setTyped] = useUrlInput(filter ?? "", (words) => onFilter(words || undefined));
  const found = trimmedTo(LIMITS.filter, filter);
  const templates = useInfiniteQuery(templatesQuery({ workspaceId: workspace?.id, filter: found }));
  const more = useMore(templates);
  const [deleting, setDeleting] = useState<Template | null>(null);
  const { mutate: create } = useSaveTemplate(undefined);
  const names = templates.data;
  const duplicate = useCallback(
    (template: Template) => {
      const { workspaceId, name } = template;
      const values = parse(templateForm, templateValues(template));
      create({ ...values, workspaceId, name: freeName(name, names ?? []) });
    },
    [create, names],
  );

  const failed = [workspaces, templates].find(({ isError, data }) => isError && !data);
  let content: ReactNode = <CardGridSkeleton label={t("loadingList")} />;
  if (failed) content = <QueryError title={t("failedTitle")} query={failed} />;
  else if (templates.data?.length === 0 && !found && !typed && !templates.isPlaceholderData)
    content = (
      <EmptyState
        title={t("empty.title")}
        action={t("empty.text")}
        onAction={mayEdit && onNew}
        drawing="templates"
      />
    );
  else if (templates.data)
    content = (
      <>
        {(templates.data.length > UNFILTERED || found || typed || templates.isPlaceholderData) && (
          <SearchInput
            label={t("filter")}
            value={typed}
            maxLength={LIMITS.filter}
            onChange={({ target }) => setTyped(target.value)}
            className="mb-4 sm:max-w-xs"
          />
        )}
        {templates.data.length === 0 ? (
          <p className="py-12 text-center text-ink-soft">{t("noResults")}</p>
        ) : (
          <CardGrid label={t("title")} onMore={more}>
            {templates.data.map((template) => (
              <TemplateCard
                key={template.id}
                template={template}
                mayEdit={mayEdit}
                onUse={onUse}
                onEdit={onEdit}
                onBoard={onBoard}
                onDuplicate={duplicate}
                onDelete={setDeleting}
              />
            ))}
          </CardGrid>
        )}
      </>
    );
  return (
    <>
      <PageHeader
        title={t("title")}
        text={t("intro")}
        action={
          mayEdit && (
            <Button variant="primary" onClick={onNew}>
              <Plus aria-hidden />
              {t("new")}
            </Button>
          )
        }
      />
      {content}
      <DeleteDialog
        kind="templates"
        entry={deleting}
        remove={useDeleteTemplate()}
        onClose={() => setDeleting(null)}
      />
    </>
  );
}

type TemplateCardProps = {
  template: Template;
  mayEdit: boolean;
  onUse: (id: number) => void;
  onEdit: (id: number) => void;
  onBoard: (id: number) => void;
  onDuplicate: (template: Template) => void;
  onDelete: (template: Template) => void;
};

export const TemplateCard = memo(function TemplateCard(props: TemplateCardProps) {
  const { template, mayEdit, onUse, onEdit, onBoard, onDuplicate, onDelete } = props;
  const { t } = useTranslation(["templates", "common"]);
  const { countOf } = useEntryCount();
  const settings = useSettings(template);
  const { id, name, description, fields } = template;
  const names = fields.map((field) => field.name).join(", ");
  return (
    <CardItem
      title={name}
      createdAt={template.createdAt}
      onOpen={mayEdit && (() => onEdit(id))}
      actions={
        mayEdit ? (
          <>
            <Button size="sm" variant="soft" aria-label={t("useNamed", { name })} onClick={() => onUse(id)}>
              {t("use")}
            </Button>
            <span className="inline-flex gap-0.5">
              <IconButton
                icon={Grid3x3}
                label={t("boardNamed", { name })}
                tip={t("board")}
                onClick={() => onBoard(id)}
              />
              <IconButton
                icon={Copy}
                label={t("common:document.duplicate", { name })}
                tip={t("common:document.duplicateShort")}
                onClick={() => onDuplicate(template)}
              />
              <IconButton
                icon={Pencil}
                label={t("editNamed", { name })}
                tip={t("common:edit")}
                onClick={() => onEdit(id)}
              />
              <IconButton
                icon={Trash2}
                tone="danger"
                label={t("deleteNamed", { name })}
                tip={t("common:delete")}
                onClick={() => onDelete(template)}
              />
            </span>
          </>
        ) : (
          <Button size="sm" variant="soft" aria-label={t("boardNamed", { name })} onClick={() => onBoard(id)}>
            <Grid3x3 aria-hidden />
            {t("board")}
          </Button>
        )
      }
    >
      {description && (
        <p className="mt-1 line-clamp-3 break-words text-ink-soft" title={description}>
          {description}
        </p>
      )}
      {(template.subject || template.message) && (
        <p className="mt-1 truncate font-medium text-ink-soft text-xs" title={template.message ?? undefined}>
          {template.subject ?? template.message}
        </p>
      )}
      {settings.length > 0 && (
        <p className="mt-1 break-words text-ink-soft text-xs">
          <Separated>{settings}</Separated>
        </p>
      )}
      <p className="mt-1.5 text-ink-soft text-xs">{countOf(fields)}</p>
      <p className="mt-0.5 line-clamp-2 break-words text-ink-soft text-xs" title={names}>
        {names}
      </p>
    </CardItem>
  );
});

/** What an envelope from the template starts with, beside its texts. */
function useSettings(template: Template): string[] {
  const { t } = useTranslation(["templates", "envelopes", "common"]);
  const dayLabel = useReminderDay();
  const { dueInDays, expiresInDays, reminderDays, reminderFrequency, notificationPreference, language } =
    template;
  const days = (reminderDays ?? []).toSorted((one, other) => other - one);
  return [
    dueInDays !== null && t("card.due", { count: dueInDays }),
    days.length > 0 && t("card.reminders", { reminders: days.map(dayLabel).join(", ") }),
    expiresInDays !== null && t("card.works", { count: expiresInDays }),
    // "None" would contradict the days.
    reminderFrequency &&
      !(reminderFrequency === "none" && days.length > 0) &&
      t("card.reminders", { reminders: t(`envelopes:wizard.reminders.${reminderFrequency}`) }),
    notificationPreference && t(`envelopes:wizard.notifications.${notificationPreference}`),
    language && t(`common:languages.${language}`),
  ].filter((text) => typeof text === "string");
}
