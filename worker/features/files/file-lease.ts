import { deleteUploadLease, findUploadLease, insertUploadLease } from "../../../db/queries/upload-leases";
import { randomUploadId } from "../../lib/file-names";
import { maintainUploadLease, type Renewal } from "./upload-lease";

/** Keeps running servers from removing files that have no row yet. */
export type FileLease = {
  /** Whether it was renewed all the time, so that no server has removed a file. */
  isValid(): Promise<boolean>;
  release(): Promise<void>;
};

/** Takes a lease on all files whose keys begin with the prefix, and renews it; an empty prefix means every file. */
export async function leaseFiles(renewal: Renewal, keyPrefix: string): Promise<FileLease> {
  const id = randomUploadId();
  await insertUploadLease(renewal.db, { id, keyPrefix, bytes: 0 });
  const lease = maintainUploadLease(renewal, id, Number.POSITIVE_INFINITY);
  return {
    isValid: async () => (await findUploadLease(renewal.db, id))?.revoked === false,
    async release() {
      lease.stop();
      await deleteUploadLease(renewal.db, id);
    },
  };
}
