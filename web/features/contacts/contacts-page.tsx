import { type UseInfiniteQueryResult, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Download, FileUp, LayoutGrid, List, type LucideIcon, Plus } from "lucide-react";
import { type ReactNode, useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { LIMITS } from "../../../worker/contract/limits";
import { DeleteDialog } from "../../components/delete-dialog";
import { PageHeader } from "../../components/layout/page-header";
import { Button, buttonClass } from "../../components/ui/button";
import { CardGrid, CardGridSkeleton } from "../../components/ui/card-grid";
import { EmptyState } from "../../components/ui/empty-state";
import { NativeSelect, SearchInput } from "../../components/ui/input";
import { QueryError } from "../../components/ui/query-placeholder";
import { Segmented } from "../../components/ui/segmented";
import { useMore } from "../../lib/read-pages";
import { readStored, writeStored } from "../../lib/storage";
import { trimmedTo, useUrlInput } from "../../lib/use-url-input";
import { useRole, useSelectedWorkspace, workspacesQuery } from "../workspaces/workspaces.queries";
import { ContactCard, type ContactHandlers, ContactRow } from "./contact-card";
import { type Contact, contactsQuery, tagsQuery, useDeleteContact } from "./contacts.queries";
import { CONTACT_SORTS, type ContactSort, type ContactsView } from "./list-view";
import { SelectedContacts } from "./selected-contacts";

const SORTS = Object.keys(CONTACT_SORTS) as ContactSort[];
const VIEWS = ["cards", "list"] as const;
type View = (typeof VIEWS)[number];
const VIEW_ICONS = { cards: LayoutGrid, list: List } as const satisfies Record<View, LucideIcon>;
/** The view that was chosen in this browser. */
const STORED_VIEW = "contacts-view";

type ContactsPageProps = Omit<ContactHandlers, "mayEdit" | "onDelete" | "onSelect"> & {
  view: ContactsView;
  onView: (changes: ContactsView) => void;
  onNew: () => void;
  onImport: () => void;
  /** Opens the form for several recipients with these contacts. */
  onRequestAll: (ids: readonly number[]) => void;
};

/** `onRequest` opens the wizard with the contact as the recipient. */
export function ContactsPage({
  view: listed,
  onView,
  onNew,
  onImport,
  onRequestAll,
  ...handlers
}: ContactsPageProps) {
  const { t } = useTranslation(["contacts", "errors", "validation"]);
  const workspace = useSelectedWorkspace();
  const { mayEdit } = useRole();
  const workspaces = useQuery(workspacesQuery);
  const { sortBy: sort = "newest", tag } = listed;
  const [filter, setFilter] = useUrlInput(listed.filter ?? "", (typed) =>
    onView({ filter: typed || undefined }),
  );
  const found = trimmedTo(LIMITS.filter, listed.filter);
  const contacts = useInfiniteQuery({
    ...contactsQuery({ workspaceId: workspace?.id ?? 0, sort: CONTACT_SORTS[sort], filter: found, tag }),
    enabled: workspace !== undefined,
  });
  const tags = useQuery(tagsQuery(workspace?.id));
  const names = (tags.data ?? []).map(({ name }) => name);
  const more = useMore(contacts);
  const { ids, toggle, clear, selectAll } = useSelection(contacts);
  const rows = contacts.data ?? [];
  const selected = rows.filter(({ id }) => ids.has(id));
  const all = rows.length > 0 && selected.length >= Math.min(rows.length, LIMITS.contactsAtOnce);
  const [view, setView] = useState(() => VIEWS.find((known) => known === readStored(STORED_VIEW)) ?? "cards");
  const [deleting, setDeleting] = useState<Contact | null>(null);
  const ContactItem = view === "list" ? ContactRow : ContactCard;

  const failed = [workspaces, contacts].find(({ isError, data }) => isError && !data);
  let content: ReactNode = <CardGridSkeleton label={t("loadingList")} rows={view === "list"} />;
  if (failed) content = <QueryError title={t("failedTitle")} query={failed} />;
  else if (contacts.data?.length === 0 && !found && !filter && !tag && !contacts.isPlaceholderData)
    content = (
      <EmptyState
        title={t("empty.title")}
        action={t("empty.text")}
        onAction={mayEdit && onNew}
        drawing="contacts"
      />
    );
  else if (contacts.data)
    content = (
      <>
        <div className="mb-4 flex flex-wrap gap-2">
          <SearchInput
            label={t("filter")}
            value={filter}
            maxLength={LIMITS.filter}
            onChange={(event) => setFilter(event.target.value)}
            className="min-w-[min(10rem,100%)] flex-1 sm:max-w-xs"
          />
          <Segmented
            compact
            className="sm:order-1"
            legend={t("view.label")}
            value={view}
            onChange={(chosen) => {
              setView(chosen);
              writeStored(STORED_VIEW, chosen);
            }}
            choices={VIEWS.map((value) => ({ value, label: t(`view.${value}`), icon: VIEW_ICONS[value] }))}
          />
          {(names.length > 0 || tag) && (
            <NativeSelect
              aria-label={t("dialog.tags")}
              className="max-sm:min-w-28 max-sm:flex-1 sm:max-w-48"
              value={tag ?? ""}
              options={[
                { value: "", label: t("allTags") },
                ...[...new Set([...names, ...(tag ? [tag] : [])])].map((name) => ({
                  value: name,
                  label: name,
                })),
              ]}
              onChange={({ target }) => onView({ tag: target.value || undefined })}
            />
          )}
          <NativeSelect
            aria-label={t("sort.label")}
            className="max-sm:min-w-28 max-sm:flex-1 sm:ml-auto"
            value={sort}
            options={SORTS.map((value) => ({ value, label: t(`sort.${value}`) }))}
            onChange={({ target }) => onView({ sortBy: target.value as ContactSort })}
          />
        </div>
        {rows.length > 0 && (
          <label className="mb-3 flex w-fit touch:min-h-10 cursor-pointer items-center gap-2.5 text-ink-soft">
            <input
              type="checkbox"
              className="size-4.5 cursor-pointer"
              checked={all}
              ref={(box) => {
                if (box) box.indeterminate = selected.length > 0 && !all;
              }}
              onChange={() => (all ? clear() : void selectAll())}
            />
            {t("selected.all")}
          </label>
        )}
        {rows.length === 0 ? (
          <p className="py-12 text-center text-ink-soft">{t("noResults")}</p>
        ) : (
          <CardGrid label={t("title")} rows={view === "list"} onMore={more}>
            {rows.map((contact) => (
              <ContactItem
                key={contact.id}
                contact={contact}
                selected={ids.has(contact.id)}
                {...handlers}
                mayEdit={mayEdit}
                onSelect={toggle}
                onDelete={setDeleting}
              />
            ))}
          </CardGrid>
        )}
        {selected.length > 0 && (
          <SelectedContacts selected={selected} mayEdit={mayEdit} onRequest={onRequestAll} onClear={clear} />
        )}
      </>
    );
  return (
    <>
      <PageHeader
        title={t("title")}
        text={mayEdit ? t("intro") : undefined}
        action={
          <div className="flex flex-wrap gap-2">
            {workspace && (
              <a
                href={`/api/contacts/export.csv?workspaceId=${workspace.id}`}
                download
                className={buttonClass()}
              >
                <Download aria-hidden />
                {t("export")}
              </a>
            )}
            {mayEdit && (
              <Button onClick={onImport}>
                <FileUp aria-hidden />
                {t("import.open")}
              </Button>
            )}
            {mayEdit && (
              <Button variant="primary" onClick={onNew}>
                <Plus aria-hidden />
                {t("add")}
              </Button>
            )}
          </div>
        }
      />
      {content}
      <DeleteDialog
        kind="contacts"
        entry={deleting}
        remove={useDeleteContact()}
        onClose={() => setDeleting(null)}
      />
    </>
  );
}

const NONE: ReadonlySet<number> = new Set();

/** The ids of the selected contacts. What a filter hides is not selected until it is shown again. */
function useSelection(
  list: Pick<UseInfiniteQueryResult<Contact[]>, "data" | "hasNextPage" | "fetchNextPage">,
) {
  const [ids, setIds] = useState(NONE);
  const toggle = useCallback(
    (id: number) =>
      setIds((now) => {
        const next = new Set(now);
        if (!next.delete(id)) next.add(id);
        return next;
      }),
    [],
  );
  const clear = useCallback(() => setIds(NONE), []);
  const selectAll = async () => {
    let read = list;
    while (read.hasNextPage && (read.data?.length ?? 0) < LIMITS.contactsAtOnce)
      read = await list.fetchNextPage({ throwOnError: true });
    setIds(new Set(read.data?.slice(0, LIMITS.contactsAtOnce).map(({ id }) => id)));
  };
  return { ids, toggle, clear, selectAll };
}
