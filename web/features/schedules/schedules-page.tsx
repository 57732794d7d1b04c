import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import { PageHeader } from "../../components/layout/page-header";
import { Tabs } from "../../components/ui/tabs";
import { useRole, useSelectedWorkspace } from "../workspaces/workspaces.queries";
import { TAB_CONTENTS, useTabCounts } from "./schedule-tabs";
import { SCHEDULE_TABS, type ScheduleTab, type ScheduleTabProps } from "./tab-names";

type SchedulesPageProps = {
  tab: ScheduleTab;
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
  tab,
  onTab,
  expiring: Expiring,
}: SchedulesPageProps & { workspaceId: number }) {
  const { t } = useTranslation("schedules");
  const { mayEdit } = useRole();
  const counts = useTabCounts(workspaceId);
  const entries = SCHEDULE_TABS.map((name) => {
    const Content = name === "expiring" ? Expiring : TAB_CONTENTS[name];
    const count = counts[name];
    return {
      label: [t(`tabs.${name}`), count].filter(Boolean).join(" "),
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
