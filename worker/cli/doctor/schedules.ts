import type { Database } from "../../../db/client";
import { findFutureTime } from "../../../db/queries/instance-counts";
import { countLateEnvelopes } from "../../../db/queries/scheduled-envelopes";
import { listTroubledSeries } from "../../../db/queries/series";
import { countPausedRenewals } from "../../../db/queries/validity";
import { HOUR_MS } from "../../lib/durations";
import { utcTime } from "../administration/text";
import { pluralize } from "../messages";
import { type Finding, findingsOf } from "./finding";

const { warning } = findingsOf("Schedules");

const SHOWN = 10;

type Trouble = Awaited<ReturnType<typeof listTroubledSeries>>[number]["trouble"];

/** What is said of the series in one state, and what to do about it. */
const TEXTS: Record<Trouble, [text: string, advice: string]> = {
  late: [
    "were due more than an hour ago and were not sent",
    "start the server, or look for “series failed” in its log; what is up to three days late is still sent",
  ],
  limited: [
    "wait for a sending limit, and are missed after a day",
    "raise the limit or the quota, or verify the address of whoever sends them",
  ],
  missed: [
    "were missed the last time",
    "the mail to their assignee or owners says why; Send now in Schedules → Recurring sends the next one",
  ],
  paused: [
    "are paused, because their account has left, its password was changed, or the data was moved to this server",
    "once they are right and nobody else sends them, choose Resume in Schedules → Recurring",
  ],
};

/** Whether the clock is behind what has happened, or was ahead then. */
export async function checkClock(db?: Database): Promise<Finding[]> {
  if (!db) return [];
  const latest = new Date(Date.now() + HOUR_MS).toISOString();
  const at = await findFutureTime(db, latest);
  if (!at) return [];
  return findingsOf("Clock").warning(
    `the database has entries of ${utcTime(at)}, but it is ${utcTime(new Date().toISOString())} on this machine`,
    "set the clock if it is behind; if it was ahead for a while, what was due until then is over: envelopes have expired, and scheduled and recurring ones were missed",
  );
}

/** Whether what is sent on a day is sent: recurring and scheduled envelopes, and documents that are asked for again. */
export async function checkSchedules(db?: Database): Promise<Finding[]> {
  if (!db) return [];
  const dueBefore = new Date(Date.now() - HOUR_MS).toISOString();
  const series = await listTroubledSeries(db, dueBefore);
  const findings = Object.entries(TEXTS).flatMap(([trouble, [text, advice]]) => {
    const names = series
      .filter((one) => one.trouble === trouble)
      .map(({ name, workspace }) => `${name} (${workspace})`);
    const shown = `${names.slice(0, SHOWN).join(", ")}${names.length > SHOWN ? " …" : ""}`;
    return names.length === 0 ? [] : warning(`recurring envelopes ${text}: ${shown}`, advice);
  });
  const late = await countLateEnvelopes(db, dueBefore);
  if (late > 0)
    findings.push(
      ...warning(`${pluralize(late, "scheduled envelope")} due more than an hour ago`, TEXTS.late[1]),
    );
  const paused = await countPausedRenewals(db);
  if (paused > 0)
    findings.push(
      ...warning(
        `${pluralize(paused, "document")} will not be asked for again before the end of validity, since an import or a reset`,
        "once the other server is off, or the list is checked, choose Go on in Schedules → Expiring documents",
      ),
    );
  return findings;
}
