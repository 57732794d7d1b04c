import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { ActivityType } from "../../../../worker/contract/members";
import { MoreButton, QueryPlaceholder } from "../../../components/ui/query-placeholder";
import { Separated } from "../../../components/ui/separated";
import { useFormat } from "../../../lib/use-format";
import { type ActivityEntry, activityQuery } from "../members/members.queries";

const TEXTS = {
  "member.invited": "activity.invited",
  "invitation.revoked": "activity.revoked",
  "member.joined": "activity.joined",
  "member.role_changed": "activity.roleChanged",
  "member.removed": "activity.removed",
  "member.left": "activity.left",
  "owner.restored": "activity.ownerRestored",
  "workspace.changed": "activity.changed",
  "request.deleted": "activity.envelopeDeleted",
  "webhook.created": "activity.webhookCreated",
  "webhook.deleted": "activity.webhookDeleted",
} as const satisfies Record<ActivityType, string>;

/** Who changed what in the workspace, the latest first. */
export function ActivityList({ workspaceId }: { workspaceId: number }) {
  const { t } = useTranslation("workspace");
  const query = useInfiniteQuery(activityQuery(workspaceId));
  const { data: rows } = query;
  if (!rows) return <QueryPlaceholder query={query} failed={t("activity.loadFailed")} rowClass="h-12" />;
  if (rows.length === 0) return <p className="text-ink-soft">{t("activity.empty")}</p>;
  return (
    <>
      <ol className="divide-y divide-line rounded-card border border-line bg-surface px-4">
        {rows.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ol>
      <MoreButton query={query} label={t("activity.more")} className="mt-3" />
    </>
  );
}

function Entry({ entry: { type, actor, target, createdAt } }: { entry: ActivityEntry }) {
  const { t } = useTranslation("workspace");
  const format = useFormat();
  return (
    <li className="py-2.5">
      <p className="[overflow-wrap:anywhere]">
        {t(TEXTS[type], { target: target.name || target.email || "" })}
      </p>
      <div className="text-ink-soft text-xs [overflow-wrap:anywhere]">
        <Separated>
          {actor.name}
          {format.dateTime(createdAt)}
        </Separated>
      </div>
    </li>
  );
}
