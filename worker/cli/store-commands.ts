import { resetSearchIndex } from "../../db/maintenance";
import {
  findOrphanFiles,
  needsConfirmation,
  type OrphanFiles,
  removeOrphanFiles,
} from "../features/files/orphan-files";
import { adoptStore, requireOwnStore } from "../features/files/store-owner";
import type { Stores } from "./archive/import-archive";
import { pluralize } from "./messages";

/** What the database knows of the stored files, in a sentence. */
function countsOf({ total, unknown, removable }: OrphanFiles): string {
  if (unknown.length === 0) return `The database knows all of ${pluralize(total, "file")} in the store`;
  return `The database does not know ${unknown.length} of ${pluralize(total, "file")} in the store, ${removable.length} of them at least a day old`;
}

/** Makes this database the owner of the store's files. @returns what to tell the operator */
export async function adopt(stores: Stores): Promise<string> {
  await adoptStore(stores);
  const found = await findOrphanFiles(stores);
  return `The file store belongs to this database now; start the server again. ${countsOf(found)}`;
}

/** Counts the files of unknown origin, or removes those that are old enough. @returns what to tell the operator */
export async function orphans(stores: Stores, { remove }: { remove: boolean }): Promise<string> {
  await requireOwnStore(stores);
  const found = await findOrphanFiles(stores);
  if (remove) {
    const count = await removeOrphanFiles(stores, found);
    return `${pluralize(count, "file")} removed. A store on a disk keeps them in the folder orphans for 7 days`;
  }
  if (found.removable.length === 0) return countsOf(found);
  return `${countsOf(found)}. ${
    needsConfirmation(found)
      ? "They are so many that the server leaves them alone: check that this is the right and latest database, then add --remove"
      : "The server removes those within an hour"
  }`;
}

/** Builds the index of the search again. @returns what to tell the operator */
export async function reindex({ db }: Pick<Stores, "db">): Promise<string> {
  const count = await resetSearchIndex(db);
  return `${pluralize(count, "envelope")} will be found again as the running server indexes them`;
}
