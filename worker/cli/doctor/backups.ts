import type { Database } from "../../../db/client";
import { findLastBackup } from "../../../db/queries/job-runs";
import { hasUsers } from "../../../db/queries/users";
import type { Variables } from "../../config";
import { isBackupLate } from "../../features/administration/alerts.service";
import { systemClock } from "../../ports/clock";
import { utcTime } from "../administration/text";
import {
  differenceFrom,
  findMissingBackups,
  findNewestArchive,
  OTHER_BACKUPS,
} from "../archive/newest-archive";
import { type Finding, findingsOf } from "./finding";

const { failure, ok, warning } = findingsOf("Backup");

/** Whether the backups in BACKUPS are of this instance, and whether `backup` or `export` has run lately, without missing or damaged files. */
export async function checkBackups({ BACKUPS }: Variables, db?: Database): Promise<Finding[]> {
  if (!db) return [];
  const missing = BACKUPS === undefined ? null : await findMissingBackups(db, BACKUPS);
  if (missing) return warning(missing.problem, missing.advice);
  const newest = BACKUPS === undefined ? undefined : await findNewestArchive(BACKUPS);
  const difference = newest && (await differenceFrom(db, newest));
  if (difference) return failure(difference, OTHER_BACKUPS);
  if (!(await hasUsers(db))) return [];
  const last = await findLastBackup(db);
  if (!last)
    return warning(
      "no complete backup is recorded",
      "run `backup` each night, as the timer of worker/deploy does, unless something else backs up database and files",
    );
  const made = `the last complete one was made in the hour of ${utcTime(last)}`;
  return isBackupLate(last, systemClock.now())
    ? warning(
        made,
        "run `backup` and see what it says; `journalctl -u doculopes-backup` has the timer's messages",
      )
    : ok(made);
}
