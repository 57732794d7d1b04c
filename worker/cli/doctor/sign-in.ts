import type { Database } from "../../../db/client";
import { countPasswordless } from "../../../db/queries/sign-in-policy";
import { appConfig, type Variables } from "../../config";
import { type Finding, findingsOf } from "./finding";

const { warning, failure } = findingsOf("Sign-in");

/** Whether the operator's policy locks people out. */
export async function checkSignIn(variables: Variables, db?: Database): Promise<Finding[]> {
  const { allowsPasswords, signInProviders } = appConfig(variables);
  if (allowsPasswords || signInProviders.length > 0 || !db) return [];
  const { accounts, passwordless } = await countPasswordless(db);
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
