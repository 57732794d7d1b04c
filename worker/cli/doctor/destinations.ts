import type { Database } from "../../../db/client";
import { listSuspendedDestinations } from "../../../db/queries/destinations";
import { type Finding, findingsOf } from "./finding";

const { warning } = findingsOf("File destinations");

/** Those that wait for somebody: to sign in there again, or to make space. */
export async function checkDestinations(db?: Database): Promise<Finding[]> {
  if (!db) return [];
  return (await listSuspendedDestinations(db)).map(({ name, kind, workspace, state, reason }) =>
    warning(
      `${name} (${kind}) of the workspace ${workspace} ${state === "full" ? "is full" : "has no access any more"}, so files wait: ${reason}`,
      state === "full"
        ? "make space there; it is tried again every hour"
        : `an owner opens Integrations and connects it again${kind === "google" ? "; a Google project in “Testing” loses its access after 7 days" : ""}`,
    ),
  );
}
