import { pathOfFile } from "../../db/libsql";
import { isOpenOnlyHere } from "../../db/maintenance";
import { databaseUrl, openResources } from "../adapters/bun/resources";
import { StartError } from "../adapters/bun/start-error";
import { createJsonLogger } from "../adapters/shared/loggers";
import type { Variables } from "../config";
import { requireOwnStore } from "../features/files/store-owner";
import { systemClock } from "../ports/clock";
import type { Manifest } from "./archive/archive-folder";
import { importArchive, type Stores } from "./archive/import-archive";
import { preserveOwner } from "./folder-owner";
import { adoptSecretKeys } from "./secret-keys";

export type OpenStores = Stores & {
  /** Of a database file. @throws StartError if another process has it open */
  requireAlone?(): Promise<void>;
  close(): Promise<void>;
};

/**
 * Opens the migrated database and the file store of a Bun server.
 * @throws StartError if something is unavailable
 */
export async function openBunStores(variables: Variables): Promise<OpenStores> {
  const log = createJsonLogger(systemClock, (line) => process.stderr.write(`${line}\n`));
  const { db, files, close } = await openResources(variables, { clock: systemClock, log, rulesInMemory: [] });
  const path = pathOfFile(databaseUrl(variables));
  const requireAlone = async () => {
    if (!(await isOpenOnlyHere(db)))
      throw new StartError(`The app is still running on ${path}; stop it first`);
  };
  return { db, files, ...(path !== null && { requireAlone }), close: async () => close() };
}

/** Imports an archive with its secret keys into an instance, and closes it. */
export async function importInto(
  { close, requireAlone, ...stores }: OpenStores,
  folder: string,
  options: { replace: boolean; variables: Variables },
): Promise<{ manifest: Manifest; loss: string | null }> {
  try {
    return await preserveOwner(options.variables, async () => {
      await requireOwnStore(stores);
      await requireAlone?.();
      const manifest = await importArchive(stores, folder, options);
      return { manifest, loss: await adoptSecretKeys(options.variables, stores.db, manifest, folder) };
    });
  } finally {
    await close();
  }
}
