import { addDays, daysBetween } from "../../../../worker/contract/days";
import {
  type IfOpen,
  nextOccurrence,
  type SeriesUnit,
  upcomingDays,
  type Weekend,
} from "../../../../worker/contract/series-days";
import type { Series } from "../series.queries";
import type { WizardValues } from "../wizard/wizard.schema";

/** When a series is sent, as it is typed. Its hour is that of the form. */
export type Schedule = {
  name: string;
  every: string;
  unit: SeriesUnit;
  startOn: string;
  ends: "never" | "on" | "after";
  endOn: string;
  times: string;
  weekend: Weekend;
  ifOpen: IfOpen;
};

/** Monthly, from the first day of the next month on. */
export const freshSchedule = (today: string): Schedule => ({
  ...{
    name: "",
    every: "1",
    unit: "month",
    startOn: `${addDays(`${today.slice(0, 8)}28`, 7).slice(0, 8)}01`,
  },
  ...{ ends: "never", endOn: "", times: "12", weekend: "same", ifOpen: "send" },
});

export const scheduleOf = ({
  name,
  every,
  unit,
  startOn,
  endOn,
  times,
  weekend,
  ifOpen,
}: Series): Schedule => ({
  ...{ name, unit, startOn, weekend, ifOpen, every: String(every) },
  ends: endOn !== null ? "on" : times !== null ? "after" : "never",
  ...{ endOn: endOn ?? "", times: times === null ? "12" : String(times) },
});

/** The name of a series without one: its subject, with "…" for what differs each time. */
export const unnamed = (subject: string) => subject.replace(/\{\w+\}/g, "…");

/** The fields of the call. A number that is none is refused by the server, at its field. */
export const scheduleFields = ({ every, unit, startOn, weekend, ifOpen, ...schedule }: Schedule) => ({
  ...{ every: Number(every), unit, startOn, weekend, ifOpen },
  endOn: schedule.ends === "on" ? schedule.endOn : null,
  times: schedule.ends === "after" ? Number(schedule.times) : null,
});

/** The next days, at most six, of a new series or of one that is changed, which goes on with a later number. */
export function nextDays(schedule: Schedule, today: string, stored?: Series): string[] {
  const fields = scheduleFields(schedule);
  const { every, startOn, endOn, times } = fields;
  if (!Number.isInteger(every) || every < 1 || startOn === "" || endOn === "") return [];
  const sent = stored?.occurrences[0]?.number ?? 0;
  const left = times === null ? null : times - sent;
  const rule = { ...fields, startNumber: 1, times: null };
  const isMoved =
    stored && (every !== stored.every || startOn !== stored.startOn || fields.unit !== stored.unit);
  const next = isMoved ? undefined : stored?.nextOn;
  const first = stored ? addDays(today, 1) : today;
  // The next day may have been moved by a weekend.
  const isNext = (day: string) => (next ? addDays(day, 2) >= next : day >= first);
  const from = nextOccurrence({ ...rule, weekend: "same", endOn: null }, 1, isNext)?.number ?? 1;
  return upcomingDays({ ...rule, times: left === null ? null : from + left - 1 }, from, 6);
}

/** The dates of the form, which are those of the first envelope, as days from the day of sending. */
export const datesAsDays = ({ sendOn, dueDate, expirationDate }: WizardValues) => ({
  dueInDays: dueDate === "" ? null : daysBetween(sendOn, dueDate),
  expiresInDays: expirationDate === "" ? null : daysBetween(sendOn, expirationDate),
});
