import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Database } from "../../../db/client";
import { keyFile } from "../../adapters/bun/files/key-file";
import { makesKeyFile } from "../../adapters/bun/resources";
import { StartError } from "../../adapters/bun/start-error";
import type { Variables } from "../../config";
import { pluralize } from "../messages";
import { findUnreadable, lossText, namesOf, readSecretKeys } from "../secret-keys";
import { type Finding, findingsOf } from "./finding";

const { ok, warning, failure } = findingsOf("Secret key");

const OTHERS = 0o077;

/** Whether there is a key, only this user can read it, and it decrypts what is in the database. */
export async function checkSecretKey(variables: Variables, db?: Database): Promise<Finding[]> {
  let keys: readonly string[];
  try {
    keys = await readSecretKeys(variables);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return failure(
      error.message,
      "if it belongs to another user, change its owner; otherwise restore it from a backup that was made with --with-key",
    );
  }
  const { total, unreadable, losses } = db
    ? await findUnreadable(db, keys)
    : { total: 0, unreadable: [], losses: { answers: 0, destinations: 0 } };
  const loss = lossText(losses);
  const path = keyFile(resolve(variables.DATA_DIR));
  if (keys.length === 0 && total === 0)
    return makesKeyFile(variables)
      ? ok(`there is no ${path} yet; the next start makes it`)
      : warning(
          "SECRET_KEY is not set, so authenticator apps, confidential answers and file destinations cannot be used",
          "set it to the output of `openssl rand -base64 32`, the same for all servers",
        );
  const found = variables.SECRET_KEY ? [] : await checkMode(path);
  if (unreadable.length > 0)
    found.push(
      ...failure(
        `${keys.length === 0 ? "it is missing" : "it is another one"}: the authenticator apps of ${pluralize(unreadable.length, "account")} cannot be used (${namesOf(unreadable)})`,
        variables.SECRET_KEY
          ? "add the former key to SECRET_KEY, after the present one and a space; if it is lost, `users reset-two-factor`"
          : `add the former key to ${path} as another line; if it is lost, \`users reset-two-factor\``,
      ),
    );
  if (loss)
    found.push(
      ...failure(
        loss,
        variables.SECRET_KEY
          ? "add the former key to SECRET_KEY, after the present one and a space; if it is lost, ask for the answers again, and connect the destinations again"
          : `add the former key to ${path} as another line; if it is lost, ask for the answers again, and connect the destinations again`,
      ),
    );
  if (found.length > 0) return found;
  const source = variables.SECRET_KEY ? "SECRET_KEY" : path;
  return ok(`${source} decrypts ${pluralize(total, "secret")} in the database; keep a copy of it`);
}

async function checkMode(path: string): Promise<Finding[]> {
  const mode = (await stat(path).catch(() => null))?.mode ?? 0;
  if ((mode & OTHERS) === 0) return [];
  const shown = (mode & 0o777).toString(8).padStart(4, "0");
  return failure(`other users of this machine may read ${path} (${shown})`, `\`chmod 600 ${path}\``);
}
