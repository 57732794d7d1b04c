import { readStored, writeStored } from "../../lib/storage";

const STORED_ID = "workspace";

/** The workspace selected in this browser. */
export const readStoredWorkspace = (): number | null => Number(readStored(STORED_ID)) || null;

export const storeWorkspace = (id: number): void => writeStored(STORED_ID, String(id));

/** The first candidate that is in the list, else the first of the list. */
export function chooseWorkspace<Workspace extends { id: number }>(
  workspaces: readonly Workspace[] | undefined,
  candidates: readonly (number | null | undefined)[],
): Workspace | undefined {
  const selected = candidates.find((candidate) => workspaces?.some(({ id }) => id === candidate));
  return workspaces?.find(({ id }) => id === selected) ?? workspaces?.[0];
}
