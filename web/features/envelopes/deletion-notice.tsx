import { useQuery } from "@tanstack/react-query";
import { CalendarClock } from "lucide-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Notice } from "../../components/ui/notice";
import { useShownName } from "../../lib/shown-name";
import { useFormat } from "../../lib/use-format";
import {
  type DeletionNotice,
  deletionNoticesQuery,
  useShowDeletionNotice,
  type Workspace,
  workspacesQuery,
} from "../workspaces/workspaces.queries";

/** The notices of all workspaces whose files will be deleted. That they were shown may begin the notice period. */
export default function DeletionNotices() {
  const { t } = useTranslation("envelopes");
  const { data: workspaces = [] } = useQuery(workspacesQuery);
  const { data: notices = [] } = useQuery(deletionNoticesQuery);
  if (notices.length === 0) return null;
  return (
    <Notice icon={CalendarClock} title={t("deletionNotice.title")}>
      {notices.map((notice) => {
        const workspace = workspaces.find(({ id }) => id === notice.workspaceId);
        return workspace && <WorkspaceNotice key={workspace.id} notice={notice} workspace={workspace} />;
      })}
      {notices.some(({ waiting }) => waiting > 0) && <p>{t("deletionNotice.waiting")}</p>}
      <p className="text-ink-soft">{t("deletionNotice.more")}</p>
    </Notice>
  );
}

function WorkspaceNotice({ notice, workspace }: { notice: DeletionNotice; workspace: Workspace }) {
  const { t } = useTranslation("envelopes");
  const format = useFormat();
  const { mutate: show } = useShowDeletionNotice();
  const { workspaceId, announcedAt, unseen, envelopes, firstDeletionAt } = notice;
  const shown = useShownName();
  useEffect(() => {
    if (!unseen) return;
    const showOnceVisible = () => {
      if (document.visibilityState === "visible") show({ workspaceId, announcedAt });
    };
    showOnceVisible();
    document.addEventListener("visibilitychange", showOnceVisible);
    return () => document.removeEventListener("visibilitychange", showOnceVisible);
  }, [unseen, workspaceId, announcedAt, show]);
  return (
    <p className="break-words">
      {t("deletionNotice.text", {
        count: envelopes,
        workspace: shown(workspace.name),
        date: format.date(firstDeletionAt),
      })}
    </p>
  );
}
