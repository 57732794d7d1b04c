import { findInstanceId, insertInstanceId, replaceInstanceId } from "../../../db/queries/instance";
import { hasSubmittedFiles, listUnknownKeys } from "../../../db/queries/upload-leases";
import { hasUsers } from "../../../db/queries/users";
import type { Dependencies } from "../../dependencies";
import { randomToken } from "../../lib/tokens";
import { ForeignStoreError } from "../../ports/file-store";

type Stores = Pick<Dependencies, "db" | "files">;

const ADVICE =
  "choose the database or the store that belongs to the other one; or, if no other server uses these files, `doculopes adopt` (`bun run adopt`) gives them to this database";

const foreign = (problem: string) => new ForeignStoreError(`${problem}: ${ADVICE}`);
const anotherDatabase = () => foreign("The file store belongs to another database");

/**
 * Requires that the file store belongs to this database: both contain the same id. If one of them has none, as at the
 * first start and after an upgrade, it gets one, provided that the other is plausible.
 * @throws ForeignStoreError
 */
export async function requireOwnStore({ db, files }: Stores): Promise<void> {
  const owners = await readOwners({ db, files });
  if (owners.inDatabase !== null && owners.inDatabase === owners.inStore) return;
  await requirePlausible({ db, files }, owners);
  const id = await insertInstanceId(db, owners.inStore ?? randomToken());
  if (owners.inStore === null) await files.writeOwner(id);
  // Another server may have been faster.
  if ((await files.readOwner()) !== id) throw anotherDatabase();
}

/** Why `requireOwnStore` would fail. Changes nothing. */
export async function findForeignStore(stores: Stores): Promise<ForeignStoreError | null> {
  try {
    const owners = await readOwners(stores);
    if (owners.inDatabase === null || owners.inDatabase !== owners.inStore)
      await requirePlausible(stores, owners);
    return null;
  } catch (error) {
    if (error instanceof ForeignStoreError) return error;
    throw error;
  }
}

/** Makes this database the owner of the store's files. Any other database of this store no longer is, not even a copy. */
export async function adoptStore({ db, files }: Stores): Promise<void> {
  const id = randomToken();
  await files.writeOwner(id, { replace: true });
  await replaceInstanceId(db, id);
}

type Owners = { inDatabase: string | null; inStore: string | null };

/** The store first: another server that starts gives the id to the database before the store. */
async function readOwners({ db, files }: Stores): Promise<Owners> {
  const inStore = await files.readOwner();
  return { inDatabase: await findInstanceId(db), inStore };
}

/** At least one of the two has no id. @throws ForeignStoreError if they do not appear to belong together */
async function requirePlausible({ db, files }: Stores, { inDatabase, inStore }: Owners): Promise<void> {
  if (inDatabase !== null && inStore !== null) throw anotherDatabase();
  const isNew = !(await hasUsers(db));
  if (isNew && inStore !== null)
    throw foreign("The file store belongs to another database, and this one has no accounts");
  for await (const keys of files.list()) {
    if (isNew) throw foreign("The file store contains files, but the database has no accounts");
    const unknown = await listUnknownKeys(db, keys);
    if (unknown.length > keys.length / 2)
      throw foreign(`The database does not know ${unknown.length} of ${keys.length} files in the file store`);
    // One page is enough: the keys are random.
    return;
  }
  if (await hasSubmittedFiles(db))
    throw foreign("The file store is empty, or its disk is not mounted, but the database has files");
}
