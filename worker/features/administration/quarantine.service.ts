import type { Actor } from "../../../db/queries/audit-log";
import { findQuarantinedFile, releaseQuarantinedFile } from "../../../db/queries/quarantined-files";
import { appError } from "../../errors";
import { type Administration, act } from "./accounts.service";

/** Releases a quarantined file to its owner without a scan. @throws AppError `not_found` if it is not quarantined */
export async function releaseFile(deps: Administration, actor: Actor, submissionId: number): Promise<string> {
  const file = await findQuarantinedFile(deps.db, submissionId);
  if (!file) throw appError("not_found");
  const { userId, envelopeId, fileName } = file;
  await act(deps, actor, { action: "file_released", userId, detail: { envelopeId, submissionId } }, [
    releaseQuarantinedFile(deps.db, submissionId),
  ]);
  return fileName;
}
