import { COMMAND } from "../../../db/queries/audit-log";
import { findQuarantinedFile, listQuarantinedFiles } from "../../../db/queries/quarantined-files";
import { StartError } from "../../adapters/bun/start-error";
import { releaseFile } from "../../features/administration/quarantine.service";
import type { Command, Printed } from "./accounts";
import { JSON_OPTION, readArguments, requireWholeNumber } from "./arguments";
import type { Operator } from "./operator";
import { moment, size, table } from "./text";

const MAX_LISTED = 1000;

async function list(operator: Operator, args: string[]): Promise<Printed> {
  const usage = "quarantine [--json]";
  const { values } = readArguments(args, { usage, options: JSON_OPTION, names: [] });
  const files = await listQuarantinedFiles(operator.db, MAX_LISTED);
  const rows = files.map((file) => [
    String(file.id),
    file.owner,
    String(file.envelopeId),
    file.fileName,
    size(file.fileSize),
    moment(file.createdAt),
    file.failure ?? "waits for the scanner",
  ]);
  const titles = ["ID", "ACCOUNT", "ENVELOPE", "FILE", "SIZE", "SINCE", "WHY"];
  const text = rows.length > 0 ? table(titles, rows) : "No file is quarantined";
  return { text, json: files, asJson: values.json };
}

async function release(operator: Operator, args: string[]): Promise<Printed> {
  const usage = "quarantine release <id> [--json]";
  const { values, positionals } = readArguments(args, { usage, options: JSON_OPTION, names: ["<id>"] });
  const limits = { min: 1, max: Number.MAX_SAFE_INTEGER };
  const id = requireWholeNumber(positionals[0] ?? "", "The id", limits);
  if (!(await findQuarantinedFile(operator.db, id)))
    throw new StartError(`No quarantined file has the id ${id}; \`quarantine\` shows all of them`);
  const fileName = await releaseFile(operator, COMMAND, id);
  return {
    text: `${fileName} can be downloaded now, without a virus scan`,
    json: { id },
    asJson: values.json,
  };
}

/** Lists the quarantined files, or releases one of them without a scan. */
export const quarantine: Command = (operator, args) =>
  args[0] === "release" ? release(operator, args.slice(1)) : list(operator, args);
