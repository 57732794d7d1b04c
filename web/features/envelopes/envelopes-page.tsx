import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { type ReactNode, useCallback, useDeferredValue, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { PageHeader } from "../../components/layout/page-header";
import { Button } from "../../components/ui/button";
import { EmptyState } from "../../components/ui/empty-state";
import { lazyComponent } from "../../components/ui/lazy-component";
import { QueryError, Skeleton, SkeletonGroup } from "../../components/ui/query-placeholder";
import { useRole, useSelectedWorkspace, workspacesQuery } from "../workspaces/workspaces.queries";
import { type BulkSend, bulkSendsQuery } from "./bulk-sends.queries";
import { EnvelopeList } from "./envelope-list";
import { type Envelope, envelopesQuery } from "./envelopes.queries";
import { GroupStrip } from "./group-strip";
import type { ListView } from "./list-view";
import { DeletionNotices, SetAsideNotices, VerificationNotice } from "./notices";

const DeleteEnvelopeDialog = lazyComponent(() => import("./delete-envelope-dialog"));
const RemindDialog = lazyComponent(() => import("./remind-dialog"));

type EnvelopesPageProps = {
  view: ListView;
  /** Changes the URL; with `replace`, without a new history entry. */
  onView: (changes: ListView, replace?: boolean) => void;
  onNew: () => void;
  /** Must be stable across renders. */
  onEdit: (id: number) => void;
  /** Must be stable across renders. */
  onDuplicate: (id: number) => void;
  /** Tries the failed recipients of a bulk send again. */
  onRetry: (bulkId: number) => void;
};

export function EnvelopesPage(props: EnvelopesPageProps) {
  const { view, onView, onNew, onEdit, onDuplicate, onRetry } = props;
  const { t } = useTranslation("envelopes");
  const workspace = useSelectedWorkspace();
  const { mayEdit } = useRole();
  const workspaces = useQuery(workspacesQuery);
  const envelopes = useQuery({ ...envelopesQuery(workspace?.id ?? 0), enabled: workspace !== undefined });
  const [deleting, setDeleting] = useState<Envelope | null>(null);
  const [reminding, setReminding] = useState<Envelope | null>(null);
  const edit = useCallback(({ id }: Envelope) => onEdit(id), [onEdit]);
  const duplicate = useCallback(({ id }: Envelope) => onDuplicate(id), [onDuplicate]);
  const groups = useQuery({ ...bulkSendsQuery(workspace?.id ?? 0), enabled: workspace !== undefined });
  useListWithGroups(envelopes, groups);
  // The groups are above the list, which must not move when they arrive.
  const loaded = envelopes.data !== undefined && !groups.isPending;
  // Deferred: React renders the first list in short tasks then, so that a phone responds meanwhile.
  const listed = useDeferredValue(loaded) && loaded;

  const failed = workspaces.isError
    ? workspaces
    : envelopes.isError && !envelopes.data
      ? envelopes
      : undefined;
  let content: ReactNode = <EnvelopeSkeleton />;
  if (failed) content = <QueryError title={t("failedTitle")} query={failed} />;
  else if (envelopes.data?.length === 0 && !groups.data?.length)
    content = (
      <EmptyState
        title={t("empty.title")}
        action={t("empty.text")}
        onAction={mayEdit && onNew}
        drawing="envelopes"
      />
    );
  else if (envelopes.data && listed)
    content = (
      <EnvelopeList
        key={workspace?.id}
        workspaceId={workspace?.id ?? 0}
        envelopes={envelopes.data}
        view={view}
        onView={onView}
        partial={envelopes.isError}
        refreshing={envelopes.isFetching}
        onRefresh={() => {
          void envelopes.refetch();
          void groups.refetch();
        }}
        onEdit={edit}
        onDelete={setDeleting}
        onRemind={setReminding}
        onDuplicate={duplicate}
      />
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
              {t("newEnvelope")}
            </Button>
          )
        }
      />
      <VerificationNotice />
      <SetAsideNotices />
      <DeletionNotices />
      <GroupStrip
        groups={listed ? groups.data : undefined}
        selected={view.bulkId}
        onSelect={(bulkId) => onView({ bulkId })}
        onRetry={mayEdit ? onRetry : undefined}
      />
      {content}
      {reminding && <RemindDialog envelope={reminding} onClose={() => setReminding(null)} />}
      {deleting && <DeleteEnvelopeDialog envelope={deleting} onClose={() => setDeleting(null)} />}
    </>
  );
}

/** Reads the list again, once for each group, if envelopes of the group were created after the list was read. */
function useListWithGroups(envelopes: UseQueryResult<Envelope[]>, groups: UseQueryResult<BulkSend[]>): void {
  const readFor = useRef(new Set<number>());
  const { data: listed, isFetching, dataUpdatedAt, refetch } = envelopes;
  const mayBeOlder = !isFetching && dataUpdatedAt < groups.dataUpdatedAt;
  useEffect(() => {
    if (!mayBeOlder || !listed) return;
    const longer = groups.data?.filter(
      ({ id, finished, created }) =>
        finished &&
        !readFor.current.has(id) &&
        listed.filter((envelope) => envelope.bulkId === id).length < created,
    );
    if (!longer?.length) return;
    for (const { id } of longer) readFor.current.add(id);
    void refetch();
  }, [mayBeOlder, listed, groups.data, refetch]);
}

const ROWS = ["w-64", "w-48", "w-72", "w-56", "w-60"];

/** The list's shape while it loads. */
function EnvelopeSkeleton() {
  const { t } = useTranslation("envelopes");
  return (
    <SkeletonGroup label={t("loadingList")}>
      <Skeleton className="mb-3 h-9 w-full sm:w-xs" />
      <div className="h-10 border-line border-b" />
      {ROWS.map((width) => (
        <div
          key={width}
          className="flex h-[93px] items-center gap-6 md:h-[77px] xl:h-[61px] border-line border-b px-3"
        >
          <div className="min-w-0 flex-1 space-y-2">
            <Skeleton className={`h-3.5 max-w-full ${width}`} />
            <Skeleton className="h-3 w-36 max-w-full" />
          </div>
          <Skeleton className="hidden h-3.5 w-32 md:block" />
          <Skeleton className="h-6 w-20 rounded-full" />
          <Skeleton className="hidden h-3.5 w-24 sm:block" />
        </div>
      ))}
    </SkeletonGroup>
  );
}
