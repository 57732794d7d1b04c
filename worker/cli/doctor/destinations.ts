import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Database } from "../../../db/client";
import { listFolders, listSuspendedDestinations } from "../../../db/queries/destinations";
import { whyNotWritable } from "../../adapters/bun/files/file-access";
import type { Variables } from "../../config";
import { type Finding, findingsOf } from "./finding";

const { warning, failure } = findingsOf("File destinations");

/** The folder of DELIVERY_DIR, and destinations that wait for somebody: to sign in there again, or to make space. */
export async function checkDestinations(
  { DELIVERY_DIR }: Variables,
  db: Database | undefined,
): Promise<Finding[]> {
  const folder = await checkFolder(DELIVERY_DIR);
  if (!db) return folder;
  const isThere = DELIVERY_DIR !== undefined && folder.length === 0;
  return [...folder, ...(isThere ? await checkMounted(DELIVERY_DIR, db) : []), ...(await checkSuspended(db))];
}

async function checkFolder(folder: string | undefined): Promise<Finding[]> {
  if (folder === undefined) return [];
  const isFolder = (await stat(folder).catch(() => null))?.isDirectory();
  const problem = isFolder ? await whyNotWritable(folder) : "there is no such folder";
  if (problem === null) return [];
  return failure(
    `DELIVERY_DIR is ${JSON.stringify(folder)}, but ${problem}`,
    "make the folder, or mount its disk, and let the user that runs the app write to it",
  );
}

async function checkMounted(root: string, db: Database): Promise<Finding[]> {
  const findings = (await listFolders(db)).map(async ({ name, workspace, settings }) => {
    const marker = settings?.marker && join(root, settings.path ?? "", settings.marker);
    if (!marker || (await stat(marker).catch(() => null))) return [];
    return failure(
      `${name} (folder) of the workspace ${workspace} gets no files, because ${marker} is not there`,
      "mount its disk; if another one has taken its place, make this file, which may be empty. Files fail after two days, until an owner delivers them again",
    );
  });
  return (await Promise.all(findings)).flat();
}

async function checkSuspended(db: Database): Promise<Finding[]> {
  return (await listSuspendedDestinations(db)).flatMap(({ name, kind, workspace, state, reason }) =>
    warning(
      `${name} (${kind}) of the workspace ${workspace} ${state === "full" ? "is full" : "has no access any more"}, so files wait: ${reason}`,
      state === "full"
        ? "make space there; it is tried again every hour"
        : `an owner opens Integrations and connects it again${kind === "google" ? "; a Google project in “Testing” loses its access after 7 days" : ""}`,
    ),
  );
}
