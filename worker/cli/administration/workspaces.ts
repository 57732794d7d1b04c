import { findWorkspaceUse, listWorkspaceUse } from "../../../db/queries/accounts";
import { COMMAND } from "../../../db/queries/audit-log";
import { StartError } from "../../adapters/bun/start-error";
import { LIMITS } from "../../contract/limits";
import { changeWorkspaceQuota, requireWorkspaceUse } from "../../features/administration/accounts.service";
import { pagesOf } from "../../lib/pages";
import { type Command, subcommands } from "./accounts";
import { JSON_OPTION, readArguments, requireId, requireWholeNumber } from "./arguments";
import { size, table } from "./text";

const MB = 1024 * 1024;

const list: Command = async ({ db }, args) => {
  readArguments(args, { usage: "workspaces list [--json]", options: JSON_OPTION, names: [] });
  const pages = pagesOf((cursor?: number) => listWorkspaceUse(db, { limit: LIMITS.pageMax, cursor }));
  const found = (await Array.fromAsync(pages)).flat();
  const lines = found.map(({ id, name, owner, members, envelopes, storageBytes, storageQuota }) => [
    ...[String(id), name, owner, String(members), String(envelopes), size(storageBytes)],
    storageQuota === null ? "-" : size(storageQuota),
  ]);
  const titles = ["ID", "NAME", "OWNER", "MEMBERS", "ENVELOPES", "STORAGE", "LIMIT"];
  const text = lines.length > 0 ? table(titles, lines) : "There are no workspaces yet";
  return { text, json: found };
};

const setQuota: Command = async (operator, args) => {
  const names = ["<id>", "<MB | unlimited>"] as const;
  const usage = `workspaces set-quota ${names.join(" ")} [--json]`;
  const [reference, limit = ""] = readArguments(args, { usage, options: JSON_OPTION, names }).positionals;
  const id = requireId(reference);
  const use = await findWorkspaceUse(operator.db, id);
  if (!use) throw new StartError(`There is no workspace ${id}; \`workspaces list\` shows all of them`);
  const megabytes = { min: 0, max: LIMITS.accountQuota / MB };
  const bytes = limit === "unlimited" ? null : requireWholeNumber(limit, "The quota in MB", megabytes) * MB;
  await changeWorkspaceQuota(operator, COMMAND, id, bytes);
  return {
    text: `The quota of ${use.name} (${id}) is ${bytes === null ? "unlimited" : `${limit} MB`}`,
    json: await requireWorkspaceUse(operator, id),
  };
};

/** `workspaces list` and `workspaces set-quota`. */
export const workspaces = subcommands("workspaces", { list, "set-quota": setQuota });
