import * as z from "zod/mini";
import { bulkChecks, recipientInput, sharedInput, unsentEnvelope, unsentRecipient } from "./bulk-sends";
import { isDay } from "./days";
import { count, day, entity, id, queriedId, readVersion, requiredText, rowId, time } from "./fields";
import { LIMITS } from "./limits";
import { MESSAGES } from "./messages";
import { datesOn, IF_OPEN, SERIES_UNITS, WEEKENDS } from "./series-days";
import { daysToDates } from "./templates";

export const OCCURRENCE_STATES = ["sent", "skipped", "missed"] as const;
export type OccurrenceState = (typeof OCCURRENCE_STATES)[number];

/**
 * By a person, since the account that it is sent under has left, since the data was moved to this server, or since the
 * password of the account that set it up or changed it was changed, or an owner has undone what that did.
 */
export const PAUSE_REASONS = ["person", "left", "moved", "password"] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

const notInSeries = z.nullish(z.null(MESSAGES.notInSeries));
const envelope = z.extend(sharedInput, {
  ...daysToDates.shape,
  ...{ dueDate: notInSeries, expirationDate: notInSeries, isDraft: notInSeries },
  ...{ sendOn: notInSeries, sendHour: notInSeries },
});
export type SeriesEnvelope = z.output<typeof envelope>;

const DATED = {
  fields: (envelope: object) => datesOn(envelope as SeriesEnvelope, "2000-01-01"),
  path: (path: string) => (path === "envelope.dueDate" ? "envelope.dueInDays" : path),
};

const recipients = z.array(recipientInput).check(z.minLength(1), z.maxLength(LIMITS.recipientsPerBulkSend));
const aDay = z
  .string(MESSAGES.invalidDate)
  .check(
    z.maxLength(LIMITS.timestamp, { abort: true, error: MESSAGES.invalidDate }),
    z.refine(isDay, MESSAGES.invalidDate),
  );

const fields = {
  name: requiredText(LIMITS.name, MESSAGES.nameRequired),
  envelope,
  every: z.int().check(z.minimum(1), z.maximum(LIMITS.seriesEvery)),
  unit: z.enum(SERIES_UNITS),
  startOn: aDay.check(z.describe("From which the day of each occurrence is counted, as `YYYY-MM-DD`")),
};
/** Absent and null are the default or, in a change, absent ones stay. */
const options = {
  sendHour: z
    .nullish(z.int().check(z.minimum(0), z.maximum(23)))
    .check(z.describe("Of the day in the time zone of the assignee; by default 9")),
  weekend: z
    .nullish(z.enum(WEEKENDS))
    .check(z.describe("When an occurrence is sent whose day is a Saturday or Sunday")),
  endOn: z.nullish(aDay).check(z.describe("The last day, instead of `times`")),
  times: z.nullish(z.int().check(z.minimum(1), z.maximum(LIMITS.seriesTimes))),
  ifOpen: z
    .nullish(z.enum(IF_OPEN))
    .check(z.describe("Whether who has not completed the last request of the series is left out")),
};

/** A series with its recipients, which are checked as those of a bulk send. */
export const seriesInput = bulkChecks(
  z.object({ ...fields, ...options, workspaceId: z.nullish(rowId), recipients }),
  DATED,
);
export type SeriesInput = z.output<typeof seriesInput>;

/** What its recipients and its envelope are checked as, after one of both has changed. */
export const seriesLists = bulkChecks(z.object({ envelope, recipients: z.array(recipientInput) }), DATED);

export const seriesChanges = z.object({
  ...z.partial(z.object(fields)).shape,
  ...options,
  paused: z.optional(z.boolean()),
  updatedAt: readVersion,
});
export type SeriesChanges = z.output<typeof seriesChanges>;

export const seriesRecipientsInput = z.object({ recipients });

const SEEN = z.describe("The `nextOn` that was read: if it is not the next one any more, 409 `already_done`");
export const occurrenceInput = z.object({ on: z.nullish(aDay).check(SEEN) });

export const seriesQuery = z.object({
  workspaceId: z.optional(queriedId),
  contactId: z.optional(queriedId).check(z.describe("Only those with this contact among the recipients")),
});

const occurrence = entity("Occurrence", {
  number: count,
  on: day,
  state: z.enum(OCCURRENCE_STATES),
  bulkId: z.nullable(id).check(z.describe("The bulk send; null if there was nobody to send it to")),
  total: count,
  created: count,
  failed: count,
  left: count.check(z.describe("Whom `ifOpen` has left out")),
  completed: count.check(z.describe("How many of its requests are completed")),
});

const response = {
  id,
  workspaceId: id,
  name: z.string(),
  every: count,
  unit: z.enum(SERIES_UNITS),
  startOn: day,
  sendHour: count,
  weekend: z.enum(WEEKENDS),
  endOn: z.nullable(day),
  times: z.nullable(count),
  ifOpen: z.enum(IF_OPEN),
  assigneeId: z
    .nullable(id)
    .check(z.describe("Whom its requests are assigned to, and in whose time zone it is")),
  timeZone: z.nullable(z.string()),
  nextOn: z.nullable(day).check(z.describe("Null if no occurrence is left")),
  upcoming: z.array(day).check(z.describe("The next six days")),
  paused: z.boolean(),
  pauseReason: z.nullable(z.enum(PAUSE_REASONS)),
  recipientCount: count,
  occurrences: z.array(occurrence).check(z.describe("The latest first; in a list only the latest")),
  createdAt: time,
  updatedAt: time,
};
export const listedSeriesResponse = entity("ListedSeries", response);
export type ListedSeries = z.output<typeof listedSeriesResponse>;

export const seriesEnvelope = z.extend(
  z.omit(unsentEnvelope, { dueDate: true, expirationDate: true, sendOn: true, sendHour: true }),
  {
    dueInDays: z.nullable(count),
    expiresInDays: z.nullable(count),
  },
);
export const seriesRecipient = z.extend(z.omit(unsentRecipient, { index: true }), { id });

export const seriesResponse = entity("Series", {
  ...response,
  envelope: seriesEnvelope,
  recipients: z.array(seriesRecipient),
});
export type Series = z.output<typeof seriesResponse>;
