import type { ComponentType } from "react";
import { ScheduledTab, useScheduledCount } from "./scheduled-tab";
import type { ScheduleTab, ScheduleTabProps } from "./tab-names";

// A further tab is added to `tab-names.ts`, to both of these, and with its label under `tabs` in `schedules.json`.

/** What each tab shows. */
export const TAB_CONTENTS: Record<ScheduleTab, ComponentType<ScheduleTabProps>> = {
  scheduled: ScheduledTab,
};

/** How many entries each tab has; undefined until that is known. */
export const useTabCounts = (workspaceId: number): Record<ScheduleTab, number | undefined> => ({
  scheduled: useScheduledCount(workspaceId),
});
