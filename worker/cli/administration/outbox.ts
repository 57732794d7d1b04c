import { COMMAND } from "../../../db/queries/audit-log";
import { listUndelivered } from "../../../db/queries/delivery-problems";
import { countRetryable, findOutboxMessage, listOutbox } from "../../../db/queries/outbox";
import { StartError } from "../../adapters/bun/start-error";
import { LIMITS } from "../../contract/limits";
import { retryFailedMessages, retryMessage } from "../../features/administration/outbox.service";
import type { Command, Printed } from "./accounts";
import { FLAG, JSON_OPTION, readArguments, requireId, requireWholeNumber } from "./arguments";
import type { Operator } from "./operator";
import { facts, table, utcTime } from "./text";

async function list(operator: Operator, args: string[]): Promise<Printed> {
  const options = {
    ...JSON_OPTION,
    waiting: FLAG,
    limit: { type: "string", default: "50" },
  } as const;
  const usage = "outbox [--waiting] [--limit <number>] [--json]";
  const { values } = readArguments(args, { usage, options, names: [] });
  const limit = requireWholeNumber(values.limit, "--limit", { min: 1, max: LIMITS.pageMax });
  const status = values.waiting ? "queued" : "failed";
  const { rows, next } = await listOutbox(operator.db, { status, limit }, operator.clock.now().toISOString());
  const lines = rows.map(({ id, kind, channel, account, envelopeId, attempts, createdAt, lastError }) => [
    String(id),
    `${kind} (${channel})`,
    account ?? "-",
    String(envelopeId ?? "-"),
    String(attempts),
    utcTime(createdAt),
    lastError?.split("\n", 1)[0] ?? "",
  ]);
  const titles = ["ID", "MESSAGE", "ACCOUNT", "ENVELOPE", "ATTEMPTS", "QUEUED", "WHY"];
  const files = await listUndelivered(operator.db, values.waiting ? "waiting" : "failed", limit);
  const fileLines = files.rows.map(({ destination, workspace, envelopeId, attempts, createdAt, ...file }) => [
    `${destination.name} (${destination.kind})`,
    workspace,
    String(envelopeId),
    String(attempts),
    utcTime(createdAt),
    file.failureText ?? file.failure ?? "",
  ]);
  const fileTitles = ["FILE FOR", "WORKSPACE", ...titles.slice(3)];
  const parts = [
    rows.length > 0 ? table(titles, lines) : values.waiting ? "No message waits" : "No message has failed",
    ...(fileLines.length > 0 ? [table(fileTitles, fileLines)] : []),
    ...(next === null && files.next === null ? [] : ["There are more: see --limit"]),
  ];
  const json = [...rows, ...files.rows.map((file) => ({ ...file, kind: "file" }))];
  return { text: parts.join("\n"), json };
}

async function show(operator: Operator, args: string[]): Promise<Printed> {
  const id = readId(args, "outbox show <id> [--json]");
  const message = await requireListed(operator, id);
  const text = facts([
    ["Message", `${message.kind} (${message.channel})`],
    ["Recipient", message.recipient],
    ["Account", message.account ?? "none"],
    ["Envelope", String(message.envelopeId ?? "none")],
    ["State", `${message.status} after ${message.attempts} attempts`],
    ["Queued", utcTime(message.createdAt)],
    [message.status === "queued" ? "Next attempt" : "Last attempt", utcTime(message.nextAttemptAt)],
    ["Why", message.lastError ?? "-"],
    ["Can be retried", message.canRetry ? "yes" : "no"],
  ]);
  return { text, json: message };
}

async function retry(operator: Operator, args: string[]): Promise<Printed> {
  if (args.includes("--all")) {
    readArguments(args, { usage: RETRY_USAGE, options: { ...JSON_OPTION, all: FLAG }, names: [] });
    const started = operator.clock.now().toISOString();
    const some = (await countRetryable(operator.db, started)) > 0;
    while (some && (await retryFailedMessages(operator, COMMAND, started)) > 0);
    const text = some ? "The server sends all failed messages again" : "No failed message can be sent again";
    return { text, json: {} };
  }
  const id = readId(args, RETRY_USAGE);
  await requireListed(operator, id);
  await retryMessage(operator, COMMAND, id);
  return { text: `The server sends message ${id} again`, json: { id } };
}

/** @throws StartError */
async function requireListed({ db, clock }: Operator, id: number) {
  const message = await findOutboxMessage(db, id, clock.now().toISOString());
  if (!message) throw new StartError(`There is no message ${id}; \`outbox\` shows those that have failed`);
  return message;
}

const RETRY_USAGE = "outbox retry <id> | --all [--json]";

const readId = (args: string[], usage: string) =>
  requireId(readArguments(args, { usage, options: JSON_OPTION, names: ["<id>"] }).positionals[0]);

const ACTIONS: Readonly<Record<string, Command>> = { show, retry };

/** Lists the messages, and files for destinations, that failed or wait; shows a message, or queues it again. */
export const outbox: Command = (operator, args) => {
  const [action = ""] = args;
  if (Object.hasOwn(ACTIONS, action)) return (ACTIONS[action] as Command)(operator, args.slice(1));
  return list(operator, args);
};
