import type { Database } from "../../db/client";
import { createJsonLogger } from "../adapters/shared/loggers";
import { UPLOAD_LEASES } from "../config";
import { type FileLease, leaseFiles } from "../features/files/upload-lease";
import { createProcessMemory } from "../lib/process-memory";
import { systemClock } from "../ports/clock";

/** Takes a lease for this command on the files whose keys begin with the prefix; an empty prefix means every file. */
export function leaseStoredFiles(db: Database, keyPrefix = ""): Promise<FileLease> {
  const log = createJsonLogger(systemClock, (line) => process.stderr.write(`${line}\n`));
  return leaseFiles({ db, log, memory: createProcessMemory(), renewMs: UPLOAD_LEASES.renewMs }, keyPrefix);
}
