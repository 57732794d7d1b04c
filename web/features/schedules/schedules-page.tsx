import { type ComponentType, useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import { PageHeader } from "../../components/layout/page-header";
import { Tabs } from "../../components/ui/tabs";
import { useFormat } from "../../lib/use-format";
import { useRole, useSelectedWorkspace } from "../workspaces/workspaces.queries";
import { TAB_CONTENTS, useTabCounts } from "./schedule-tabs";
import { SCHEDULE_TABS, type ScheduleTab, type ScheduleTabProps } from "./tab-names";

type SchedulesPageProps = {
  /** By default the first one that has an entry. */
  tab: ScheduleTab | undefined;
  onTab: (tab: ScheduleTab) => void;
  /** The documents that expire. */
  expiring: ComponentType<ScheduleTabProps>;
};

/** What is sent by itself: once on a day, again and again, and before something expires. */
export function SchedulesPage(props: SchedulesPageProps) {
  const { t } = useTranslation("schedules");
  const workspace = useSelectedWorkspace();
  return (
    <>
      <PageHeader title={t("title")} text={t("intro")} />
      {workspace && <ScheduleTabs key={workspace.id} workspaceId={workspace.id} {...props} />}
    </>
  );
}

function ScheduleTabs({
  workspaceId,
  tab: chosen,
  onTab,
  expiring: Expiring,
}: SchedulesPageProps & { workspaceId: number }) {
  const { t } = useTranslation("schedules");
  const format = useFormat();
  const { mayEdit } = useRole();
  const counts = useTabCounts(workspaceId);
  // One whose count is not known yet shows that it loads.
  const filled = SCHEDULE_TABS.find((name) => counts[name]?.count !== 0);
  const tab = chosen ?? filled ?? SCHEDULE_TABS[0];
  const opened = !chosen && filled && counts[filled] ? filled : undefined;
  const open = useEffectEvent(onTab);
  // It stays open when its last entry is removed.
  useEffect(() => {
    if (opened) open(opened);
  }, [opened]);
  const entries = SCHEDULE_TABS.map((name) => {
    const Content = name === "expiring" ? Expiring : TAB_CONTENTS[name];
    const { count, isMore = false } = counts[name] ?? {};
    const number = count === undefined ? "" : `${format.number(count)}${isMore ? "+" : ""}`;
    return {
      label: [t(`tabs.${name}`), number].filter(Boolean).join(" "),
      content: <Content workspaceId={workspaceId} mayEdit={mayEdit} />,
    };
  });
  return (
    <Tabs
      label={t("title")}
      tabs={entries}
      selected={SCHEDULE_TABS.indexOf(tab)}
      onSelect={(index) => onTab(SCHEDULE_TABS[index] ?? tab)}
    />
  );
}
