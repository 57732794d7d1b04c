import {
  type Account,
  findAccount,
  findAccountByEmail,
  listPossibleAdministrators,
} from "../../../db/queries/accounts";
import { StartError } from "../../adapters/bun/start-error";
import { accountView } from "../../features/administration/accounts.service";
import { isAdministrator } from "../../features/sign-in-policy/sign-in-policy";
import { Help, pluralize } from "../messages";
import { requireAddress } from "./arguments";
import type { Operator } from "./operator";
import { facts, size, utcTime } from "./text";

/** What a command prints: readable text or, with `--json`, the value. */
export type Printed = { text: string; json: unknown };
export type Command = (operator: Operator, args: string[]) => Promise<Printed>;

/** The command that runs one of these, as its first argument says. */
export const subcommands =
  (of: string, commands: Record<string, Command>): Command =>
  async (operator, [name = "", ...args]) => {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    const Failure = name === "--help" ? Help : StartError;
    if (!command) throw new Failure(`Usage: ${of} ${Object.keys(commands).join(" | ")}`);
    return command(operator, args);
  };

/** With the link that the server mails, if the operator asks for it. */
export const withLink = (
  link: string,
  asked: boolean,
  { text, json }: { text: string; json: object },
): Printed => (asked ? { text: `${text}:\n${link}`, json: { ...json, link } } : { text, json });

/** An account that can be changed. @throws StartError */
export async function requireAccount(operator: Operator, reference?: string): Promise<Account> {
  const found = await findNamed(operator, reference);
  if (found.deletedAt === null) return found;
  throw new StartError(`${found.email} is being deleted; the server finishes it`);
}

/** @throws StartError */
export async function findNamed({ db }: Operator, reference = ""): Promise<Account> {
  const found = /^\d{1,15}$/.test(reference)
    ? await findAccount(db, Number(reference))
    : await findAccountByEmail(db, requireAddress(reference));
  if (!found) throw new StartError(`There is no account ${reference}; \`users list\` shows all of them`);
  return found;
}

/** @throws StartError if ADMIN_EMAILS decides who administers */
export function requireRoles({ config }: Operator): void {
  if (config.adminEmails.length > 0)
    throw new StartError(
      "ADMIN_EMAILS is set and alone decides who administers: change it there and restart, or unset it",
    );
}

/** @throws StartError if somebody else may have registered the account's address, see `hasProvedAddress` */
export function requireProvedAddress({ variables }: Operator, { email, verifiedByOwner }: Account): void {
  if (verifiedByOwner || !sendsMail(variables)) return;
  throw new StartError(
    `Nobody has proved that ${email} is theirs, so a stranger may have registered it. Let its owner confirm it in Settings, or sign in with the link of \`users sign-in-link\`, first`,
  );
}

/** Whether the server sends mails, rather than writes them to files. */
export const sendsMail = ({ SMTP_URL, RESEND_API_KEY }: Operator["variables"]): boolean =>
  Boolean(SMTP_URL ?? RESEND_API_KEY);

/** @throws StartError if the account is the only administrator */
export async function requireAnotherAdministrator({ db, config }: Operator, account: Account): Promise<void> {
  const possible = await listPossibleAdministrators(db, config.adminEmails);
  const administrators = possible.filter((user) => isAdministrator(config, user));
  if (administrators.length === 1 && administrators[0]?.id === account.id)
    throw new StartError(
      `${account.email} is the only administrator. ${config.adminEmails.length > 0 ? "Name another in ADMIN_EMAILS" : "Promote another account"} first, or add --force`,
    );
}

export function shown(
  { config }: Operator,
  account: Account,
  secondFactors: { totp: boolean; passkeys: number; recoveryCodesLeft: number },
): Printed {
  const view = { ...viewOf(config, account), secondFactors };
  const { totp, passkeys, recoveryCodesLeft } = secondFactors;
  const name = [view.firstName, view.lastName].filter(Boolean).join(" ");
  const text = facts([
    ["ID", String(view.id)],
    ["Email", `${view.email}${view.isVerified ? "" : " (not verified)"}`],
    ["Name", name || "-"],
    ["State", stateOf(view)],
    [
      "Factors",
      [
        ...(totp ? [`authenticator app, ${pluralize(recoveryCodesLeft, "recovery code")} left`] : []),
        ...(passkeys > 0 ? [pluralize(passkeys, "passkey")] : []),
      ].join("; ") || "none",
    ],
    ["Created", utcTime(view.createdAt)],
    ["Last seen", utcTime(view.lastSeenAt)],
    ["Workspaces", `${view.workspaces}, owner of ${view.ownedWorkspaces}`],
    ["Envelopes", String(view.envelopes)],
    [
      "Storage",
      `${size(view.storageBytes)}, ${view.storageLimit === null ? "no limit" : `limit ${size(view.storageLimit)}`}`,
    ],
    ["Reserved", view.reservedBytes === 0 ? "-" : `${size(view.reservedBytes)} by unfinished uploads`],
  ]);
  return { text, json: view };
}

/** An account as these commands print it. */
export const viewOf = (config: Operator["config"], account: Account) => ({
  ...accountView(config, account),
  deletedAt: account.deletedAt,
});

export function stateOf({
  deletedAt,
  disabledAt,
  isAdministrator,
}: Pick<ReturnType<typeof viewOf>, "deletedAt" | "disabledAt" | "isAdministrator">) {
  if (deletedAt !== null) return "deleting";
  return disabledAt === null ? (isAdministrator ? "administrator" : "active") : "disabled";
}
