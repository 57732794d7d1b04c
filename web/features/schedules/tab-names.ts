/** The tabs of the page in their order, by their name in the URL. */
export const SCHEDULE_TABS = ["scheduled", "recurring", "expiring"] as const;
export type ScheduleTab = (typeof SCHEDULE_TABS)[number];

export type ScheduleTabProps = { workspaceId: number; mayEdit: boolean };
