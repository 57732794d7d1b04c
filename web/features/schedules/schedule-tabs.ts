import type { ComponentType } from "react";
import { useExpiringCount } from "../envelopes/expiring.queries";
import { RecurringTab, useRecurringCount } from "./recurring-tab";
import { ScheduledTab, useScheduledCount } from "./scheduled-tab";
import type { ScheduleTab, ScheduleTabProps } from "./tab-names";

// A further tab is added to `tab-names.ts`, to both of these, and with its label under `tabs` in `schedules.json`.

/** What each tab shows; documents that expire are the envelopes' own part. */
export const TAB_CONTENTS: Record<Exclude<ScheduleTab, "expiring">, ComponentType<ScheduleTabProps>> = {
  scheduled: ScheduledTab,
  recurring: RecurringTab,
};

type TabCount = { count: number; isMore?: boolean };

/** How many entries each tab has; undefined until that is known. */
export function useTabCounts(workspaceId: number): Record<ScheduleTab, TabCount | undefined> {
  const exactly = (count: number | undefined) => (count === undefined ? undefined : { count });
  return {
    scheduled: exactly(useScheduledCount(workspaceId)),
    recurring: exactly(useRecurringCount(workspaceId)),
    expiring: useExpiringCount(workspaceId),
  };
}
