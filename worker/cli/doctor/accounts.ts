import type { Database } from "../../../db/client";
import { listPossibleAdministrators } from "../../../db/queries/accounts";
import { hasRoom } from "../../../db/queries/invitations";
import { listOwnerless } from "../../../db/queries/membership";
import { countForeignPasskeys, countPasswordless } from "../../../db/queries/passkeys";
import { hasUsers } from "../../../db/queries/users";
import { appConfig, type Variables } from "../../config";
import { MEMBERS_PER_WORKSPACE } from "../../contract/members";
import { readClaims } from "../../features/auth/oidc-client";
import { findSetupLink } from "../../features/auth/sign-up";
import { isAdministrator } from "../../features/sign-in-policy/sign-in-policy";
import { pluralize } from "../messages";
import { type Finding, findingsOf, reasonOf } from "./finding";

const administrators = findingsOf("Administrators");
const signIn = findingsOf("Sign-in");
const workspaces = findingsOf("Workspaces");

/** Whether somebody can open Settings → Administration. An instance without accounts gets an administrator with the first. */
export async function checkAdministrators(variables: Variables, db?: Database): Promise<Finding[]> {
  if (!db) return [];
  const config = appConfig(variables);
  if (!(await hasUsers(db))) {
    const link = await findSetupLink({ db, config });
    return link
      ? administrators.warning(
          "there is no account yet",
          `create the first one, the administrator's, at ${link}`,
        )
      : [];
  }
  const possible = await listPossibleAdministrators(db, config.adminEmails);
  const emails = possible.filter((user) => isAdministrator(config, user)).map(({ email }) => email);
  if (emails.length > 0) return administrators.ok(emails.join(", "));
  return config.adminEmails.length > 0
    ? administrators.warning(
        "no account with a verified address is listed in ADMIN_EMAILS",
        "sign up with one of the addresses or verify it in Settings, or list another",
      )
    : administrators.warning(
        "no account is an administrator",
        "make one with `users promote <email>`; the commands work without",
      );
}

/** Whether the operator's policy, or a new host, locks people out. */
export async function checkSignIn(variables: Variables, db?: Database): Promise<Finding[]> {
  if (!db) return [];
  return [
    ...(await checkPolicy(variables, db)),
    ...(await checkHost(variables, db)),
    ...(await checkSignUp(variables, db)),
  ];
}

/** Whether the OpenID provider can be reached, and says whether addresses are verified. */
export async function checkIssuer(variables: Variables): Promise<Finding[]> {
  const provider = appConfig(variables).signInProviders.find(({ name }) => name === "oidc");
  if (provider?.name !== "oidc") return [];
  const { issuer, trustsEmail } = provider;
  try {
    const claims = await readClaims(provider);
    const says = !claims || claims.some((claim) => claim === "email_verified" || claim === "xms_edov");
    if (says || trustsEmail) return signIn.ok(`${issuer} answers`);
    return signIn.warning(
      `${issuer} answers, but does not list the claim email_verified: nobody's address counts as verified`,
      "add its claim email_verified or, at Entra ID, xms_edov, or set OIDC_TRUST_EMAIL to on if its addresses are your own",
    );
  } catch (error) {
    return signIn.failure(
      `${issuer} cannot be used: ${reasonOf(error)}`,
      "check OIDC_ISSUER, the address before /.well-known/openid-configuration, and the network",
    );
  }
}

/** Whether new accounts can join the workspace that the operator has named. */
async function checkSignUp({ SIGN_UP, SIGN_UP_WORKSPACE: id }: Variables, db: Database): Promise<Finding[]> {
  if (SIGN_UP !== "domains" || id === undefined || (await hasRoom(db, id, MEMBERS_PER_WORKSPACE))) return [];
  return signIn.warning(
    `nobody can join the workspace ${id}, SIGN_UP_WORKSPACE: it does not exist or has ${MEMBERS_PER_WORKSPACE} members`,
    "name another one; `workspaces list` shows them",
  );
}

/** A browser offers a passkey only to the host that it was created for. */
async function checkHost(variables: Variables, db: Database): Promise<Finding[]> {
  const { hostname } = new URL(appConfig(variables).publicUrl);
  const { passkeys, accounts } = await countForeignPasskeys(db, hostname);
  if (passkeys === 0) return [];
  return signIn.warning(
    `${pluralize(passkeys, "passkey")} of ${pluralize(accounts, "account")} cannot be used, because PUBLIC_URL had another host than ${hostname}`,
    "return to that host, or tell the owners to add new passkeys; `users sign-in-link` lets in who has no other way, `users reset-two-factor` who needs one as a second factor",
  );
}

async function checkPolicy(variables: Variables, db: Database): Promise<Finding[]> {
  const { allowsPasswords, signInProviders, publicUrl } = appConfig(variables);
  if (allowsPasswords || signInProviders.length > 0) return [];
  const { accounts, passwordless } = await countPasswordless(db, new URL(publicUrl).hostname);
  if (passwordless === 0)
    return signIn.failure(
      "PASSWORD_SIGN_IN is off, no other sign-in service is configured, and nobody has a passkey: nobody can sign in",
      "set PASSWORD_SIGN_IN to on, or configure a service, such as with OIDC_ISSUER; `users sign-in-link` lets somebody in once",
    );
  if (passwordless === accounts) return [];
  return signIn.warning(
    `PASSWORD_SIGN_IN is off, no other sign-in service is configured, and ${accounts - passwordless} of ${accounts} accounts have no passkey`,
    "give them a link with `users sign-in-link`, with which they can add one",
  );
}

const SHOWN_WORKSPACES = 10;

/** Whether each workspace that somebody works in has an owner who can sign in. */
export async function checkWorkspaces(db?: Database): Promise<Finding[]> {
  if (!db) return [];
  const ownerless = await listOwnerless(db, SHOWN_WORKSPACES);
  if (ownerless.length === 0) return [];
  const names = ownerless.map(({ id, name }) => `${name} (${id})`).join(", ");
  return workspaces.warning(
    `without an enabled owner: ${names}${ownerless.length === SHOWN_WORKSPACES ? " …" : ""}`,
    "enable the account of an owner with `users enable <email>`; until then nobody can invite or make an owner",
  );
}
