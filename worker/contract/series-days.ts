const SERIES_UNITS = ["week", "month", "year"] as const;
export type SeriesUnit = (typeof SERIES_UNITS)[number];

const WEEKENDS = ["same", "before", "after"] as const;
/** When an occurrence is sent whose day is a Saturday or Sunday: on that day, the Friday before or the Monday after. */
export type Weekend = (typeof WEEKENDS)[number];
