import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Database } from "../../../../db/client";
import { type OperationCounts, readOperationCounts } from "../../../../db/queries/instance-counts";
import { startOfHour } from "../../../../db/queries/job-runs";
import { findRateLimit } from "../../../../db/queries/rate-limits";
import type { Channel } from "../../../contract/notifications";
import { VERSION } from "../../../lib/version";
import type { Clock } from "../../../ports/clock";
import type { RateRule } from "../../../ports/rate-limiter";
import { readDisk } from "../files/free-space";
import { family, type Sample } from "./counters";

/** Counting files reads all of their rows, so the counts are cached for this long. */
const CACHED_MS = 10_000;
const LAG_RESOLUTION_MS = 20;

export type Instance = {
  db: Database;
  clock: Clock;
  /** The folder whose disk holds the data; null if everything is stored elsewhere. */
  folder: string | null;
  /** The rules for the messages a day of all accounts. */
  messagesOfAll: Record<Channel, RateRule>;
};

const gauge = (name: string, help: string, value: number) => family(name, "gauge", help, [[{}, value]]);

/** Reads the state of the process, the disk and the database on each scrape. */
export function createGauges({ db, clock, folder, messagesOfAll }: Instance): {
  exposition(): Promise<string>;
  stop(): void;
} {
  const lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
  lag.enable();
  const started = clock.now().getTime() / 1000;
  let cached: { at: number; text: Promise<string> } | undefined;
  const readDatabase = () => {
    const now = clock.now().getTime();
    if (!cached || now < cached.at || now - cached.at >= CACHED_MS)
      cached = { at: now, text: databaseGauges(db, now, messagesOfAll) };
    return cached.text;
  };
  return {
    async exposition() {
      const text = [
        processGauges(started, lag),
        await readDatabase(),
        folder ? await diskGauges(folder) : "",
      ];
      lag.reset();
      return text.join("");
    },
    stop: () => void lag.disable(),
  };
}

function processGauges(started: number, lag: ReturnType<typeof monitorEventLoopDelay>): string {
  const { user, system } = process.cpuUsage();
  // Subtracts the timer's resolution, so that an event loop without lag reports zero.
  const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - LAG_RESOLUTION_MS / 1000) || 0;
  return [
    family("doculopes_build_info", "gauge", "The running version.", [[{ version: VERSION }, 1]]),
    gauge("process_start_time_seconds", "When the process started.", started),
    gauge("process_resident_memory_bytes", "Memory of the process.", process.memoryUsage.rss()),
    family("process_cpu_seconds_total", "counter", "Processor time of the process.", [
      [{}, (user + system) / 1e6],
    ]),
    family("doculopes_event_loop_lag_seconds", "gauge", "Delay of the event loop since the last scrape.", [
      [{ stat: "mean" }, late(lag.mean)],
      [{ stat: "p99" }, late(lag.percentile(99))],
      [{ stat: "max" }, late(lag.max)],
    ]),
  ].join("");
}

async function diskGauges(folder: string): Promise<string> {
  const disk = await readDisk(folder);
  if (!disk) return "";
  return (
    gauge("doculopes_disk_free_bytes", "Free space for data.", disk.freeBytes) +
    gauge("doculopes_disk_size_bytes", "Size of the disk with the data.", disk.sizeBytes)
  );
}

async function databaseGauges(
  db: Database,
  now: number,
  messagesOfAll: Instance["messagesOfAll"],
): Promise<string> {
  const counts = await readOperationCounts(db, new Date(now).toISOString()).catch(() => null);
  const up = gauge("doculopes_database_up", "Whether the database answered.", counts ? 1 : 0);
  if (!counts) return up;
  return up + operationGauges(counts, now) + (await messageGauges(db, now, messagesOfAll));
}

async function messageGauges(db: Database, now: number, rules: Instance["messagesOfAll"]): Promise<string> {
  const counted = await Promise.all(
    Object.entries(rules).map(async ([channel, { name, limit }]) => {
      const counter = await findRateLimit(db, `${name}:all`, new Date(now).toISOString());
      return { channel, limit, count: counter?.count ?? 0 };
    }),
  );
  const samples = (value: "count" | "limit") =>
    counted.map((channel): Sample => [{ channel: channel.channel }, channel[value]]);
  return (
    family(
      "doculopes_messages_today",
      "gauge",
      "Messages to recipients in the present day.",
      samples("count"),
    ) + family("doculopes_messages_today_limit", "gauge", "How many of them may be sent.", samples("limit"))
  );
}

function operationGauges(counts: OperationCounts, now: number): string {
  const oldestAge = counts.outboxOldest ? Math.max(0, (now - Date.parse(counts.outboxOldest)) / 1000) : 0;
  return [
    family("doculopes_outbox_messages", "gauge", "Messages in the outbox that wait or have failed.", [
      [{ status: "queued" }, counts.outboxQueued],
      [{ status: "failed" }, counts.outboxFailed],
    ]),
    gauge("doculopes_outbox_oldest_age_seconds", "Age of the oldest waiting message.", oldestAge),
    gauge("doculopes_stored_files", "Submitted files that are stored.", counts.files),
    gauge("doculopes_stored_bytes", "Bytes of submitted files.", counts.fileBytes),
    gauge("doculopes_quarantined_files", "Files that wait for the virus scanner.", counts.quarantinedFiles),
    gauge("doculopes_unscannable_files", "Of these, files that it rejects.", counts.unscannableFiles),
    family("doculopes_file_deliveries", "gauge", "Files for destinations that wait or have failed.", [
      [{ state: "waiting" }, counts.deliveriesWaiting],
      [{ state: "failed" }, counts.deliveriesFailed],
    ]),
    gauge("doculopes_pending_file_deletions", "Files still to be deleted.", counts.pendingDeletions),
    gauge("doculopes_uploads_running", "Running uploads on all servers.", counts.runningUploads),
    gauge("doculopes_uploads_unsubmitted", "Uploaded files not submitted yet.", counts.unfinishedUploads),
    gauge(
      "doculopes_uploads_unsubmitted_bytes",
      "Bytes of uploaded files not submitted yet.",
      counts.unfinishedUploadBytes,
    ),
    family(
      "doculopes_last_backup_timestamp_seconds",
      "gauge",
      "The hour of the last backup that is complete; absent if none is recorded.",
      counts.lastBackup ? [[{}, Date.parse(startOfHour(counts.lastBackup)) / 1000]] : [],
    ),
  ].join("");
}
