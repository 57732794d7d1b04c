import type { Database } from "../../../db/client";
import { listOwnerless } from "../../../db/queries/membership";
import { type Finding, findingsOf } from "./finding";

const { warning } = findingsOf("Workspaces");
const SHOWN = 10;

/** Whether each workspace that somebody works in has an owner who can sign in. */
export async function checkWorkspaces(db?: Database): Promise<Finding[]> {
  if (!db) return [];
  const ownerless = await listOwnerless(db, SHOWN);
  if (ownerless.length === 0) return [];
  const names = ownerless.map(({ id, name }) => `${name} (${id})`).join(", ");
  return [
    warning(
      `without an enabled owner: ${names}${ownerless.length === SHOWN ? " …" : ""}`,
      "enable the account of an owner with `users enable <email>`; until then nobody can invite or make an owner",
    ),
  ];
}
