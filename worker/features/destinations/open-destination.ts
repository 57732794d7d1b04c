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
  let sealed = credentials;
  let text = "{}";
  const open = async (): Promise<DestinationCredentials> => {
    text = sealed === null ? "{}" : await secretBox.open(sealed, SEALED_CONTEXTS.destination(workspaceId));
    return JSON.parse(text);
  };
  return {
    settings: settings ?? {},
    credentials: await open(),
    async renewCredentials(renewed) {
      for (;;) {
        const [known, to] = [text, await sealCredentials(deps, workspaceId, renewed)];
        if (sealed === null || to === null) return open();
        sealed = await renewCredentials(db, id, { from: sealed, to });
        const stored = await open();
        // If they are the known ones, a rotation of the secret key has only sealed them again.
        if (sealed === to || text !== known) return stored;
      }
    },
    async readCredentials() {
      sealed = (await findDestination(db, id))?.credentials ?? null;
      return open();
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
