import { openResources } from "../adapters/bun/resources";
import { createJsonLogger } from "../adapters/shared/loggers";
import type { Variables } from "../config";
import { requireOwnStore } from "../features/files/store-owner";
import { systemClock } from "../ports/clock";
import type { Manifest } from "./archive/archive-folder";
import { importArchive, type Stores } from "./archive/import-archive";
import { preserveOwner } from "./folder-owner";
import { adoptSecretKeys } from "./secret-keys";

export type OpenStores = Stores & { close(): Promise<void> };

/**
 * Opens the migrated database and the file store of a Bun server.
 * @throws StartError if something is unavailable
 */
export async function openBunStores(variables: Variables): Promise<OpenStores> {
  const log = createJsonLogger(systemClock, (line) => process.stderr.write(`${line}\n`));
  const { db, files, close } = await openResources(variables, { clock: systemClock, log, rulesInMemory: [] });
  return { db, files, close: async () => close() };
}

/** Imports an archive with its secret keys into an instance, and closes it. */
export async function importInto(
  { close, ...stores }: OpenStores,
  folder: string,
  options: { replace: boolean; variables: Variables },
): Promise<{ manifest: Manifest; loss: string | null }> {
  try {
    return await preserveOwner(options.variables, async () => {
      await requireOwnStore(stores);
      const manifest = await importArchive(stores, folder, options);
      return { manifest, loss: await adoptSecretKeys(options.variables, stores.db, manifest, folder) };
    });
  } finally {
    await close();
  }
}
