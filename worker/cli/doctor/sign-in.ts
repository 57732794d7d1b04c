import type { Database } from "../../../db/client";
import { countForeignPasskeys, countPasswordless } from "../../../db/queries/sign-in-policy";
import { appConfig, type Variables } from "../../config";
import { pluralize } from "../messages";
import { type Finding, findingsOf } from "./finding";

const { warning, failure } = findingsOf("Sign-in");

/** Whether the operator's policy, or a new host, locks people out. */
export async function checkSignIn(variables: Variables, db?: Database): Promise<Finding[]> {
  if (!db) return [];
  return [...(await checkPolicy(variables, db)), ...(await checkHost(variables, db))];
}

/** A browser offers a passkey only to the host that it was created for. */
async function checkHost(variables: Variables, db: Database): Promise<Finding[]> {
  const { hostname } = new URL(appConfig(variables).publicUrl);
  const { passkeys, accounts } = await countForeignPasskeys(db, hostname);
  if (passkeys === 0) return [];
  return [
    warning(
      `${pluralize(passkeys, "passkey")} of ${pluralize(accounts, "account")} cannot be used, because PUBLIC_URL had another host than ${hostname}`,
      "return to that host, or tell the owners to add new passkeys; `users sign-in-link` lets in who has no other way, `users reset-two-factor` who needs one as a second factor",
    ),
  ];
}

async function checkPolicy(variables: Variables, db: Database): Promise<Finding[]> {
  const { allowsPasswords, signInProviders, publicUrl } = appConfig(variables);
  if (allowsPasswords || signInProviders.length > 0) return [];
  const { accounts, passwordless } = await countPasswordless(db, new URL(publicUrl).hostname);
  if (passwordless === 0)
    return [
      failure(
        "PASSWORD_SIGN_IN is off, no other sign-in service is configured, and nobody has a passkey: nobody can sign in",
        "set PASSWORD_SIGN_IN to on, or configure a service, such as with OIDC_ISSUER; `users sign-in-link` lets somebody in once",
      ),
    ];
  if (passwordless === accounts) return [];
  return [
    warning(
      `PASSWORD_SIGN_IN is off, no other sign-in service is configured, and ${accounts - passwordless} of ${accounts} accounts have no passkey`,
      "give them a link with `users sign-in-link`, with which they can add one",
    ),
  ];
}
