import { listWorkspaceUse, type WorkspaceUse } from "../../../db/queries/accounts";
import { COMMAND } from "../../../db/queries/audit-log";
import { StartError } from "../../adapters/bun/start-error";
import { LIMITS } from "../../contract/limits";
import { changeWorkspaceQuota, requireWorkspaceUse } from "../../features/administration/accounts.service";
import { Help } from "../messages";
import type { Command } from "./accounts";
import { JSON_OPTION, readArguments, requireWholeNumber } from "./arguments";
import { size, table } from "./text";

const MB = 1024 * 1024;

const list: Command = async ({ db }, args) => {
  const { values } = readArguments(args, {
    usage: "workspaces list [--json]",
    options: JSON_OPTION,
    names: [],
  });
  const found: WorkspaceUse[] = [];
  for (let cursor: number | undefined; ; ) {
    const { rows, next } = await listWorkspaceUse(db, { limit: LIMITS.pageMax, cursor });
    found.push(...rows);
    if (next === null) break;
    cursor = next;
  }
  const lines = found.map(({ id, name, owner, members, envelopes, storageBytes, storageQuota }) => [
    ...[String(id), name, owner, String(members), String(envelopes), size(storageBytes)],
    storageQuota === null ? "-" : size(storageQuota),
  ]);
  const titles = ["ID", "NAME", "OWNER", "MEMBERS", "ENVELOPES", "STORAGE", "LIMIT"];
  const text = lines.length > 0 ? table(titles, lines) : "There are no workspaces yet";
  return { text, json: found, asJson: values.json };
};

const setQuota: Command = async (operator, args) => {
  const names = ["<id>", "<MB | unlimited>"] as const;
  const usage = `workspaces set-quota ${names.join(" ")} [--json]`;
  const { values, positionals } = readArguments(args, { usage, options: JSON_OPTION, names });
  const [reference = "", limit = ""] = positionals;
  const range = { min: 1, max: Number.MAX_SAFE_INTEGER };
  const { id, name } = await requireWorkspaceUse(operator, requireWholeNumber(reference, "The id", range));
  const megabytes = { min: 0, max: LIMITS.accountQuota / MB };
  const bytes = limit === "unlimited" ? null : requireWholeNumber(limit, "The quota in MB", megabytes) * MB;
  await changeWorkspaceQuota(operator, COMMAND, id, bytes);
  return {
    text: `The quota of ${name} (${id}) is ${bytes === null ? "unlimited" : `${limit} MB`}`,
    json: await requireWorkspaceUse(operator, id),
    asJson: values.json,
  };
};

const COMMANDS: Record<string, Command> = { list, "set-quota": setQuota };

/** `workspaces list` and `workspaces set-quota`. */
export const workspaces: Command = async (operator, [name = "", ...args]) => {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const Failure = name === "--help" ? Help : StartError;
  if (!command) throw new Failure(`Usage: workspaces ${Object.keys(COMMANDS).join(" | ")}`);
  return command(operator, args);
};
