import type { ComponentType } from "react";
import { useFormat } from "../../lib/use-format";
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

/** How many entries each tab has, such as "100+"; undefined until that is known. */
export function useTabCounts(workspaceId: number): Record<ScheduleTab, string | undefined> {
  const format = useFormat();
  const number = (count: number | undefined) => (count === undefined ? undefined : format.number(count));
  const expiring = useExpiringCount(workspaceId);
  return {
    scheduled: number(useScheduledCount(workspaceId)),
    recurring: number(useRecurringCount(workspaceId)),
    expiring: expiring && `${format.number(expiring.count)}${expiring.isMore ? "+" : ""}`,
  };
}
