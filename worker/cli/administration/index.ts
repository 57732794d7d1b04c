import { COMMAND, listAuditEntries } from "../../../db/queries/audit-log";
import { readEnvironment } from "../../adapters/bun/environment";
import { readDisk } from "../../adapters/bun/files/free-space";
import { needsDataFolder } from "../../adapters/bun/resources";
import { StartError } from "../../adapters/bun/start-error";
import { LIMITS } from "../../contract/limits";
import { LANGUAGES } from "../../contract/options";
import { readInstance } from "../../features/administration/instance.service";
import { inviteAddress } from "../../features/administration/invitations.service";
import { type Command, sendsMail, withLink } from "./accounts";
import {
  JSON_OPTION,
  LINK_OPTIONS,
  readArguments,
  requireAddress,
  requireLanguage,
  requireWholeNumber,
} from "./arguments";
import { asOperator, type Operator } from "./operator";
import { outbox } from "./outbox";
import { quarantine } from "./quarantine";
import { facts, size, table, utcTime } from "./text";
import { users } from "./users";
import { workspaces } from "./workspaces";

const invite: Command = async (operator, args) => {
  const usage = `invite <email> [--language ${LANGUAGES.join("|")}] [--link] [--json]`;
  const { values, positionals } = readArguments(args, { usage, options: LINK_OPTIONS, names: ["<email>"] });
  const email = requireAddress(positionals[0] ?? "");
  const invited = { email, language: requireLanguage(values.language) };
  const { token, expiresAt } = await inviteAddress(operator, COMMAND, invited);
  const link = `${operator.config.publicUrl}/invite/${token}`;
  const text = `The server mails ${email} an invitation. It works until ${utcTime(expiresAt)}`;
  return withLink(link, values.link, { text, json: { email, expiresAt } });
};

const stats: Command = async (operator, args) => {
  readArguments(args, { usage: "stats [--json]", options: JSON_OPTION, names: [] });
  const { CLAMAV_URL } = operator.variables;
  const instance = await readInstance(operator, {
    scans: CLAMAV_URL !== undefined,
    sendsMail: sendsMail(operator.variables),
    readDisk: needsDataFolder(operator.variables) ? () => readDisk(operator.variables.DATA_DIR) : undefined,
  });
  const { accounts, envelopes, workspaces, storage, outbox, scanner, webhooks, destinations } = instance;
  const { version, schema, signUp, jobs, lastBackup, disk, alerts } = instance;
  const text = facts([
    ["Version", `${version} (${schema})`],
    ["Sign-up", signUp],
    [
      "Accounts",
      `${accounts.total}, ${accounts.active} seen in the last 30 days, ${accounts.disabled} disabled`,
    ],
    [
      "Envelopes",
      `${envelopes.total}: ${envelopes.draft} draft, ${envelopes.scheduled} scheduled, ${envelopes.pending} pending, ${envelopes.completed} completed, ${envelopes.expired} expired`,
    ],
    [
      "Workspaces",
      `${workspaces.total}, ${workspaces.shared} shared, ${workspaces.memberships} memberships, ${workspaces.invitations} open invitations`,
    ],
    [
      "Storage",
      `${size(storage.bytes)} in ${storage.files} submitted files, ${storage.uploadsUnderWay} uploads not submitted`,
    ],
    ...storage.largest.map(({ email, bytes }) => ["", `${size(bytes)} ${email}`] as const),
    [
      "Outbox",
      `${outbox.waiting} waiting${outbox.oldestWaiting ? ` since ${utcTime(outbox.oldestWaiting)}` : ""}, ${outbox.failed} failed in the last 7 days`,
    ],
    ["Scanner", `${scanner.configured ? "on" : "off"}, ${scanner.quarantined} files waiting for it`],
    [
      "Webhooks",
      `${webhooks.enabled} of ${webhooks.total} on, ${webhooks.failing} failing, ${webhooks.waiting} messages waiting`,
    ],
    [
      "Destinations",
      `${destinations.total}, ${destinations.stopped} not taking files, ${destinations.waiting} files waiting, ${destinations.failed} failed in the last 7 days`,
    ],
    ...alerts.map(({ cause, since }) => ["Alert", `${cause} since the hour of ${utcTime(since)}`] as const),
    ["Disk", disk ? `${size(disk.freeBytes)} of ${size(disk.sizeBytes)} free` : "none is used"],
    ["Backup", lastBackup ? `last made in the hour of ${utcTime(lastBackup)}` : "none is recorded"],
    ...jobs.map(({ job, lastRun }) => [`Job ${job}`, `last ran in the hour of ${utcTime(lastRun)}`] as const),
  ]);
  return { text, json: instance };
};

const audit: Command = async (operator, args) => {
  const options = { ...JSON_OPTION, limit: { type: "string", default: "50" } } as const;
  const { values } = readArguments(args, { usage: "audit [--limit <number>] [--json]", options, names: [] });
  const limit = requireWholeNumber(values.limit, "--limit", { min: 1, max: LIMITS.pageMax });
  const { rows } = await listAuditEntries(operator.db, { limit });
  const lines = rows.map(({ createdAt, action, actor, subject, detail }) => [
    utcTime(createdAt),
    actor,
    action,
    subject,
    Object.entries(detail)
      .map(([name, value]) => `${name}=${value}`)
      .join(" "),
  ]);
  const text = table(["TIME", "BY", "ACTION", "WHOM", "DETAIL"], lines);
  return { text: rows.length > 0 ? text : "Nothing is recorded yet", json: rows };
};

const COMMANDS: Record<string, Command> = { users, workspaces, invite, stats, audit, outbox, quarantine };

export const isAdministrative = (command: string) => Object.hasOwn(COMMANDS, command);

/** Runs one of the commands. @returns what it prints */
export async function administer(command: string, args: string[]): Promise<string> {
  const run = COMMANDS[command];
  if (!run) throw new StartError(`Usage: ${Object.keys(COMMANDS).join(" | ")}`);
  // Each reads its arguments first, so help needs no database.
  if (args.includes("--help")) await run({} as Operator, args);
  const { text, json } = await asOperator(readEnvironment(process.env), (operator) => run(operator, args));
  return args.includes("--json") ? JSON.stringify(json, null, 2) : text;
}
