import { type Actor, COMMAND } from "../../../db/queries/audit-log";
import {
  findQuarantinedFile,
  listQuarantinedFiles,
  releaseQuarantinedFile,
} from "../../../db/queries/quarantined-files";
import { StartError } from "../../adapters/bun/start-error";
import { required } from "../../errors";
import { type Administration, act } from "../../features/administration/accounts.service";
import type { Command, Printed } from "./accounts";
import { JSON_OPTION, readArguments, requireId } from "./arguments";
import type { Operator } from "./operator";
import { size, table, utcTime } from "./text";

const MAX_LISTED = 1000;

async function list(operator: Operator, args: string[]): Promise<Printed> {
  readArguments(args, { usage: "quarantine [--json]", options: JSON_OPTION, names: [] });
  const files = await listQuarantinedFiles(operator.db, MAX_LISTED);
  const rows = files.map((file) => [
    String(file.id),
    file.owner,
    String(file.envelopeId),
    file.fileName,
    size(file.fileSize),
    utcTime(file.createdAt),
    file.failure ?? "waits for the scanner",
  ]);
  const titles = ["ID", "ACCOUNT", "ENVELOPE", "FILE", "SIZE", "SINCE", "WHY"];
  const text = rows.length > 0 ? table(titles, rows) : "No file is quarantined";
  return { text, json: files };
}

async function release(operator: Operator, args: string[]): Promise<Printed> {
  const usage = "quarantine release <id> [--json]";
  const { positionals } = readArguments(args, { usage, options: JSON_OPTION, names: ["<id>"] });
  const id = requireId(positionals[0]);
  if (!(await findQuarantinedFile(operator.db, id)))
    throw new StartError(`No quarantined file has the id ${id}; \`quarantine\` shows all of them`);
  const fileName = await releaseFile(operator, COMMAND, id);
  return { text: `${fileName} can be downloaded now, without a virus scan`, json: { id } };
}

/** Lists the quarantined files, or releases one of them without a scan. */
export const quarantine: Command = (operator, args) =>
  args[0] === "release" ? release(operator, args.slice(1)) : list(operator, args);

/** Releases a quarantined file to its owner without a scan. @throws AppError `not_found` if it is not quarantined */
async function releaseFile(deps: Administration, actor: Actor, submissionId: number): Promise<string> {
  const file = await required(findQuarantinedFile(deps.db, submissionId), "not_found");
  const { userId, envelopeId, fileName } = file;
  await act(deps, actor, { action: "file_released", userId, detail: { envelopeId, submissionId } }, [
    releaseQuarantinedFile(deps.db, submissionId),
  ]);
  return fileName;
}
