import type { Database } from "../../../db/client";
import { readInstanceCounts } from "../../../db/queries/accounts";
import { findLastBackup } from "../../../db/queries/operation";
import { DAY_MS } from "../../lib/durations";
import { systemClock } from "../../ports/clock";
import { utcTime } from "../administration/text";
import { type Finding, findingsOf } from "./finding";

const { ok, warning } = findingsOf("Backup");

/** A nightly backup is at most a day old, plus the time it takes. */
const LATE_MS = 1.5 * DAY_MS;

/** Whether `backup` or `export` has run lately, without missing or damaged files. */
export async function checkBackups(db?: Database): Promise<Finding[]> {
  if (!db) return [];
  const { accounts } = await readInstanceCounts(db, { activeSince: "", failedSince: "", now: "" });
  if (!accounts?.all) return [];
  const last = await findLastBackup(db);
  if (!last)
    return [
      warning(
        "no complete backup is recorded",
        "run `backup` each night, as the timer of worker/deploy does, unless something else backs up database and files",
      ),
    ];
  const made = `the last complete one was made in the hour of ${utcTime(last)}`;
  return systemClock.now().getTime() - Date.parse(last) > LATE_MS
    ? [
        warning(
          made,
          "run `backup` and see what it says; `journalctl -u doculopes-backup` has the timer's messages",
        ),
      ]
    : [ok(made)];
}
