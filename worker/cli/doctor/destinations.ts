import { stat } from "node:fs/promises";
import type { Database } from "../../../db/client";
import { listSuspendedDestinations } from "../../../db/queries/destinations";
import { whyNotWritable } from "../../adapters/bun/files/file-access";
import type { Variables } from "../../config";
import { type Finding, findingsOf } from "./finding";

const { warning, failure } = findingsOf("File destinations");

/** The folder of DELIVERY_DIR, and destinations that wait for somebody: to sign in there again, or to make space. */
export async function checkDestinations(
  { DELIVERY_DIR }: Variables,
  db: Database | undefined,
): Promise<Finding[]> {
  return [...(await checkFolder(DELIVERY_DIR)), ...(db ? await checkSuspended(db) : [])];
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
