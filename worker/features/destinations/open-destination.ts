import {
  findDestination,
  folderIdsOf,
  renewCredentials,
  type Destination as StoredDestination,
} from "../../../db/queries/destinations";
import type { Dependencies } from "../../dependencies";
import { appError } from "../../errors";
import { SEALED_CONTEXTS } from "../../ports/crypto";
import type { Destination, DestinationAccess, DestinationCredentials } from "../../ports/destination";

/** The adapter of a kind. @throws AppError `destination_unavailable` if the operator has not set it up */
export async function loadDestination(
  { destinations }: Dependencies,
  kind: StoredDestination["kind"],
): Promise<Destination> {
  const load = destinations[kind];
  if (!load) throw appError("destination_unavailable");
  return load();
}

/** Seals credentials for the database; those of a kind without any are not stored. */
export const sealCredentials = async (
  { secretBox }: Dependencies,
  workspaceId: number,
  credentials: DestinationCredentials,
): Promise<string | null> =>
  Object.keys(credentials).length === 0
    ? null
    : secretBox.seal(JSON.stringify(credentials), SEALED_CONTEXTS.destination(workspaceId));

/** What a call to a stored destination needs. */
export async function openAccess(
  deps: Dependencies,
  { id, workspaceId, settings, credentials }: StoredDestination,
  signal: AbortSignal,
): Promise<DestinationAccess> {
  const { db, secretBox } = deps;
  const open = async (sealed: string | null): Promise<DestinationCredentials> =>
    sealed === null ? {} : JSON.parse(await secretBox.open(sealed, SEALED_CONTEXTS.destination(workspaceId)));
  let current = credentials;
  return {
    settings: settings ?? {},
    credentials: await open(credentials),
    async renewCredentials(renewed) {
      const to = await sealCredentials(deps, workspaceId, renewed);
      if (current !== null && to !== null) current = await renewCredentials(db, id, { from: current, to });
      return open(current);
    },
    async readCredentials() {
      current = (await findDestination(db, id))?.credentials ?? null;
      return open(current);
    },
    folderIds: folderIdsOf(db, id),
    signal,
  };
}

/** The same for a destination that is not stored yet. */
export const unstoredAccess = (
  { settings, credentials }: Pick<DestinationAccess, "settings" | "credentials">,
  signal: AbortSignal,
): DestinationAccess => ({
  settings,
  credentials,
  renewCredentials: async (renewed) => renewed,
  readCredentials: async () => credentials,
  folderIds: { find: async () => undefined, save: async (_, folderId) => folderId, forget: async () => {} },
  signal,
});
