import type { Database } from "../../../db/client";
import { listPossibleAdministrators, readInstanceCounts } from "../../../db/queries/accounts";
import { appConfig, type Variables } from "../../config";
import { isAdministrator } from "../../lib/administrators";
import { type Finding, findingsOf } from "./finding";

const { ok, warning } = findingsOf("Administrators");

/** Whether somebody can open Settings → Administration. An instance without accounts gets an administrator with the first. */
export async function checkAdministrators(variables: Variables, db?: Database): Promise<Finding[]> {
  if (!db) return [];
  const config = appConfig(variables);
  const { accounts } = await readInstanceCounts(db, { activeSince: "", failedSince: "" });
  if (!accounts?.all) return [];
  const possible = await listPossibleAdministrators(db, config.adminEmails);
  const emails = possible.filter((user) => isAdministrator(config, user)).map(({ email }) => email);
  if (emails.length > 0) return [ok(emails.join(", "))];
  return [
    config.adminEmails.length > 0
      ? warning(
          "no account with a verified address is listed in ADMIN_EMAILS",
          "sign up with one of the addresses or verify it in Settings, or list another",
        )
      : warning(
          "the first account was deleted or disabled, so this instance has no administrator",
          "set ADMIN_EMAILS to the verified address of an account, and restart; the commands work without it",
        ),
  ];
}
