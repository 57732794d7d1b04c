import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { CalendarClock, ChevronDown, Clock, Plus, Users } from "lucide-react";
import { type ReactNode, useCallback, useDeferredValue, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { EnvelopeRow } from "../../../worker/contract/envelopes";
import { PageHeader } from "../../components/layout/page-header";
import { Button, buttonClass } from "../../components/ui/button";
import { EmptyState } from "../../components/ui/empty-state";
import { IconButton } from "../../components/ui/icon-button";
import { lazyComponent } from "../../components/ui/lazy-component";
import { QueryError, Skeleton, SkeletonGroup } from "../../components/ui/query-placeholder";
import { useRole, useSelectedWorkspace, workspacesQuery } from "../workspaces/workspaces.queries";
import { type BulkSend, bulkSendsQuery } from "./bulk-sends.queries";
import { EnvelopeList } from "./envelope-list";
import { rowsQuery } from "./envelopes.queries";
import { GroupStrip } from "./group-strip";
import type { ListView } from "./list-view";
import { DeletionNotices, SetAsideNotices, VerificationNotice } from "./notices";

const OpenedMenu = lazyComponent(() => import("../../components/ui/opened-menu"));
const DeleteEnvelopeDialog = lazyComponent(() => import("./delete-envelope-dialog"));
const BulkDialog = lazyComponent(() => import("./bulk/bulk-dialog"));
/** Nothing is delivered to a destination until an owner does something. */
const StoppedDestination = lazyComponent(() => import("./stopped-destination-notice"));
/** An import has stopped what is sent by itself, so that two servers do not send the same. */
const StoppedSchedules = lazyComponent(() => import("./stopped-schedules-notice"));

type EnvelopesPageProps = {
  view: ListView;
  /** Changes the URL; with `replace`, without a new history entry. */
  onView: (changes: ListView, replace?: boolean) => void;
  onNew: (wizard: "new" | "several" | "recurring") => void;
  /** Must be stable across renders. */
  onEdit: (id: number) => void;
  /** Must be stable across renders. */
  onDuplicate: (id: number) => void;
  /** Opens the review mode of an envelope. Must be stable across renders. */
  onReview: (id: number) => void;
  /** Tries the failed recipients of a bulk send again. */
  onRetry: (bulkId: number) => void;
};

export function EnvelopesPage(props: EnvelopesPageProps) {
  const { view, onView, onNew, onEdit, onDuplicate, onReview, onRetry } = props;
  const { t } = useTranslation("envelopes");
  const workspace = useSelectedWorkspace();
  const { mayEdit } = useRole();
  const workspaces = useQuery(workspacesQuery);
  const client = useQueryClient();
  const first = rowsQuery({ workspaceId: workspace?.id ?? 0 });
  const isEmpty = client.getQueryData(first.queryKey)?.pages[0]?.rows.length === 0;
  // Once it is known that there are any, the list reads them.
  const isKnown = client.getQueryData(first.queryKey) !== undefined && !isEmpty;
  const envelopes = useInfiniteQuery({ ...first, enabled: workspace !== undefined && !isKnown });
  const [deleting, setDeleting] = useState<EnvelopeRow | null>(null);
  const [menuAt, setMenuAt] = useState<HTMLElement | null>(null);
  const closeMenu = useCallback(() => setMenuAt(null), []);
  const navigate = useNavigate();
  const writeNew = () => onNew("new");
  const [reminding, setReminding] = useState<EnvelopeRow | null>(null);
  const edit = useCallback(({ id }: EnvelopeRow) => onEdit(id), [onEdit]);
  const duplicate = useCallback(({ id }: EnvelopeRow) => onDuplicate(id), [onDuplicate]);
  const review = useCallback(({ id }: EnvelopeRow) => onReview(id), [onReview]);
  const groups = useQuery({ ...bulkSendsQuery(workspace?.id ?? 0), enabled: workspace !== undefined });
  useListWithGroups(groups.data);
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
  else if (isEmpty && !groups.data?.length)
    content = (
      <EmptyState
        title={t("empty.title")}
        action={t("empty.text")}
        onAction={mayEdit && writeNew}
        drawing="envelopes"
      />
    );
  else if (envelopes.data && listed)
    content = (
      <EnvelopeList
        key={workspace?.id}
        workspaceId={workspace?.id ?? 0}
        view={view}
        onView={onView}
        onRefresh={() => void client.invalidateQueries({ queryKey: ["requests"] })}
        onEdit={edit}
        onDelete={setDeleting}
        onRemind={setReminding}
        onDuplicate={duplicate}
        onReview={review}
      />
    );
  return (
    <>
      <PageHeader
        title={t("title")}
        text={isEmpty ? t("intro") : undefined}
        action={
          <span className="flex flex-wrap gap-2">
            {workspace?.hasSchedules && (
              <Link to="/schedules" className={buttonClass({ className: mayEdit ? "max-sm:hidden" : "" })}>
                {t("schedules")}
              </Link>
            )}
            {mayEdit && (
              <Button variant="primary" className="max-[359px]:gap-1 max-[359px]:px-2.5" onClick={writeNew}>
                <Plus aria-hidden />
                {t("newEnvelope")}
              </Button>
            )}
            {mayEdit && (
              <IconButton
                label={t("otherWays")}
                icon={ChevronDown}
                side="bottom-end"
                aria-haspopup="menu"
                aria-expanded={menuAt !== null}
                className="h-9 border border-line-strong bg-surface"
                onClick={({ currentTarget }) => setMenuAt(menuAt ? null : currentTarget)}
              />
            )}
            {menuAt && (
              <OpenedMenu
                label={t("otherWays")}
                button={menuAt}
                onClose={closeMenu}
                entries={[
                  { label: t("wizard.several"), icon: Users, onSelect: () => onNew("several") },
                  { label: t("wizard.recurring"), icon: CalendarClock, onSelect: () => onNew("recurring") },
                  { label: t("schedules"), icon: Clock, onSelect: () => void navigate({ to: "/schedules" }) },
                ]}
              />
            )}
          </span>
        }
      />
      <VerificationNotice />
      <SetAsideNotices />
      {workspace?.role === "owner" && workspace.hasStoppedDestination && <StoppedDestination />}
      <DeletionNotices />
      {workspace?.schedulesStopped && <StoppedSchedules />}
      <GroupStrip
        groups={listed ? groups.data : undefined}
        selected={view.bulkId}
        onSelect={(bulkId) => onView({ bulkId })}
        onBoard={view.view === "board" ? undefined : () => onView({ view: "board" })}
        onRetry={mayEdit ? onRetry : undefined}
      />
      {content}
      {reminding && <BulkDialog action="remind" envelopes={[reminding]} onClose={() => setReminding(null)} />}
      {deleting && <DeleteEnvelopeDialog envelope={deleting} onClose={() => setDeleting(null)} />}
    </>
  );
}

/** Reads the list again when all envelopes of a bulk send are created. */
function useListWithGroups(groups: readonly BulkSend[] | undefined): void {
  const client = useQueryClient();
  const finished = useRef<ReadonlySet<number>>(undefined);
  useEffect(() => {
    if (!groups) return;
    const ids = new Set(groups.filter(({ finished }) => finished).map(({ id }) => id));
    const before = finished.current;
    finished.current = ids;
    if (before && [...ids].some((id) => !before.has(id)))
      void client.invalidateQueries({ queryKey: ["requests"] });
  }, [client, groups]);
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
        <div key={width} className="flex h-[69px] items-center gap-6 md:h-[61px] border-line border-b px-3">
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
