import type { Database } from "../../../db/client";
import { listPossibleAdministrators, readInstanceCounts } from "../../../db/queries/accounts";
import { appConfig, type Variables } from "../../config";
import { findSetupLink } from "../../features/auth/sign-up";
import { isAdministrator } from "../../features/sign-in-policy/sign-in-policy";
import { type Finding, findingsOf } from "./finding";

const { ok, warning } = findingsOf("Administrators");

/** Whether somebody can open Settings → Administration. An instance without accounts gets an administrator with the first. */
export async function checkAdministrators(variables: Variables, db?: Database): Promise<Finding[]> {
  if (!db) return [];
  const config = appConfig(variables);
  const { accounts } = await readInstanceCounts(db, { activeSince: "", failedSince: "", now: "" });
  if (!accounts?.all) {
    const link = await findSetupLink({ db, config });
    return link
      ? [warning("there is no account yet", `create the first one, the administrator’s, at ${link}`)]
      : [];
  }
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
          "no account is an administrator",
          "make one with `users promote <email>`; the commands work without",
        ),
  ];
}
