import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { ACTIVITY_KINDS, type ActivityKind, type ActivityType } from "../../../../worker/contract/activity";
import type { Role } from "../../../../worker/contract/options";
import type { WorkspaceChanges } from "../../../../worker/contract/workspaces";
import { buttonClass } from "../../../components/ui/button";
import { NativeSelect } from "../../../components/ui/input";
import { MoreButton, QueryPlaceholder } from "../../../components/ui/query-placeholder";
import { Separated } from "../../../components/ui/separated";
import { useFormat } from "../../../lib/use-format";
import {
  type ActivityEntry,
  type ActivityView,
  activityQuery,
  memberName,
  membersQuery,
} from "../members/members.queries";

const TEXTS = {
  "request.sent": "activity.sent",
  "request.scheduled": "activity.scheduled",
  "request.assigned": "activity.assigned",
  "request.deleted": "activity.envelopeDeleted",
  "request.moved": "activity.envelopeMoved",
  "files.downloaded": "activity.downloaded",
  "contacts.imported": "activity.imported",
  "contacts.deleted": "activity.contactsDeleted",
  "template.deleted": "activity.templateDeleted",
  "member.invited": "activity.invited",
  "invitation.changed": "activity.invitationChanged",
  "invitation.revoked": "activity.revoked",
  "series.created": "activity.seriesCreated",
  "series.deleted": "activity.seriesDeleted",
  "member.joined": "activity.joined",
  "member.role_changed": "activity.roleChanged",
  "member.removed": "activity.removed",
  "member.left": "activity.left",
  "owner.restored": "activity.ownerRestored",
  "workspace.changed": "activity.changed",
  "webhook.created": "activity.webhookCreated",
  "destination.created": "activity.destinationCreated",
  "destination.changed": "activity.destinationChanged",
  "destination.deleted": "activity.destinationDeleted",
  "webhook.deleted": "activity.webhookDeleted",
} as const satisfies Record<ActivityType, string>;

/** Who did and changed what in the workspace, the latest first, of one kind or person if one wishes. */
export function ActivityList({ workspaceId }: { workspaceId: number }) {
  const { t } = useTranslation("workspace");
  const [view, setView] = useState<ActivityView>({});
  const query = useInfiniteQuery(activityQuery(workspaceId, view));
  const { data: people } = useQuery(membersQuery(workspaceId));
  const { data: rows } = query;
  let list: ReactNode = <QueryPlaceholder query={query} failed={t("activity.loadFailed")} rowClass="h-12" />;
  if (rows?.length === 0) {
    const isFiltered = Object.values(view).some((value) => value !== undefined);
    list = <p className="text-ink-soft">{t(isFiltered ? "activity.noMatch" : "activity.empty")}</p>;
  } else if (rows)
    list = (
      <>
        <ol className="divide-y divide-line rounded-card border border-line bg-surface px-4">
          {rows.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ol>
        <MoreButton query={query} label={t("activity.more")} className="mt-3" />
      </>
    );
  return (
    <>
      <div className="mb-3 flex flex-wrap gap-2">
        <NativeSelect
          aria-label={t("activity.kind")}
          className="max-sm:flex-1"
          value={view.kind ?? ""}
          options={[
            { value: "", label: t("activity.kinds.all") },
            ...ACTIVITY_KINDS.map((value) => ({ value, label: t(`activity.kinds.${value}`) })),
          ]}
          onChange={({ target: { value } }) =>
            setView(({ kind: _, ...now }) => ({ ...now, ...(value && { kind: value as ActivityKind }) }))
          }
        />
        {people && people.members.length > 1 && (
          <NativeSelect
            aria-label={t("activity.person")}
            className="max-w-48 max-sm:flex-1"
            value={view.person ?? ""}
            options={[
              { value: "", label: t("activity.everyone") },
              ...people.members.map((member) => ({
                value: String(member.userId),
                label: memberName(member),
              })),
            ]}
            onChange={({ target: { value } }) =>
              setView(({ person: _, ...now }) => ({ ...now, ...(value && { person: value }) }))
            }
          />
        )}
        <a
          href={`/api/workspaces/${workspaceId}/activity.csv?${new URLSearchParams(view)}`}
          download
          className={buttonClass({ className: "sm:ml-auto" })}
        >
          <Download aria-hidden />
          {t("activity.export")}
        </a>
      </div>
      {list}
    </>
  );
}

function Entry({ entry }: { entry: ActivityEntry }) {
  const { t } = useTranslation("workspace");
  const format = useFormat();
  const { type, actor, target, count, changes, createdAt } = entry;
  const name = target.name || target.email || t("activity.gone");
  return (
    <li className="py-2.5">
      <p className="[overflow-wrap:anywhere]">
        {type === "request.sent" && count !== null
          ? t("activity.sentMany", { target: name, count })
          : t(TEXTS[type], { target: name, count: count ?? 1 })}
      </p>
      {changes.map((change) => (
        <p key={change.field} className="text-ink-soft [overflow-wrap:anywhere]">
          <Change {...change} />
        </p>
      ))}
      <div className="text-ink-soft text-xs [overflow-wrap:anywhere]">
        <Separated>
          {actor.name}
          {format.dateTime(createdAt)}
        </Separated>
      </div>
    </li>
  );
}

const FIELDS = {
  name: "activity.fields.name",
  description: "activity.fields.description",
  retentionDays: "activity.fields.retentionDays",
  fileNameRule: "activity.fields.fileNameRule",
  defaultFileTypes: "activity.fields.defaultFileTypes",
  brandName: "activity.fields.brandName",
  brandColor: "activity.fields.brandColor",
  brandFooter: "activity.fields.brandFooter",
  logo: "activity.fields.logo",
  logoReadableOn: "activity.fields.logo",
  logoHasName: "activity.fields.logoHasName",
  role: "activity.fields.role",
  assignee: "activity.fields.assignee",
} as const satisfies Record<keyof WorkspaceChanges | "logo" | "role" | "assignee", string>;

const isField = (name: string): name is keyof typeof FIELDS => Object.hasOwn(FIELDS, name);

/** A field, and its values before and after if they are recorded. */
function Change({ field, from, to }: ActivityEntry["changes"][number]) {
  const { t } = useTranslation(["workspace", "common"]);
  const label = isField(field) ? t(FIELDS[field]) : field;
  const shown = (value: string) => (field === "role" ? t(`common:roles.${value as Role}`) : value);
  if (from === null && to === null) return label;
  return t("common:labelled", { label, value: `${from ? `${shown(from)} → ` : ""}${to ? shown(to) : "–"}` });
}
